/**
 * Threads that pause while they wait, in C++ (`support/pausing.ts`; docs/decisions/0047-pauses.md): the search of the
 * program without its pauses finds the same final states, errors and hangs as the graph of all states of the program as
 * written.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Addresses } from '../../src/program/addresses.ts';
import type { Program } from '../../src/program/ir.ts';
import { RULES, type Rules } from '../../src/program/pauses.ts';
import { Prng } from '../../src/util/prng.ts';
import { type CheckedModel, forgetPrograms, MODELS } from '../support/c.ts';
import { compileCxx } from '../support/cxx.ts';
import { PausingGenerator, printPausing } from '../support/pausing.ts';
import { type Compared, comparePolling } from '../support/polling-comparison.ts';
import { QUICK, SEED, samples } from '../support/tier.ts';

/** Programs in one translation unit. */
const BATCH = 25;

interface Case {
  readonly program: Program;
  readonly asWritten: Program;
  readonly text: string;
}

function casesOf(batch: number): Promise<readonly Case[]> {
  const generator = new PausingGenerator(new Prng(SEED, batch), 3);
  const programs = Array.from({ length: BATCH }, () => generator.program());
  const source = printPausing(programs);
  return Promise.all(
    programs.map(async (one, i) => {
      const entry = `main_${i}`;
      const program = await compileCxx(source, { entry, uninitialised: true });
      return {
        program,
        asWritten: await compileCxx(source, { entry, uninitialised: true, asWritten: true }),
        text: printPausing([one]),
      };
    }),
  );
}

const seen = { compared: 0, oracle: 0, search: 0, liveness: 0, assertion: 0, uninitialised: 0 };

function compare({ program, asWritten }: Case, model: CheckedModel): Compared {
  const compared = comparePolling(program, model, {}, asWritten);
  // Where a counter has no limit, or time is counted, only the program without it is small enough.
  return compared.cut === 'oracle' ? comparePolling(program, model) : compared;
}

it.each(Array.from({ length: samples(2) }, (_, batch) => batch))(
  'programs have the same ends without their pauses: batch %i',
  async (batch) => {
    for (const [i, one] of (await casesOf(batch)).entries()) {
      const model = MODELS[i % MODELS.length]!;
      const { difference, cut, errors } = compare(one, model);
      seen.compared++;
      if (cut !== undefined) seen[cut]++;
      expect(difference, `${model}\n${one.text}`).toBe(undefined);
      for (const kind of ['liveness', 'assertion', 'uninitialised'] as const) if (errors.includes(kind)) seen[kind]++;
    }
  },
);

it.skipIf(QUICK)('most were small enough, and every kind occurred', () => {
  const text = JSON.stringify(seen);
  expect(seen.oracle, text).toBeLessThan(seen.compared / 4);
  expect(seen.search, text).toBeLessThan(seen.compared / 4);
  for (const kind of ['liveness', 'assertion'] as const) expect(seen[kind], text).toBeGreaterThan(seen.compared / 25);
  expect(seen.uninitialised, text).toBeGreaterThan(0);
});

describe('a wrong rule is caught', () => {
  beforeEach(forgetPrograms);
  afterEach(() => {
    vi.restoreAllMocks();
    forgetPrograms();
  });

  async function isCaught(batches = 8): Promise<boolean> {
    for (let batch = 0; batch < batches; batch++) {
      for (const [i, one] of (await casesOf(batch)).entries())
        if (compare(one, MODELS[i % MODELS.length]!).difference !== undefined) return true;
    }
    return false;
  }

  it.each<[string, Partial<Rules>]>([
    ['nothing is undefined', { hasUndefined: () => false }],
    ['a store is not observed', { isObserved: ({ op }) => op !== 'store' }],
    ['an assertion is not observed', { isObserved: ({ op }) => op !== 'assert' }],
    ['no thread-local variable is observed', { isObserved: ({ op }) => op !== 'poke' }],
  ])('%s', async (_, wrong) => {
    for (const [name, rule] of Object.entries(wrong))
      vi.spyOn(RULES, name as 'endsSurely').mockImplementation(rule as () => boolean);
    expect(await isCaught()).toBe(true);
  });

  it('no address gets away', async () => {
    vi.spyOn(Addresses.prototype, 'escapes').mockReturnValue(false);
    expect(await isCaught()).toBe(true);
  });
});
