/**
 * Compare-exchanges that would fail because their thread read too early are not taken: fewer executions, the same final
 * states, and the same hangs. Counts of known programs are in `awaits.test.ts`.
 */
import { expect, it } from 'vitest';
import { MachineDpor } from '../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../src/explore/enumerator.ts';
import { explore } from '../src/explore/explore.ts';
import type { Strategy } from '../src/explore/strategy.ts';
import { Machine } from '../src/machine/machine.ts';
import type { Program } from '../src/program/ir.ts';
import { Prng } from '../src/util/prng.ts';
import { type CheckedModel, compileC, MODELS } from './support/c.ts';
import { printRetrying, RetryingGenerator } from './support/retrying.ts';
import { SEED, samples } from './support/tier.ts';

const PROGRAMS = samples(16);
/** Programs in one translation unit. */
const BATCH = 16;
const MAX_STATES = 30_000;
const MAX_EXECUTIONS = 5000;
const MAX_DEPTH = 300;

interface Found {
  readonly finals: readonly string[];
  readonly errors: readonly string[];
  readonly executions: number;
}

/** `undefined` if there is too much of it. */
function search(
  program: Program,
  model: CheckedModel,
  make: (machine: Machine) => Strategy,
  awaits: boolean,
): Found | undefined {
  const machine = new Machine(program, model, {}, { spin: true, awaits });
  const finals = new Set<string>();
  let executions = 0;
  const { bounds, errors } = explore(machine, make(machine), {
    keepGoing: true,
    maxDepth: MAX_DEPTH,
    maxExecutions: MAX_EXECUTIONS,
    onExecution: (_, outcome) => {
      if (outcome !== 'complete') return;
      executions++;
      // Those that the program does not mention are not there.
      const values = program.globals.flatMap(({ name, size }, index) =>
        /^(x|y|kept)$/.test(name) ? words(size).map((offset) => machine.global(index, offset, 4)[0]) : [],
      );
      finals.add(values.join(' '));
    },
  });
  if (bounds.length > 0) return undefined;
  const kinds = errors.map(({ error }) => error.kind);
  return { finals: [...finals].sort(), errors: [...new Set(kinds)].sort(), executions };
}

function words(size: number): readonly number[] {
  return Array.from({ length: size / 4 }, (_, i) => 4 * i);
}

const seen = { compared: 0, cut: 0, hanging: 0, saved: 0 };

it.each(Array.from({ length: PROGRAMS / BATCH }, (_, batch) => batch))('batch %i', async (batch) => {
  const generator = new RetryingGenerator(new Prng(SEED, batch));
  const programs = Array.from({ length: BATCH }, () => generator.program());
  const source = printRetrying(programs);
  for (const [i, retrying] of programs.entries()) {
    const program = await compileC(source, { entry: `main_${i}` });
    for (const model of MODELS) {
      seen.compared++;
      const all = search(program, model, (m) => new Enumerator(m, MAX_STATES), false);
      const plain = search(program, model, (m) => new MachineDpor(m, 'optimal'), false);
      if (all === undefined) {
        seen.cut++;
        continue;
      }
      if (all.errors.length > 0) seen.hanging++;
      for (const mode of ['optimal', 'source'] as const) {
        const found = search(program, model, (m) => new MachineDpor(m, mode), true);
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
});

it('most were small enough, and every kind occurred', () => {
  expect(seen.cut).toBeLessThan(seen.compared / 10);
  for (const kind of ['hanging', 'saved'] as const) expect(seen[kind]).toBeGreaterThan(seen.compared / 50);
});
