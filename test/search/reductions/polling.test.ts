/**
 * Threads that poll, in rounds that write and come back to the state before (decisions 46 and 49 in docs/decisions):
 * the same final states, errors and hangs as the graph of all states, which needs no rule about loops.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Recurrence } from '../../../src/machine/run/recurrence.ts';
import type { Program } from '../../../src/program/ir.ts';
import { Prng } from '../../../src/util/prng.ts';
import { compileC, MODELS } from '../../support/c.ts';
import { PollingGenerator, printPolling, type Writes } from '../../support/polling.ts';
import { comparePolling } from '../../support/polling-comparison.ts';
import { QUICK, SEED, samples } from '../../support/tier.ts';

/** Programs in one translation unit. */
const BATCH = 25;

const KINDS: readonly (readonly Writes[])[] = [['private'], ['undone', 'private'], ['locked', 'private']];

async function programsOf(batch: number, kinds: readonly Writes[]): Promise<(readonly [Program, string])[]> {
  const generator = new PollingGenerator(new Prng(SEED, batch), kinds);
  const programs = Array.from({ length: BATCH }, () => generator.program());
  const source = printPolling(programs);
  return Promise.all(
    programs.map(async (one, i) => [await compileC(source, { entry: `main_${i}` }), printPolling([one])] as const),
  );
}

describe.each(KINDS)('rounds with writes that are %s', (...kinds) => {
  const seen = { compared: 0, oracle: 0, search: 0, hanging: 0, failing: 0 };

  it.each(Array.from({ length: samples(2) }, (_, batch) => batch))('have the same ends: batch %i', async (batch) => {
    for (const [program, text] of await programsOf(batch, kinds)) {
      for (const model of MODELS) {
        const { difference, cut, errors } = comparePolling(program, model);
        seen.compared++;
        if (cut !== undefined) seen[cut]++;
        expect(difference, `${model}\n${text}`).toBe(undefined);
        if (errors.includes('liveness')) seen.hanging++;
        if (errors.includes('assertion')) seen.failing++;
      }
    }
  });

  it.skipIf(QUICK)('most were small enough, and every kind occurred', () => {
    expect(seen.oracle, JSON.stringify(seen)).toBeLessThan(seen.compared / 4);
    expect(seen.search, JSON.stringify(seen)).toBeLessThan(seen.compared / 4);
    for (const kind of ['hanging', 'failing'] as const) expect(seen[kind], kind).toBeGreaterThan(seen.compared / 25);
  });
});

describe('a wrong rule is caught', () => {
  afterEach(() => vi.restoreAllMocks());

  async function catches(kinds: readonly Writes[], batches: number): Promise<boolean> {
    for (let batch = 0; batch < batches; batch++) {
      for (const [program] of await programsOf(batch, kinds))
        for (const model of MODELS) if (comparePolling(program, model).difference !== undefined) return true;
    }
    return false;
  }

  it('private memory that changed counts as unchanged', async () => {
    vi.spyOn(Recurrence.prototype, 'isAsAt').mockReturnValue(true);
    expect(await catches(['private'], 4)).toBe(true);
  });

  it('the first change of a round is overlooked', async () => {
    const right = Recurrence.prototype.isAsAt;
    vi.spyOn(Recurrence.prototype, 'isAsAt').mockImplementation(function (this: Recurrence, thread, pokes) {
      if (right.call(this, thread, pokes)) return true;
      try {
        return right.call(this, thread, pokes + 2);
      } catch {
        // There was only one.
        return true;
      }
    });
    expect(await catches(['private'], 4)).toBe(true);
  });
});
