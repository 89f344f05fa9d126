/**
 * Waits and notifications of C++'s atomics on generated programs: whether a thread may wait for ever, compared with all
 * states of a small machine in which a wait that finds the old value blocks, `notify_one` wakes at least one of the
 * blocked threads whose value has been replaced, and any thread may wake up spuriously.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check } from '../../support/c.ts';
import { compileCxx } from '../../support/cxx.ts';
import { DEEP, SEED, samples } from '../../support/tier.ts';

interface Op {
  readonly kind: 'set' | 'wait' | 'one' | 'all';
  readonly object: number;
  /** The value stored, or the one whose change is awaited. */
  readonly value: number;
}
type Threads = readonly (readonly Op[])[];

const OBJECTS = 2;

const op: fc.Arbitrary<Op> = fc
  .tuple(fc.constantFrom('set', 'set', 'wait', 'wait', 'one', 'one', 'all'), fc.constantFrom(0, 0, 1), fc.nat(1))
  .map(([kind, object, value]) => ({ kind, object, value: kind === 'set' ? 2 - value : value }) as Op);
/** A typical use: a store followed by a notification. */
const telling = fc
  .tuple(fc.constantFrom('one', 'one', 'all'), fc.constantFrom(0, 0, 1), fc.nat(1))
  .map(([kind, object, value]): Op[] => [
    { kind: 'set', object, value: 2 - value },
    { kind: kind as 'one', object, value: 0 },
  ]);
const waiting = fc.constantFrom(0, 0, 1).map((object): Op[] => [{ kind: 'wait', object, value: 0 }]);
const thread = fc
  .array(
    fc.oneof(
      waiting,
      telling,
      op.map((o) => [o]),
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((parts) => parts.flat().slice(0, 3));
const threads: fc.Arbitrary<Threads> = fc.array(thread, { minLength: 2, maxLength: 3 });

function print({ kind, object, value }: Op): string {
  const name = 'ab'[object]!;
  if (kind === 'set') return `${name}.store(${value});`;
  if (kind === 'wait') return `${name}.wait(${value});`;
  return `${name}.notify_${kind}();`;
}

function printThreads(program: Threads): string {
  const begun = program.map((ops, i) => `std::thread t${i}([&] { ${ops.map(print).join(' ')} });`);
  // The objects are neighbours in one word.
  return `struct { std::atomic<char> a{0}, b{0}; } s; auto &a = s.a, &b = s.b; ${begun.join(' ')} ${program.map((_, i) => `t${i}.join();`).join(' ')}`;
}

interface State {
  readonly values: readonly number[];
  readonly next: readonly number[];
  readonly isBlocked: readonly boolean[];
}

/** Whether a state can be reached in which a thread is blocked and no other thread can take a step. */
function mayHang(program: Threads): boolean {
  const first: State = {
    values: Array(OBJECTS).fill(0),
    next: program.map(() => 0),
    isBlocked: program.map(() => false),
  };
  const seen = new Set<string>();
  const left = [first];
  const wake = (state: State, woken: readonly number[]): State => ({
    ...state,
    isBlocked: state.isBlocked.map((b, i) => b && !woken.includes(i)),
  });
  for (let state = left.pop(); state !== undefined; state = left.pop()) {
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    seen.add(key);
    const { values, next, isBlocked } = state;
    let canRun = false;
    let waits = false;
    for (const [i, ops] of program.entries()) {
      const o = ops[next[i]!];
      if (isBlocked[i]) {
        waits = true;
        left.push(wake(state, [i]));
      }
      if (o === undefined || isBlocked[i]) continue;
      canRun = true;
      const after: State = { ...state, next: next.map((n, j) => (j === i ? n + 1 : n)) };
      const asleep = program.flatMap((other, j) => (isBlocked[j] && other[next[j]!]!.object === o.object ? [j] : []));
      if (o.kind === 'set') left.push({ ...after, values: values.map((v, j) => (j === o.object ? o.value : v)) });
      else if (o.kind === 'wait' && values[o.object] === o.value)
        left.push({ ...state, isBlocked: isBlocked.map((b, j) => b || j === i) });
      else if (o.kind === 'all') left.push(wake(after, asleep));
      else {
        const eligible = asleep.filter((j) => program[j]![next[j]!]!.value !== values[o.object]);
        if (o.kind === 'one' && eligible.length > 0) for (const j of eligible) left.push(wake(after, [j]));
        else left.push(after);
      }
    }
    if (waits && !canRun) return true;
  }
  return false;
}

it('who may wait for ever does', async () => {
  const programs = fc.sample(threads, { numRuns: samples(15), seed: SEED });
  const functions = programs.map((program, i) => `extern "C" void p${i}() { ${printThreads(program)} }`);
  const source = `#include <atomic>\n#include <thread>\n${functions.join('\n')}\nint main() {}\n`;
  let hanging = 0;
  for (const [i, program] of programs.entries()) {
    const compiled = await compileCxx(source, { entry: `p${i}`, standard: 'c++20' });
    const wanted = mayHang(program);
    if (wanted) hanging++;
    // Every other program is checked with graphs, the others with executions.
    const models = DEEP ? (['sc', 'pso', 'rc11'] as const) : i % 2 === 0 ? (['pso'] as const) : (['rc11'] as const);
    for (const model of models) {
      const { errors, bounds } = check(compiled, model, { strategy: 'optimal', spin: true });
      expect([functions[i], model, errors.length > 0, bounds]).toEqual([functions[i], model, wanted, []]);
    }
  }
  // Both answers must occur.
  expect(Math.min(hanging, programs.length - hanging)).toBeGreaterThan(programs.length / 8);
});
