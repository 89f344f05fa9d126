/**
 * `dropPauses`, `promote` and `inlineLocal` change nothing that can be observed: random programs that pause while they
 * wait (`support/pauses.ts`) and what the three make of them take the same steps in random schedules; the enumerator finds
 * the same errors, hangs and final states in both.
 */
import { expect, it } from 'vitest';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../src/explore/enumerator.ts';
import { explore } from '../../src/explore/explore.ts';
import { programError } from '../../src/machine/describe/program-error.ts';
import * as ev from '../../src/machine/events/event.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { Limits } from '../../src/machine/state/layout.ts';
import { inlineLocal } from '../../src/program/inline.ts';
import type { Program } from '../../src/program/ir.ts';
import { dropPauses, RULES, type Rules } from '../../src/program/pauses.ts';
import { printProgram } from '../../src/program/print.ts';
import { promote } from '../../src/program/promote.ts';
import { simplify } from '../../src/program/simplify.ts';
import { assertValid } from '../../src/program/validate.ts';
import { MixedWait } from '../../src/trace/wait-order.ts';
import { Prng } from '../../src/util/prng.ts';
import { MODELS } from '../support/c.ts';
import { NOTED, PAUSE_STYLES, pausingProgram } from '../support/pauses.ts';
import { QUICK, SEED, samples } from '../support/tier.ts';

const PROGRAMS = samples(300);
/** One of so many shows each planted rule; most tests end at one of the first. */
const ENOUGH = Math.max(PROGRAMS, 300);
const SCHEDULES = 4;
const STEPS = 40;
const MAX_EXECUTIONS = 200;

const SMALL: Partial<Limits> = {
  threads: 4,
  frameWords: 1 << 10,
  stackBytes: 1 << 8,
  heapBytes: 1 << 6,
  syncObjects: 2,
  bufferEntries: 64,
  localSteps: 5000,
};

const withRegisters = (program: Program): Program => simplify(promote(inlineLocal(simplify(promote(program)))));

const seen = { dropped: 0, hanging: 0, failing: 0, right: 0, undefined: 0, endless: 0, compared: 0, cut: 0 };
const words = new Map<string, number>();

interface Case {
  readonly program: Program;
  readonly dropped: Program;
  readonly index: number;
}

/** With the passes given, which may be wrong on purpose. */
function* cases(count: number, drop: (program: Program) => Program): Generator<Case> {
  for (let index = 0; index < count; index++) {
    const prng = new Prng(SEED, index);
    const made = pausingProgram(prng, PAUSE_STYLES[index % PAUSE_STYLES.length]!);
    for (const word of made.words) words.set(word, (words.get(word) ?? 0) + 1);
    assertValid(made.program);
    const dropped = simplify(drop(withRegisters(made.program)));
    assertValid(dropped);
    yield { program: made.program, dropped, index };
  }
}

it(`${PROGRAMS} programs take the same steps`, () => {
  for (const one of cases(PROGRAMS, dropPauses)) {
    const difference = differenceInSteps(one);
    if (difference !== undefined) expect.fail(`${one.index}: ${difference}\n${printProgram(one.program)}`);
  }
});

it(`${PROGRAMS} programs end in the same ways`, () => {
  for (const one of cases(PROGRAMS, dropPauses)) {
    const difference = differenceInEnds(one);
    if (difference !== undefined) expect.fail(`${one.index}: ${difference}\n${printProgram(one.program)}`);
  }
});

it('everything that is meant to occur occurs', () => {
  expect(seen.cut).toBeLessThan(seen.compared / 2);
  // Ten programs need not show everything.
  if (QUICK) return;
  for (const kind of ['hanging', 'failing', 'right', 'undefined'] as const)
    expect([kind, seen[kind] > seen.compared / 100]).toEqual([kind, true]);
  expect(seen.endless).toBeGreaterThan(0);
  for (const word of ['no value', 'early exit', 'stored', 'asserted', 'clock read', 'random used', 'used in a branch'])
    expect([word, (words.get(word) ?? 0) > PROGRAMS / 50]).toEqual([word, true]);
  expect(words.get('passed on')).toBeGreaterThan(0);
});

it.each<[string, Partial<Rules>]>([
  ['every loop ends', { endsSurely: () => true }],
  ['nothing is undefined', { hasUndefined: () => false }],
  ['a store is not observed', { isObserved: ({ op }) => op !== 'store' }],
  ['an assertion is not observed', { isObserved: ({ op }) => op !== 'assert' }],
  ['reports read nothing', { isFoundByName: () => false }],
  ['no thread-local variable is observed', { isObserved: ({ op }) => op !== 'poke' }],
])('finds a wrong rule: %s', (_, wrong) => {
  const drop = (program: Program): Program => dropPauses(program, { ...RULES, ...wrong });
  let found = false;
  for (const one of cases(ENOUGH, drop)) {
    found = differenceInSteps(one) !== undefined;
    if (found) break;
  }
  expect(found).toBe(true);
});

/** Random schedules, without rules for loops: event by event, the same. */
function differenceInSteps({ program, dropped, index }: Case): string | undefined {
  const model = MODELS[index % MODELS.length]!;
  const [a, b] = [new Machine(program, model, SMALL, {}), new Machine(dropped, model, SMALL, {})];
  const prng = new Prng(SEED + 1, index);
  for (let schedule = 0; schedule < SCHEDULES; schedule++) {
    a.rollback(0);
    b.rollback(0);
    for (let taken = 0; taken < STEPS; taken++) {
      const count = a.enabled();
      if (b.enabled() !== count) return `${count} steps are possible, then ${b.steps.length}`;
      for (let s = 0; s < count; s++) if (a.steps.get(s) !== b.steps.get(s)) return 'other steps are possible';
      if (count === 0) break;
      const step = a.steps.get(prng.below(count));
      a.step(step);
      b.step(step);
      for (let field = 0; field < ev.EVENT_WORDS; field++) {
        const at = a.depth - 1;
        if (field !== ev.E_SITE && a.events.get(at, field) !== b.events.get(at, field))
          return `event ${at}, field ${field}`;
      }
    }
    const [x, y] = [endOf(a), endOf(b)];
    if (x !== y) return `${x}, then ${y}`;
    const [noted, kept] = [notedIn(a), notedIn(b)];
    if (a.bound === undefined && noted !== kept) return `${noted} for reports, then ${kept}`;
    if (a.bound !== undefined) seen.endless++;
  }
  return undefined;
}

function endOf(machine: Machine): string {
  const error = programError(machine);
  return JSON.stringify([
    machine.outcome,
    error?.kind,
    error?.kind === 'uninitialised' ? '' : error?.message,
    machine.bound,
  ]);
}

/** What each thread has recorded for reports. */
function notedIn(machine: Machine): string {
  const { program, layout } = machine;
  const offset = layout.globals[program.globals.findIndex(({ name }) => name === NOTED)]!;
  const values = program.roots.map((_, thread) =>
    machine.read32(layout.threadLocals + thread * layout.threadLocalBytes + offset),
  );
  return values.join(' ');
}

interface Ends {
  readonly errors: ReadonlySet<string>;
  readonly states: ReadonlySet<string>;
  readonly isCut: boolean;
}

/** The enumerator on the original, and the enumerator and the default search on the other. */
function differenceInEnds({ program, dropped, index }: Case): string | undefined {
  const model = MODELS[index % MODELS.length]!;
  const expected = endsOf(program, new Machine(program, model, SMALL, { spin: true }), false);
  seen.compared++;
  if (program.functions.length > 0 && printProgram(dropped) !== printProgram(simplify(withRegisters(program))))
    seen.dropped++;
  if (expected.isCut) {
    seen.cut++;
    return undefined;
  }
  if (expected.errors.size === 0) seen.right++;
  else if ([...expected.errors].some((error) => error.startsWith('uninitialised'))) seen.undefined++;
  else if ([...expected.errors].some((error) => error.startsWith('liveness'))) seen.hanging++;
  else seen.failing++;
  const again = endsOf(dropped, new Machine(dropped, model, SMALL, { spin: true }), false);
  if (again.isCut) return 'the other has more executions';
  if (text(again.errors) !== text(expected.errors))
    return `errors ${text(expected.errors)}, then ${text(again.errors)}`;
  if (text(again.states) !== text(expected.states))
    return `states ${text(expected.states)}, then ${text(again.states)}`;
  const found = awaiting(dropped, model);
  if (found.isCut) return undefined;
  for (const error of found.errors) if (!expected.errors.has(error)) return `the search finds ${error}`;
  if (found.errors.size === 0 && expected.errors.size > 0) return `the search misses ${text(expected.errors)}`;
  if (expected.errors.size === 0 && text(found.states) !== text(expected.states)) return 'the search misses states';
  return undefined;
}

function awaiting(program: Program, model: (typeof MODELS)[number]): Ends {
  try {
    return endsOf(program, new Machine(program, model, SMALL, { spin: true, awaits: true }), true);
  } catch (error) {
    if (!(error instanceof MixedWait)) throw error;
    return endsOf(program, new Machine(program, model, SMALL, { spin: true }), true);
  }
}

const text = (all: ReadonlySet<string>): string => [...all].sort().join('; ');

function endsOf(program: Program, machine: Machine, isSearch: boolean): Ends {
  const states = new Set<string>();
  const strategy = isSearch ? new MachineDpor(machine, 'optimal') : new Enumerator(machine, 1000);
  const { errors, bounds } = explore(machine, strategy, {
    keepGoing: true,
    maxDepth: 60,
    maxExecutions: MAX_EXECUTIONS,
    onExecution: (_, outcome) => {
      if (outcome !== 'complete') return;
      const values = program.globals.flatMap(({ threadLocal }, global) => {
        if (threadLocal === true) return [];
        return [machine.global(global, 0, 4)[0]];
      });
      states.add(values.join(' '));
    },
  });
  const named = errors.map(({ error }) =>
    error.kind === 'assertion' ? `${error.kind}: ${error.message}` : error.kind,
  );
  return { errors: new Set(named), states, isCut: bounds.length > 0 };
}
