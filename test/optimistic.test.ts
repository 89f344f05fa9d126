/**
 * Optimistic reads, as in a seqlock, are never in vain (docs/decisions/0045-optimistic-reads.md): fewer executions, the same final
 * states, errors and hangs as the enumerator without any of this; and the same traces as the enumerator that keeps writers
 * waiting, each once.
 */
import { expect, it } from 'vitest';
import { MachineDpor } from '../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../src/explore/enumerator.ts';
import type { Machine } from '../src/machine/machine.ts';
import { traceKey } from '../src/trace/trace-key.ts';
import { Prng } from '../src/util/prng.ts';
import { MODELS } from './support/c.ts';
import { finalStates, type Limited } from './support/final-states.ts';
import { buildOptimistic, OptimisticGenerator } from './support/optimistic.ts';
import { SEED, samples } from './support/tier.ts';

const PROGRAMS = samples(200);
const BATCH = 20;
const MAX_STATES = 3000;
const LIMITED: Limited = { maxExecutions: 600, maxDepth: 80, globals: /./ };

const seen = { compared: 0, cut: 0, checked: 0, refused: 0, traces: 0, saved: 0, clean: 0, failing: 0, hanging: 0 };

it.each(Array.from({ length: PROGRAMS / BATCH }, (_, batch) => batch))('batch %i', (batch) => {
  const generator = new OptimisticGenerator(new Prng(SEED, batch));
  for (let i = 0; i < BATCH; i++) {
    const optimistic = generator.program();
    const program = buildOptimistic(optimistic);
    for (const model of MODELS) {
      seen.compared++;
      const all = finalStates(program, model, (m) => new Enumerator(m, MAX_STATES), {}, LIMITED);
      if (all === undefined) {
        seen.cut++;
        continue;
      }
      if (all.errors.includes('assertion')) seen.failing++;
      if (all.errors.includes('liveness')) seen.hanging++;
      const what = (mode: string): string => `${mode}, ${model}\n${JSON.stringify(optimistic)}`;
      const without = { awaits: true, optimistic: false };
      const plain = finalStates(program, model, (m) => new MachineDpor(m, 'optimal'), without, LIMITED);
      for (const mode of ['optimal', 'source'] as const) {
        const keys: string[] = [];
        const noting = { ...LIMITED, onComplete: (m: Machine) => keys.push(traceKey(m)) };
        const found = finalStates(program, model, (m) => new MachineDpor(m, mode), { awaits: true }, noting);
        // A stamp may come back; then the search does without.
        if (found === undefined) {
          seen.refused++;
          continue;
        }
        seen.checked++;
        // After an error, DPOR does not explore what other threads would have done.
        const isRight = all.errors.every((kind) => kind === 'liveness');
        if (isRight) expect([found.finals, found.errors], what(mode)).toEqual([all.finals, all.errors]);
        else {
          expect(found.errors.length, what(mode)).toBeGreaterThan(0);
          expect(all.errors, what(mode)).toEqual(expect.arrayContaining([...found.errors]));
          continue;
        }
        if (plain !== undefined) {
          expect(found.executions, what(mode)).toBeLessThanOrEqual(plain.executions);
          if (found.blocked < plain.blocked) seen.saved++;
          if (found.blocked === 0 && plain.blocked > 0) seen.clean++;
        }
        const traces = new Set<string>();
        const enumerated = finalStates(
          program,
          model,
          (m) => new Enumerator(m, MAX_STATES),
          { awaits: true },
          {
            ...LIMITED,
            onComplete: (m) => traces.add(traceKey(m)),
          },
        );
        if (enumerated === undefined) continue;
        seen.traces++;
        expect([...new Set(keys)].sort(), what(mode)).toEqual([...traces].sort());
        if (mode === 'optimal') expect(keys.length, what(mode)).toBe(traces.size);
      }
    }
  }
});

it('most were small enough, and every kind occurred', () => {
  console.log(seen);
  expect(seen.cut).toBeLessThan(seen.compared / 6);
  expect(seen.checked).toBeGreaterThan(seen.compared);
  for (const kind of ['saved', 'clean', 'failing', 'hanging', 'traces'] as const)
    expect(seen[kind]).toBeGreaterThan(seen.compared / 50);
});
