/**
 * Threads that prepare a node anew, after a compare-exchange that failed to publish it, do not: fewer executions, the same
 * final states and the same errors (docs/decisions/0028-retries.md).
 */
import { expect, it } from 'vitest';
import { MachineDpor } from '../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../src/explore/enumerator.ts';
import { explore } from '../src/explore/explore.ts';
import type { Strategy } from '../src/explore/strategy.ts';
import { Machine, type MachineOptions } from '../src/machine/machine.ts';
import type { Program } from '../src/program/ir.ts';
import { MixedWait } from '../src/trace/wait-order.ts';
import { Prng } from '../src/util/prng.ts';
import { type CheckedModel, compileC, MODELS } from './support/c.ts';
import { PublishingGenerator, printPublishing } from './support/publishing.ts';
import { SEED, samples } from './support/tier.ts';

const PROGRAMS = samples(32);
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

/** `undefined` if there is too much of it, or threads must read. */
function search(
  program: Program,
  model: CheckedModel,
  make: (machine: Machine) => Strategy,
  options: MachineOptions,
): Found | undefined {
  const machine = new Machine(program, model, {}, { spin: true, ...options });
  const finals = new Set<string>();
  let executions = 0;
  try {
    const { bounds, errors } = explore(machine, make(machine), {
      keepGoing: true,
      maxDepth: MAX_DEPTH,
      maxExecutions: MAX_EXECUTIONS,
      onExecution: (_, outcome) => {
        if (outcome !== 'complete') return;
        executions++;
        const values = program.globals.flatMap(({ name, size }, index) =>
          /^(x|y|kept|top|box)$/.test(name) ? words(size).map((offset) => machine.global(index, offset, 4)[0]) : [],
        );
        finals.add(values.join(' '));
      },
    });
    if (bounds.length > 0) return undefined;
    const kinds = errors.map(({ error }) => error.kind);
    return { finals: [...finals].sort(), errors: [...new Set(kinds)].sort(), executions };
  } catch (error) {
    if (error instanceof MixedWait) return undefined;
    throw error;
  }
}

function words(size: number): readonly number[] {
  return Array.from({ length: size / 4 }, (_, i) => 4 * i);
}

const seen = { compared: 0, cut: 0, saved: 0 };

it.each(Array.from({ length: PROGRAMS / BATCH }, (_, batch) => batch))('batch %i', async (batch) => {
  const generator = new PublishingGenerator(new Prng(SEED, batch));
  const programs = Array.from({ length: BATCH }, () => generator.program());
  const source = printPublishing(programs);
  for (const [i, publishing] of programs.entries()) {
    const program = await compileC(source, { entry: `main_${i}` });
    for (const model of MODELS) {
      seen.compared++;
      const all = search(program, model, (m) => new Enumerator(m, MAX_STATES), {});
      const plain = search(program, model, (m) => new MachineDpor(m, 'optimal'), { awaits: true, retries: false });
      if (all === undefined) {
        seen.cut++;
        continue;
      }
      for (const mode of ['optimal', 'source'] as const) {
        const found = search(program, model, (m) => new MachineDpor(m, mode), { awaits: true });
        const what = `${mode}, ${model}\n${printPublishing([publishing])}`;
        if (found === undefined) continue;
        expect([found.finals, found.errors], what).toEqual([all.finals, all.errors]);
        if (plain === undefined) continue;
        expect(found.executions, what).toBeLessThanOrEqual(plain.executions);
        if (found.executions < plain.executions) seen.saved++;
      }
    }
  }
});

it('most were small enough, and some were saved', () => {
  expect(seen.cut).toBeLessThan(seen.compared / 5);
  expect(seen.saved).toBeGreaterThan(seen.compared / 20);
});
