/** Retrace beside the enumerator: the same traces, each exactly once. */
import fc from 'fast-check';
import { explore } from '../../src/explore/explore.ts';
import { Retrace } from '../../src/explore/retrace/retrace.ts';
import { ALL_RULES, type Rules } from '../../src/explore/retrace/reversals.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { Model } from '../../src/models/index.ts';
import { type FunctionBuilder, int, ProgramBuilder } from '../../src/program/builder.ts';
import type { AddressOperand, Program } from '../../src/program/ir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';
import { SKIPPED } from './for-all.ts';
import { visit } from './searches.ts';

interface Retraced {
  readonly traces: readonly string[];
  readonly errors: number;
  readonly bounds: readonly string[];
}

/** All executions that Retrace finds; at most `most`. */
export function retraced(program: Program, model: Model, most: number, rules: Rules = ALL_RULES): Retraced {
  const limits = program.roots.length === 1 ? { threads: 6 } : {};
  const machine = new Machine(program, model, limits, { patience: 1 });
  const traces: string[] = [];
  let errors = 0;
  const { bounds } = explore(machine, new Retrace(machine, true, rules), {
    keepGoing: true,
    maxExecutions: most,
    onExecution: (_, outcome) => {
      if (outcome === 'error') errors++;
      else traces.push(`${outcome} ${traceKey(machine)}`);
    },
  });
  return { traces, errors, bounds };
}

/** What is wrong, in words; `undefined` if nothing is, `SKIPPED` if the program is too large for the enumerator. */
export function disagreement(
  program: Program,
  model: Model,
  rules: Rules = ALL_RULES,
): string | typeof SKIPPED | undefined {
  const all = visit(program, model, 'enumerate');
  if (all.bounds.length > 0) return SKIPPED;
  const found = retraced(program, model, 3 * all.distinct.size + 100, rules);
  if (found.errors > 0 !== all.errors > 0) return `${model}: ${found.errors} errors, not ${all.errors}`;
  if (all.errors > 0) return undefined;
  if (found.bounds.length > 0) return `${model}: ${found.bounds.join()}`;
  const distinct = new Set(found.traces);
  const extra = [...distinct].filter((trace) => !all.distinct.has(trace)).length;
  const missed = all.distinct.size + extra - distinct.size;
  const twice = found.traces.length - distinct.size;
  if (extra + missed + twice === 0) return undefined;
  return `${model}: of ${all.distinct.size} traces, ${missed} missed, ${twice} found again; ${extra} are none`;
}

// ---- programs that wait for values

type WaitingOp =
  | { readonly op: 'await' | 'take'; readonly location: number; readonly value: number }
  | { readonly op: 'load'; readonly location: number }
  | { readonly op: 'add'; readonly location: number }
  | { readonly op: 'store'; readonly location: number; readonly value: number };

/** Threads that wait until a location has a value, some of which then replace it. */
export type WaitingSketch = readonly (readonly WaitingOp[])[];

const location = fc.nat(1);
const value = fc.integer({ min: 1, max: 2 });

export const waitingSketches: fc.Arbitrary<WaitingSketch> = fc.array(
  fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('await' as const, 'take' as const), location, value }) },
      {
        weight: 3,
        arbitrary: fc.oneof(
          fc.record({ op: fc.constant('load' as const), location }),
          fc.record({ op: fc.constant('add' as const), location }),
        ),
      },
      { weight: 4, arbitrary: fc.record({ op: fc.constant('store' as const), location, value }) },
    ),
    { minLength: 1, maxLength: 4 },
  ),
  { minLength: 2, maxLength: 4 },
);

export function printWaiting(sketch: WaitingSketch): string {
  return sketch.map((ops, thread) => `P${thread}: ${ops.map((op) => JSON.stringify(op)).join(' ')}`).join('\n');
}

export function buildWaiting(sketch: WaitingSketch): Program {
  const builder = new ProgramBuilder('waiting');
  const globals = [builder.global('x', 'i32'), builder.global('y', 'i32')];
  sketch.forEach((ops, thread) => {
    const func = builder.function(`P${thread}`);
    for (const [i, op] of ops.entries()) addWaiting(func, globals[op.location]!, op, i);
    func.return();
    builder.root(`P${thread}`, func);
  });
  return builder.build();
}

function addWaiting(func: FunctionBuilder, address: AddressOperand, op: WaitingOp, i: number): void {
  if (op.op === 'store') return func.store(address, int(op.value, 'i32'));
  const dest = func.register(`r${i}`, 'i32');
  if (op.op === 'load') return func.load(dest, address);
  if (op.op === 'add') return func.rmw('add', dest, address, int(1, 'i32'));
  func.add({
    op: 'await',
    dest,
    success: func.register(`s${i}`, 'i1'),
    address,
    predicate: 'eq',
    bound: int(op.value, 'i32'),
    operator: op.op === 'take' ? 'xchg' : 'none',
    value: int(0, 'i32'),
    order: 'seq_cst',
    blocks: true,
  });
}

// ---- accesses of several sizes to the same four bytes

interface OverlappingOp {
  readonly op: 'load' | 'store' | 'xchg';
  readonly type: 'i8' | 'i16' | 'i32';
  readonly offset: number;
}

/** Denser than `sizedSketches`: nearly all accesses overlap. */
export type OverlappingSketch = readonly (readonly OverlappingOp[])[];

const TYPES = { i8: 1, i16: 2, i32: 4 } as const;

export const overlappingSketches: fc.Arbitrary<OverlappingSketch> = fc.array(
  fc.array(
    fc
      .record({
        op: fc.constantFrom('load' as const, 'load' as const, 'store' as const, 'store' as const, 'xchg' as const),
        type: fc.constantFrom('i8' as const, 'i16' as const, 'i32' as const),
        offset: fc.nat(3),
      })
      .map((op) => ({ ...op, offset: op.offset - (op.offset % TYPES[op.type]) })),
    { minLength: 1, maxLength: 3 },
  ),
  { minLength: 3, maxLength: 4 },
);

export function printOverlapping(sketch: OverlappingSketch): string {
  return sketch
    .map((ops, thread) => `P${thread}: ${ops.map(({ op, type, offset }) => `${op} ${type} +${offset}`).join('; ')}`)
    .join('\n');
}

export function buildOverlapping(sketch: OverlappingSketch): Program {
  const builder = new ProgramBuilder('overlapping');
  const word = builder.global('x', 'i32') as Extract<AddressOperand, { kind: 'global' }>;
  sketch.forEach((ops, thread) => {
    const func = builder.function(`P${thread}`);
    for (const [i, { op, type, offset }] of ops.entries()) {
      const address = { ...word, offset };
      const number = int(1 + thread, type);
      if (op === 'store') func.store(address, number);
      else if (op === 'load') func.load(func.register(`r${i}`, type), address);
      else func.rmw('xchg', func.register(`r${i}`, type), address, number);
    }
    func.return();
    builder.root(`P${thread}`, func);
  });
  return builder.build();
}
