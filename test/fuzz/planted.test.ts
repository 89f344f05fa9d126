/** Would the fuzzer notice? Plants defects in programs, memory models and searches; each must be reported. */
import { describe, expect, it, vi } from 'vitest';
import type { Strategy } from '../../src/explore/strategy.ts';
import type { ProgramError } from '../../src/machine/code/error.ts';
import { Machine, type MachineOptions } from '../../src/machine/machine.ts';
import { H_ATOMIC } from '../../src/machine/state/layout.ts';
import type { ModelResult } from '../../src/pipelines/model-run.ts';
import type { Verdict } from '../../src/pipelines/result.ts';
import { int } from '../../src/program/builder.ts';
import type { Dest, Instruction, Program } from '../../src/program/ir.ts';
import { DEEP, QUICK } from '../support/tier.ts';
import type { Body, FuzzProgram, Statement } from './ast.ts';
import { compileBatch, compileEach, Refused } from './batch.ts';
import {
  type Compiled,
  compare,
  type Disagreement,
  type Plan,
  SEARCHES,
  type Searches,
  type Simulations,
  simulateAll,
  Tally,
} from './compare.ts';
import { NO_OPTIONS } from './compare-options.ts';
import { withFreshValues } from './fresh.ts';
import { findInParts } from './parts.ts';
import {
  COMPILED,
  check,
  enumerate,
  exhaustive,
  find,
  type MakeStrategy,
  NO_SPIN,
  optimal,
  SHORTCUTS_OFF,
  source,
} from './searches.ts';
import { type Chosen, type Compile, compareAll, programFor, shrinkFinding } from './session.ts';
import { shrink } from './shrink.ts';
import { TELLING } from './telling.ts';

const PER_BATCH = 10;
/** The quick tier has only the telling ones, which `fuzz.test.ts` compares there: they suffice for every bug below. */
const BATCHES = QUICK ? 1 : 61;
const NOTHING: Plan = {
  source: false,
  enumerate: false,
  exhaustive: false,
  compiled: false,
  noSpin: false,
  check: false,
  robust: false,
  monitors: false,
  shortcuts: [],
  traces: false,
  asWritten: false,
  npm: false,
  compiledForms: false,
  awaits: false,
  commuting: false,
  shortcutsCommuting: [],
  graph: false,
  parts: false,
  ...NO_OPTIONS,
};
const STRATEGIES = { optimal, source, enumerate, exhaustive };

interface Sample {
  readonly program: FuzzProgram;
  readonly simulations: Simulations;
  readonly compiled: Program;
}

/** Created on demand. */
const batches: Promise<readonly Sample[]>[] = [];

function batch(index: number): Promise<readonly Sample[]> {
  batches[index] ??= makeBatch(index);
  return batches[index];
}

async function makeBatch(index: number): Promise<readonly Sample[]> {
  const others = Array.from({ length: PER_BATCH }, (_, i) => 401 + 11 * ((index - 1) * PER_BATCH + i));
  const seeds = index === 0 ? TELLING : others.filter((seed) => !TELLING.includes(seed));
  const chosen = seeds.flatMap((seed) => programFor(seed, new Tally()) ?? []);
  const compiled = await compileBatch(chosen.map(({ program }) => program));
  return chosen.map((one, i) => ({ ...one, compiled: compiled[i]! }));
}

type Forms = Omit<Compiled, 'program'>;

interface Plant {
  readonly forms?: (program: Program) => Forms;
  readonly program?: (program: Program) => Program;
  readonly simulations?: (simulations: Simulations) => Simulations;
  readonly searches?: Partial<Searches>;
  readonly plan?: Partial<Plan>;
}

/** The first report. */
async function firstReport(plant: Plant, count: number = BATCHES): Promise<Disagreement | undefined> {
  for (let index = 0; index < count; index++) {
    for (const { program, simulations, compiled } of await batch(index)) {
      const [first] = compare(
        program,
        plant.simulations?.(simulations) ?? simulations,
        { program: plant.program?.(compiled) ?? compiled, ...plant.forms?.(compiled) },
        { ...NOTHING, ...plant.plan },
        new Tally(),
        { ...SEARCHES, ...plant.searches },
      );
      if (first !== undefined) return first;
    }
  }
  return undefined;
}

function nothing(dest: Dest): Instruction {
  return { op: 'move', dest, value: int(0) };
}

/** The program with some instructions replaced; `undefined` removes one. */
function changed(program: Program, change: (instruction: Instruction) => Instruction | undefined): Program {
  const functions = program.functions.map((func) => ({
    ...func,
    blocks: func.blocks.map((block) => ({ ...block, body: block.body.flatMap((i) => change(i) ?? []) })),
  }));
  return { ...program, functions };
}

it('finds nothing where nothing is planted', async () =>
  expect(await firstReport({ plan: { source: true, traces: true } }, 1)).toBeUndefined());

describe('finds what is planted in programs', () => {
  it.each<[string, (i: Instruction) => Instruction | undefined]>([
    ['fences are lost', (i) => (i.op === 'fence' ? undefined : i)],
    ['release stores are relaxed', (i) => (i.op === 'store' && i.order === 'release' ? { ...i, order: 'relaxed' } : i)],
    ['relaxed read-modify-writes are seq_cst', (i) => (i.op === 'rmw' ? { ...i, order: 'seq_cst' } : i)],
    ['subtraction adds', (i) => (i.op === 'rmw' && i.operator === 'sub' ? { ...i, operator: 'add' } : i)],
    ['mutexes are not unlocked', (i) => (i.op === 'unlock' ? undefined : i)],
    ['signals are lost', (i) => (i.op === 'signal' || i.op === 'broadcast' ? undefined : i)],
    ['joins are lost', (i) => (i.op === 'join' ? (i.dest === undefined ? undefined : nothing(i.dest)) : i)],
    ['nothing is freed', (i) => (i.op === 'free' ? undefined : i)],
  ])('%s', async (_, change) => {
    expect(await firstReport({ program: (program) => changed(program, change) })).toBeDefined();
  });
});

describe('finds what is planted in what has no value', () => {
  const plan: Plan = { ...NOTHING, uninitialised: true };
  /** By batch. */
  const fresh: Promise<readonly Program[]>[] = [];

  /** The first report about programs with values that were never written. */
  async function firstOfFresh(
    change: (instruction: Instruction) => Instruction | undefined,
  ): Promise<string | undefined> {
    for (let index = 0; index < BATCHES; index++) {
      const samples = await batch(index);
      fresh[index] ??= compileBatch(
        samples.map(({ program }) => withFreshValues(program)),
        { uninitialised: true },
      );
      const forms = await fresh[index]!;
      for (const [i, { program, simulations, compiled }] of samples.entries()) {
        const uninitialised = changed(forms[i]!, change);
        const [first] = compare(program, simulations, { program: compiled, uninitialised }, plan, new Tally());
        if (first !== undefined) return first.what;
      }
    }
    return undefined;
  }

  it.each<[string, (i: Instruction) => Instruction | undefined]>([
    ['variables are zero', (i) => (i.op === 'undefine' ? undefined : i)],
    ['memory is zero', (i) => ('isUndefined' in i ? { ...i, isUndefined: undefined } : i) as Instruction],
    ['what is read is zero', (i) => (i.op === 'load' ? { ...i, isDefined: true } : i)],
  ])('%s', async (_, change) => expect(await firstOfFresh(change)).toMatch(/^uninitialised, /));
});

describe('finds what is planted in memory models', () => {
  it('TSO reorders stores', async () =>
    expect(await firstReport({ simulations: (all) => ({ ...all, tso: all.pso }) })).toBeDefined());
  it('TSO is SC', async () =>
    expect(await firstReport({ simulations: (all) => ({ ...all, tso: all.sc }) })).toBeDefined());
});

it('finds an error of SC that TSO has not: verdicts of SC follow from those of TSO', async () => {
  const none = new Set<string>();
  const report = await firstReport({ simulations: (all) => ({ ...all, tso: { ...all.tso, errors: none } }) });
  expect(report?.what).toBe('an error under sc is none under tso');
});

describe('finds what is planted in searches', () => {
  /** Ends after this many executions, and claims to be complete. */
  const ending =
    (make: MakeStrategy, after: number): MakeStrategy =>
    (machine) => {
      let begun = 0;
      return new Proxy<Strategy>(make(machine), {
        get: (target, name) => {
          if (name === 'beginExecution') return () => (begun++ < after ? target.beginExecution() : -1);
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    };

  it.each(Object.entries(STRATEGIES))('%s ends early', async (name, make) => {
    const plan = { source: false, enumerate: false, exhaustive: false, [name]: true };
    expect(await firstReport({ searches: { [name]: ending(make, 3) }, plan })).toBeDefined();
  });

  // A lost trace is planted in each of them, below.
  it.each(SHORTCUTS_OFF.slice(0, DEEP ? undefined : 1))('$name ends early', async ({ name, make }) => {
    const report = await firstReport({ plan: { shortcuts: [{ name, make: ending(make, 3) }] } });
    expect(report?.what).toContain(name);
  });
});

/** Loses a trace, but no outcome, in searches for which `isMeant` holds. */
const losing =
  (isMeant: (make: MakeStrategy, options: MachineOptions | undefined) => boolean): Searches['find'] =>
  (program, model, make, options) => {
    const found = find(program, model, make, options);
    if (!isMeant(make, options) || found.traces.size < 2) return found;
    return { ...found, traces: new Set([...found.traces].slice(1)), complete: found.complete - 1 };
  };

describe('finds that a trace is lost or run twice', () => {
  it.each(SHORTCUTS_OFF)('by $name', async (shortcut) => {
    const searches = { find: losing((make) => make === shortcut.make) };
    const report = await firstReport({ searches, plan: { shortcuts: [shortcut] } });
    expect(report?.what).toBe(`optimal and ${shortcut.name} differ in traces`);
  });

  it.each(['source', 'enumerate', 'exhaustive'] as const)('by %s', async (name) => {
    const searches = { find: losing((make) => make === STRATEGIES[name]) };
    const report = await firstReport({ searches, plan: { [name]: true } });
    expect(report?.what).toMatch(new RegExp(`^(optimal|enumerate) and ${name} differ in traces$`));
  });

  it('by optimal, which the simulator notices', async () => {
    const report = await firstReport({
      searches: { find: losing((make) => make === optimal) },
      plan: { traces: true },
    });
    // Retrace may notice it first.
    expect(report?.what).toMatch(
      /^optimal (has another number of traces than the simulator|and retrace differ in traces)$/,
    );
  });

  it('by optimal, which runs it twice', async () => {
    const twice: Searches['find'] = (...search) => ({ ...find(...search), complete: -1 });
    expect((await firstReport({ searches: { find: twice } }))?.what).toBe('optimal has a trace twice');
  });

  it.each<[string, (traces: readonly string[]) => readonly string[], number, RegExp]>([
    ['lost', (traces) => traces.slice(1), -1, /^optimal and parts by orders differ in traces$/],
    ['run twice', (traces) => traces, 1, /^optimal has a trace twice$/],
  ])('by parts by orders: %s', async (_, change, more, says) => {
    const wrong: Searches['findInParts'] = (...search) => {
      const found = findInParts(...search);
      if (typeof found === 'string') return found;
      return { ...found, traces: new Set(change([...found.traces])), complete: found.complete + more };
    };
    const report = await firstReport({ searches: { findInParts: wrong }, plan: { parts: true } });
    expect(report?.what).toMatch(says);
  });

  it.each<[string, MachineOptions, Partial<Plan>]>([
    ['generated code', COMPILED, { compiled: true }],
    ['no spin', NO_SPIN, { noSpin: true }],
  ])('by %s', async (name, meant, plan) => {
    const report = await firstReport({ searches: { find: losing((_, options) => options === meant) }, plan });
    expect(report?.what).toMatch(new RegExp(`^optimal and (retrace, )?${name} differ in traces$`));
  });
});

const subtracts = (i: Instruction): Instruction =>
  i.op === 'rmw' && i.operator === 'add' ? { ...i, operator: 'sub' } : i;

describe('finds what is planted in engines and forms', () => {
  const compiledWrong: Searches['find'] = (program, model, make, options) =>
    find(options === COMPILED ? changed(program, subtracts) : program, model, make, options);

  it('generated code subtracts', async () => {
    const report = await firstReport({ searches: { find: compiledWrong }, plan: { compiled: true } });
    expect(report?.what).toMatch(/^(retrace, )?generated code /);
  });

  it.each([
    ['as written', { asWritten: true }],
    ['npm clang', { npm: true }],
  ] as const)('subtraction in the form %s', async (name, plan) => {
    const forms = (program: Program): Forms => ({
      asWritten: changed(program, subtracts),
      npm: changed(program, subtracts),
    });
    // Which of these the first program shows depends on the seeds.
    expect((await firstReport({ forms, plan }))?.what).toMatch(
      new RegExp(`^${name} (?:has outcomes|misses an error|has an error)`),
    );
    const right = (program: Program): Forms => ({ asWritten: program, npm: program });
    const searches = { find: compiledWrong };
    const report = await firstReport({ forms: right, searches, plan: { ...plan, compiledForms: true } });
    expect(report?.what).toMatch(new RegExp(`^${name}, generated code (?:has outcomes|misses an error|has an error)`));
  });

  it.each([
    ['as written', { asWritten: true }],
    ['npm clang', { npm: true }],
  ] as const)('%s: a trace is lost', async (name, plan) => {
    // A different object with the same contents.
    const forms = (program: Program): Forms => ({ asWritten: { ...program }, npm: { ...program } });
    const whole = new Set((await batch(0)).map(({ compiled }) => compiled));
    const find: Searches['find'] = (program, ...search) => losing(() => !whole.has(program))(program, ...search);
    expect((await firstReport({ forms, searches: { find }, plan }, 1))?.what).toBe(
      `optimal and ${name} differ in the number of traces`,
    );
  });
});

it('finds what is planted in how a process ends: a section that main returns from keeps the others waiting', async () => {
  const find: Searches['find'] = (...search) => {
    const spy = vi.spyOn(Machine.prototype, 'mayEnd', 'get').mockImplementation(function (this: Machine) {
      return this.mainHasReturned && this.state.words[H_ATOMIC] === 0;
    });
    try {
      return SEARCHES.find(...search);
    } finally {
      spy.mockRestore();
    }
  };
  expect((await firstReport({ searches: { find } }))?.what).toBe('enumerate has an error that the simulator has not');
});

describe('finds what is planted in check', () => {
  const altered =
    (change: (result: ModelResult) => ModelResult): Searches['check'] =>
    (...asked) =>
      check(...asked).map(change);

  it.each(['sc', 'tso', 'pso'])('a violation is missed under %s', async (meant) => {
    const wrong = altered((result) =>
      result.model === meant ? { ...result, verdict: { kind: 'verified' } as Verdict, errors: [] } : result,
    );
    const report = await firstReport({ searches: { check: wrong }, plan: { check: true } });
    expect(report).toMatchObject({ what: 'check (optimal) has another verdict than the simulator', model: meant });
  });

  it('another error is named', async () => {
    const wrong = altered((result) => ({
      ...result,
      errors: result.errors.map((found) => ({ ...found, error: { ...found.error, kind: 'race' } as ProgramError })),
    }));
    const report = await firstReport({ searches: { check: wrong }, plan: { check: true, source: true } });
    expect(report?.what).toBe('check (source) has an error that the simulator has not');
  });

  it.each([true, false])('robust is %s, always', async (robust) => {
    const wrong = altered((result) => ({ ...result, robust }));
    const report = await firstReport({ searches: { check: wrong }, plan: { check: true, robust: true } });
    expect(report?.what).toBe('robustness (optimal) is not what the number of traces says');
  });
});

describe('finds what is planted in monitors', () => {
  it('no alarm is raised', async () => {
    const monitors = { ...SEARCHES.monitors, watch: () => ({ alarms: new Set<never>(), why: undefined }) };
    const report = await firstReport({ searches: { monitors }, plan: { monitors: true } });
    expect(report?.what).toMatch(/^monitor .* misses a violation$/);
  });

  it('the figures know no alarm', async () => {
    const monitors = { ...SEARCHES.monitors, figure: () => [] };
    const report = await firstReport({ searches: { monitors }, plan: { monitors: true } });
    expect(report?.what).toMatch(/does not raise the alarms of the figure$/);
  });
});

/** Small enough to shrink quickly. */
function smallProgram(...body: readonly Statement[]): Chosen {
  const place = { union: 0, offset: 0, size: 4 } as const;
  const store: Statement = { op: 'store', place, how: 'plain', value: { reg: -1, low: 1, high: 0 } };
  const threads: Body[] = [[{ op: 'create', thread: 1 }], [...body, store]];
  const program: FuzzProgram = { seed: 1, threads, once: [], semaphore: 0, round: 2 };
  return { program, simulations: simulateAll(program) as Simulations };
}

describe('a refused program', () => {
  const barrier = (text: string): Statement => ({ op: 'asm', text, strength: 'full' });

  it('is found and shrunk, and the others are compared', async () => {
    // By clang, and by the front end.
    const chosen = [smallProgram(barrier('" nonsense "')), smallProgram(), smallProgram(barrier('hlt'))];
    const tally = new Tally();
    const plans = chosen.map(() => NOTHING);
    const found = await compareAll(chosen, plans, tally);
    expect(found.map(({ program }) => program)).toEqual([chosen[0]!.program, chosen[2]!.program]);
    expect(found.map(({ disagreements: [one] }) => one!.what)).toEqual([
      expect.stringMatching(/^refused: expected/),
      expect.stringMatching(/^refused: unsupported inline assembly/),
    ]);
    // Under each of three models, optimal and retrace.
    expect([...tally.counts.values()]).toEqual([1, 1, 1, 1, 1, 1]);
    const { program, disagreements } = await shrinkFinding(found[1]!, new Tally());
    expect(program.threads.flat().filter(({ op }) => op !== 'create')).toEqual([barrier('hlt')]);
    expect(disagreements[0]!.what).toBe(found[1]!.disagreements[0]!.what);
  });

  it('is found if only one clang or one form refuses it', async () => {
    const compile: Compile = async (programs, options) =>
      options?.clang === 'npm' || options?.asWritten === true
        ? programs.map(() => new Refused('fuzz.c:3:4: "x" is not known'))
        : await compileEach(programs, options);
    const plan = { ...NOTHING, npm: true, asWritten: true };
    const [found] = await compareAll([smallProgram()], [plan], new Tally(), compile);
    expect(found!.disagreements.map(({ what }) => what)).toEqual([
      'refused as written: … is not known',
      'refused from npm clang: … is not known',
    ]);
  });
});

it('a program that only the npm clang gets wrong is shrunk', async () => {
  const compile: Compile = async (programs, { clang } = {}) => {
    const right = await compileEach(programs);
    if (clang !== 'npm') return right;
    return right.map((one) => (one instanceof Refused ? one : changed(one, subtracts)));
  };
  const place = { union: 1, offset: 0, size: 4 } as const;
  const value = { reg: -1, low: 1, high: 0 };
  const add: Statement = { op: 'rmw', place, operator: 'add', order: 'relaxed', value, to: 0 };
  const [found] = await compareAll([smallProgram(add)], [{ ...NOTHING, npm: true }], new Tally(), compile);
  const { program, disagreements } = await shrinkFinding(found!, new Tally(), compile);
  expect(disagreements[0]!.what).toMatch(/^npm clang/);
  expect(program.threads.flat().filter(({ op }) => op !== 'create')).toEqual([add]);
});

it('a finding is shrunk, and stays the same finding', async () => {
  const hasLoad = ({ threads }: FuzzProgram): boolean => JSON.stringify(threads).includes('"op":"load"');
  const { program } = (await batch(0)).find((sample) => hasLoad(sample.program))!;
  const small = await shrink(program, async (candidates) => candidates.findIndex(hasLoad));
  expect(hasLoad(small)).toBe(true);
  // One statement is left, and what creates its thread.
  expect(small.threads.flat().filter(({ op }) => op !== 'create')).toHaveLength(1);
});
