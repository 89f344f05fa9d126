/**
 * Compare-exchanges that would fail because their thread read too early are not taken: fewer executions, with the same
 * final states and the same hangs. Counts of known programs are in `awaits.test.ts`.
 */
import { expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { Prng } from '../../../src/util/prng.ts';
import { compileC, MODELS } from '../../support/c.ts';
import { finalStates, type Limited } from '../../support/final-states.ts';
import { printRetrying, RetryingGenerator } from '../../support/retrying.ts';
import { DEEP, QUICK, SEED, samples } from '../../support/tier.ts';

const PROGRAMS = samples(8);
/** Programs in one translation unit. */
const BATCH = 8;
/** Larger programs run in the deep tier: most of the time goes into the few largest. */
const MAX_STATES = DEEP ? 30_000 : 5000;

const LIMITED: Limited = { maxExecutions: 5000, maxDepth: 300, globals: /^(x|y|kept)$/ };

const seen = { compared: 0, cut: 0, hanging: 0, saved: 0 };

it.each(Array.from({ length: PROGRAMS / BATCH }, (_, batch) => batch))(
  'programs have the same ends without early reads: batch %i',
  async (batch) => {
    const generator = new RetryingGenerator(new Prng(SEED, batch));
    const programs = Array.from({ length: BATCH }, () => generator.program());
    const source = printRetrying(programs);
    for (const [i, retrying] of programs.entries()) {
      const program = await compileC(source, { entry: `main_${i}` });
      let isCut = false;
      for (const model of MODELS) {
        seen.compared++;
        // A program too large under one model is not smaller under a weaker one.
        const all = isCut ? undefined : finalStates(program, model, (m) => new Enumerator(m, MAX_STATES), {}, LIMITED);
        if (all === undefined) {
          isCut = true;
          seen.cut++;
          continue;
        }
        const plain = finalStates(program, model, (m) => new MachineDpor(m, 'optimal'), {}, LIMITED);
        if (all.errors.length > 0) seen.hanging++;
        for (const mode of ['optimal', 'source'] as const) {
          const found = finalStates(program, model, (m) => new MachineDpor(m, mode), { awaits: true }, LIMITED);
          const what = `${mode}, ${model}\n${printRetrying([retrying])}`;
          if (found === undefined) {
            seen.cut++;
            continue;
          }
          expect([found.finals, found.errors], what).toEqual([all.finals, all.errors]);
          if (plain !== undefined && found.executions < plain.executions) seen.saved++;
        }
      }
    }
  },
);

it.skipIf(QUICK)('most were small enough', () => expect(seen.cut).toBeLessThan(seen.compared / (DEEP ? 10 : 4)));

it.runIf(DEEP)('every kind occurred', () => {
  for (const kind of ['hanging', 'saved'] as const) expect(seen[kind]).toBeGreaterThan(seen.compared / 50);
});
