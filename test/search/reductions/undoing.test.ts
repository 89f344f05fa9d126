/**
 * Rounds that undo themselves (docs/decisions/0049-rounds-that-undo-themselves.md): the search finds the same final
 * states, errors and hangs as the graph of all states of a separate machine, which knows no rule about loops.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import type { Strategy } from '../../../src/explore/strategy.ts';
import { EndSearch } from '../../../src/machine/end-search.ts';
import type { Machine, MachineOptions } from '../../../src/machine/machine.ts';
import { Round } from '../../../src/machine/rest.ts';
import { UndoneRounds } from '../../../src/machine/run/undone-rounds.ts';
import type { Program } from '../../../src/program/ir.ts';
import { Prng } from '../../../src/util/prng.ts';
import { type CheckedModel, MODELS } from '../../support/c.ts';
import { finalStates } from '../../support/final-states.ts';
import { DEEP, QUICK, SEED, samples } from '../../support/tier.ts';
import { UndoingGenerator } from '../../support/undoing.ts';
import type { Waiting } from '../../support/waiting.ts';
import { buildWaiting, printIr, STYLES } from '../../support/waiting-ir.ts';
import { possible } from '../../support/waiting-oracle.ts';

const PROGRAMS = samples(150);
const MAX_STATES = 3000;
const LIMITED = { maxExecutions: 100, maxDepth: 60, maxSteps: 10_000, globals: /^x\d$/ };

interface Search {
  readonly make: (machine: Machine) => Strategy;
  readonly options: MachineOptions;
}

const SEARCHES: Readonly<Record<string, Search>> = {
  optimal: { make: (m) => new MachineDpor(m, 'optimal'), options: { awaits: true } },
  source: { make: (m) => new MachineDpor(m, 'source'), options: { awaits: true } },
  'optimal, reading': { make: (m) => new MachineDpor(m, 'optimal'), options: {} },
  enumerate: { make: (m) => new Enumerator(m, 300), options: {} },
};

interface Seen {
  compared: number;
  large: number;
  cut: number;
  searched: number;
  hanging: number;
  stuck: number;
  failing: number;
  right: number;
}

const nothing = (): Seen => ({
  compared: 0,
  large: 0,
  cut: 0,
  searched: 0,
  hanging: 0,
  stuck: 0,
  failing: 0,
  right: 0,
});

/** How the search and the graph of all states differ, if they do. */
function compare(
  waiting: Waiting,
  program: Program,
  model: CheckedModel,
  searches: readonly string[],
  seen: Seen,
): string | undefined {
  const all = possible(waiting, model, MAX_STATES, true);
  seen.compared++;
  if (all === undefined) {
    seen.large++;
    return undefined;
  }
  const kinds = new Set([...all.errors].map((error) => (error.includes('!=') ? 'assertion' : error)));
  if (kinds.size === 0) seen.right++;
  if (kinds.has('liveness')) seen.hanging++;
  if (kinds.has('deadlock')) seen.stuck++;
  if (kinds.has('assertion')) seen.failing++;
  const finals = [...all.finals].sort().join('; ');
  for (const name of searches) {
    const { make, options } = SEARCHES[name]!;
    const found = finalStates(program, model, make, options, LIMITED);
    seen.searched++;
    if (found === undefined) {
      seen.cut++;
      continue;
    }
    const memories = found.finals.map((text) =>
      text
        .split(' ')
        .map((word) => Number(word) & 0xffff)
        .join(' '),
    );
    const sorted = memories.sort().join('; ');
    // An error ends its execution, and may hide others.
    const hides = kinds.has('assertion') && found.errors.length > 0;
    const isRight = hides
      ? found.errors.every((kind) => kinds.has(kind)) && memories.every((memory) => all.finals.has(memory))
      : found.errors.join() === [...kinds].sort().join() && sorted === finals;
    if (!isRight)
      return `${name}, ${model}: found ${found.errors.join()} | ${sorted}, of ${[...kinds].join()} | ${finals}`;
  }
  return undefined;
}

function* programs(batch: number, count: number): Generator<readonly [Waiting, Program, () => string]> {
  const generator = new UndoingGenerator(new Prng(SEED, batch));
  for (let i = 0; i < count; i++) {
    const waiting = generator.program();
    const style = STYLES[(i * 7) % (STYLES.length + 6)] ?? 'registers';
    yield [
      waiting,
      buildWaiting(waiting, style),
      () => `${style}\n${JSON.stringify(waiting)}\n${printIr(waiting, style)}`,
    ];
  }
}

const seen = nothing();

it(`${PROGRAMS} programs end as in the graph of all states`, () => {
  const names = Object.keys(SEARCHES);
  let i = 0;
  for (const [waiting, program, print] of programs(0, PROGRAMS)) {
    MODELS.forEach((model, m) => {
      const searches = DEEP ? names : ['optimal', ...(i % MODELS.length === m ? names.slice(1) : [])];
      const difference = compare(waiting, program, model, searches, seen);
      if (difference !== undefined) expect.fail(`${difference}\n${print()}`);
    });
    i++;
  }
});

it.skipIf(QUICK)('most were small enough, and every kind occurred', () => {
  expect(seen.large, JSON.stringify(seen)).toBeLessThan(seen.compared / 20);
  expect(seen.cut, JSON.stringify(seen)).toBeLessThan(seen.searched / 2);
  for (const kind of ['hanging', 'right'] as const) expect(seen[kind]).toBeGreaterThan(seen.compared / 10);
  for (const kind of ['stuck', 'failing'] as const) expect(seen[kind]).toBeGreaterThan(seen.compared / 100);
});

describe('a wrong rule is caught', () => {
  afterEach(() => vi.restoreAllMocks());

  const catches = (): boolean => {
    for (const [waiting, program] of programs(1, 150))
      for (const model of MODELS)
        if (compare(waiting, program, model, ['optimal'], nothing()) !== undefined) return true;
    return false;
  };

  it('agrees while no rule is wrong', () => expect(catches()).toBe(false));

  it.each([
    ['a difference is left', 'sumIsZero', true],
    ['others have seen what the round undoes', 'isUnseen', true],
    ['others have tried to take the mutex', 'isUsed', false],
  ] as const)('a round counts as undone although %s', (_, method, answer) => {
    vi.spyOn(UndoneRounds.prototype as unknown as Record<typeof method, () => boolean>, method).mockReturnValue(answer);
    expect(catches()).toBe(true);
  });

  it('threads that sleep are judged one by one', () => {
    vi.spyOn(EndSearch.prototype, 'finds').mockReturnValue(false);
    expect(catches()).toBe(true);
  });

  it('threads that sleep always let each other go on', () => {
    vi.spyOn(EndSearch.prototype, 'finds').mockReturnValue(true);
    expect(catches()).toBe(true);
  });

  it('what rounds of others write does not matter', () => {
    vi.spyOn(Round.prototype, 'affects').mockReturnValue(false);
    expect(catches()).toBe(true);
  });
});
