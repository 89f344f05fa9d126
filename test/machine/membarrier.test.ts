/**
 * membarrier against a separate simulator: each other thread is interrupted once, at any time during the call, and an
 * interrupted thread waits until its buffer is empty.
 */
import { expect, it } from 'vitest';
import { Enumerator } from '../../src/explore/enumerator.ts';
import { explore } from '../../src/explore/explore.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type FunctionBuilder, int, ProgramBuilder, reg } from '../../src/program/builder.ts';
import type { AddressOperand, Program } from '../../src/program/ir.ts';
import { Prng } from '../../src/util/prng.ts';

type Op = { readonly store: number } | { readonly load: number } | 'membarrier';
type Threads = readonly (readonly Op[])[];

function programOf(threads: Threads): Program {
  const p = new ProgramBuilder('membarrier');
  const places = [p.global('x', 'i32'), p.global('y', 'i32'), p.global('z', 'i32')];
  threads.forEach((ops, t) => {
    const record = p.global(`record${t}`, 'i32', [], 16);
    const f = p.function(`P${t}`);
    ops.forEach((op, i) => {
      if (op === 'membarrier') barrier(f, record);
      else if ('store' in op) f.store(places[op.store]!, int(1), 'relaxed');
      else f.load(f.register(`r${i}`, 'i32'), places[op.load]!, 'relaxed');
    });
    f.return();
    p.root(`P${t}`, f);
  });
  return p.build();
}

function barrier(f: FunctionBuilder, record: AddressOperand): void {
  const missing = f.register('missing', 'i32');
  const [test, again, done] = [f.block('test'), f.block('again'), f.block('done')];
  f.fence('seq_cst');
  f.add({ op: 'drain', dest: missing, record, isFirst: true });
  f.jump(test);
  f.startBlock(test);
  const isMissing = f.register('isMissing', 'i1');
  f.compare('ne', isMissing, reg(missing), int(0));
  f.branch(reg(isMissing), again, done);
  f.startBlock(again);
  f.add({ op: 'drain', dest: missing, record, isFirst: false });
  f.jump(test);
  f.startBlock(done);
}

function found(threads: Threads, model: 'tso' | 'pso' | 'sc'): readonly string[] {
  const machine = new Machine(programOf(threads), model, {}, { spin: true });
  const seen = new Set<string>();
  const result = explore(machine, new Enumerator(machine, 1_000_000), {
    keepGoing: true,
    onExecution: (_, outcome) => {
      expect(outcome).toBe('complete');
      const values = threads.map((ops, t) => {
        const { registers } = machine.program.functions[machine.program.roots[t]!.function]!;
        return ops
          .map((_, i) => registers.findIndex(({ name }) => name === `r${i}`))
          .map((r) => (r < 0 ? '' : machine.register(t, r)[0]));
      });
      seen.add(JSON.stringify(values));
    },
  });
  expect(result.boundedBy).toEqual([]);
  return [...seen].sort();
}

interface State {
  readonly pcs: readonly number[];
  readonly memory: readonly number[];
  /** Per thread: the places of its waiting stores, oldest first. */
  readonly buffers: readonly (readonly number[])[];
  readonly values: readonly (readonly (number | string)[])[];
  /** Per thread in a barrier: the threads that have yet to be interrupted. */
  readonly calls: readonly (readonly number[] | undefined)[];
}

function simulated(threads: Threads, model: 'tso' | 'pso'): readonly string[] {
  const seen = new Set<string>();
  const results = new Set<string>();
  const visit = (s: State): void => {
    const key = JSON.stringify(s);
    if (seen.has(key)) return;
    seen.add(key);
    const set = <T>(list: readonly T[], at: number, value: T): T[] => list.map((old, i) => (i === at ? value : old));
    threads.forEach((ops, t) => {
      const buffer = s.buffers[t]!;
      buffer.forEach((place, i) => {
        if (model === 'tso' ? i > 0 : buffer.indexOf(place) < i) return;
        visit({
          ...s,
          memory: set(s.memory, place, 1),
          buffers: set(
            s.buffers,
            t,
            buffer.filter((_, j) => j !== i),
          ),
        });
      });
      const call = s.calls[t];
      if (call !== undefined) {
        for (const other of call) {
          if (s.buffers[other]!.length > 0) continue;
          visit({
            ...s,
            calls: set(
              s.calls,
              t,
              call.filter((x) => x !== other),
            ),
          });
        }
        if (call.length === 0) visit({ ...s, calls: set(s.calls, t, undefined), pcs: set(s.pcs, t, s.pcs[t]! + 1) });
        return;
      }
      const op = ops[s.pcs[t]!];
      if (op === undefined) return;
      const pcs = set(s.pcs, t, s.pcs[t]! + 1);
      if (op === 'membarrier') {
        if (buffer.length === 0)
          visit({
            ...s,
            calls: set(
              s.calls,
              t,
              threads.map((_, i) => i).filter((i) => i !== t),
            ),
          });
      } else if ('store' in op) visit({ ...s, pcs, buffers: set(s.buffers, t, [...buffer, op.store]) });
      else {
        const value = buffer.includes(op.load) ? 1 : s.memory[op.load]!;
        visit({ ...s, pcs, values: set(s.values, t, set(s.values[t]!, s.pcs[t]!, value)) });
      }
    });
    if (s.pcs.every((pc, t) => pc === threads[t]!.length)) results.add(JSON.stringify(s.values));
  };
  visit({
    pcs: threads.map(() => 0),
    memory: [0, 0, 0],
    buffers: threads.map(() => []),
    values: threads.map((ops) => ops.map(() => '')),
    calls: threads.map(() => undefined),
  });
  return [...results].sort();
}

it('random programs have the results of the simulator', () => {
  const prng = new Prng(7);
  let restricted = 0;
  for (let i = 0; i < 25; i++) {
    const count = 2 + prng.below(2);
    const threads: Op[][] = Array.from({ length: count }, () =>
      Array.from({ length: 1 + prng.below(count === 2 ? 4 : 3) }, (): Op => {
        const kind = prng.below(5);
        const place = prng.below(count);
        return kind === 0 ? 'membarrier' : kind < 3 ? { store: place } : { load: place };
      }),
    );
    for (const model of ['tso', 'pso'] as const) {
      const expected = simulated(threads, model);
      expect(found(threads, model), `${JSON.stringify(threads)} under ${model}`).toEqual(expected);
      const without = threads.map((ops) => ops.map((op): Op => (op === 'membarrier' ? { load: 2 } : op)));
      if (simulated(without, model).length > expected.length) restricted++;
    }
  }
  expect(restricted).toBeGreaterThan(3);
});

it('the threads have their fences one after the other, not all at once', () => {
  // g is x: P0 writes it before its barrier; P2's y waits from then on; P1's z is issued before y reaches memory.
  const threads: Threads = [
    [{ store: 0 }, 'membarrier', { load: 2 }],
    [{ store: 2 }, { load: 1 }],
    [{ store: 1 }, { load: 0 }],
  ];
  const all = [
    ['', '', 0],
    ['', 0],
    ['', 0],
  ];
  expect(found(threads, 'tso')).toContain(JSON.stringify(all));
  expect(simulated(threads, 'tso')).toContain(JSON.stringify(all));
});
