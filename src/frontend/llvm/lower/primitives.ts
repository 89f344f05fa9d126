/**
 * Functions without a definition that the machine executes: the primitives of our library (`__fencepost_…`) and
 * SV-COMP's `__VERIFIER_…`. Any other undefined function is refused.
 */
import { constant, reg } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import {
  ELEMENTARY_FUNCTIONS,
  type Predicate,
  type RmwOperator,
  type UnaryOperator,
} from '../../../program/operators.ts';
import { bitsOf, isFloat, type Order, type Type } from '../../../program/types.ts';
import { MAX_CHOICES } from '../../../program/validate-instruction.ts';
import type { Call } from './call.ts';
import type { FunctionContext } from './function-context.ts';
import { lowerNondet } from './nondet.ts';

type Lowering = (into: FunctionContext, i: Call) => void;

const FALSE = constant('i1', 0);

function argument(into: FunctionContext, i: Call, index: number, type: Type | 'any' = 'i32'): Operand {
  const found = i.arguments[index];
  if (found === undefined) return into.fail('too few arguments');
  const scalar = into.scalar(found.type);
  // Addresses and sizes in 64-bit programs.
  if (type === 'i32' && scalar === 'i64' && into.pointer === 'i64') return into.address(found.value);
  if (type !== 'any' && scalar !== type) into.fail('the declared parameter type does not match; fix the declaration');
  return into.operand(found.value, found.type);
}

/** Lowers an operation that puts an address, or another `i32`, into a register. */
function makes(into: FunctionContext, i: Call, operation: (dest: Dest) => void): void {
  if (into.scalar(i.type) === 'i64') into.definePointer(i.result, operation);
  else operation(into.result(i, 'i32'));
}

/** The first argument, an int, as a condition. */
function condition(into: FunctionContext, i: Call): Operand {
  const { value, type } = i.arguments[0] ?? into.fail('an argument is missing');
  const scalar = into.scalar(type);
  if (isFloat(scalar)) into.fail('this function takes an int; fix its declaration');
  if (scalar === 'i1') return into.operand(value, type);
  const dest = into.temporary('i1');
  into.builder.compare('ne', dest, into.operand(value, type), constant(scalar, scalar === 'i64' ? 0n : 0));
  return reg(dest);
}

/** Reports an error; nothing after it runs. */
function stop(message: (into: FunctionContext, i: Call) => string): Lowering {
  return (into, i) => into.builder.assert(FALSE, message(into, i));
}

function choose(count: number): Lowering {
  return (into, i) => {
    const type = into.scalar(i.type);
    const bits = into.temporary('i32');
    into.builder.choose(bits, count);
    if (type === 'i32') into.builder.move(into.result(i, type), bits);
    else into.builder.cast(bitsOf(type) > 32 ? 'zext' : 'trunc', into.result(i, type), bits);
  };
}

function drain(isFirst: boolean): Lowering {
  return (into, i) =>
    into.builder.add({ op: 'drain', dest: into.result(i, 'i32'), record: argument(into, i, 0), isFirst });
}

function unary(operator: UnaryOperator): Lowering {
  return (into, i) => into.builder.unary(operator, into.result(i, 'f64'), argument(into, i, 0, 'f64'));
}

/** `await_slt_add_acquire`: waits until the object is less than a bound, then adds to it. */
const AWAIT = /^__fencepost_(await|try)_([a-z]+)_([a-z]+)_([a-z_]+)$/;

function lowerAwait(into: FunctionContext, i: Call, [, how, predicate, operator, order]: readonly string[]): void {
  into.builder.add({
    op: 'await',
    dest: into.result(i, 'i32'),
    success: into.temporary('i1'),
    address: argument(into, i, 0),
    predicate: predicate as Predicate,
    bound: argument(into, i, 1),
    operator: operator as RmwOperator,
    value: argument(into, i, 2),
    order: order as Order,
    blocks: how === 'await',
  });
}

const primitives: Readonly<Record<string, Lowering>> = {
  __fencepost_spawn(into, i) {
    const start = argument(into, i, 0);
    const args = i.arguments.slice(1).map((_, index) => argument(into, i, index + 1, 'any'));
    into.builder.spawn(into.result(i, 'i32'), start, args);
  },
  __fencepost_join(into, i) {
    into.builder.join(argument(into, i, 0), into.result(i, into.pointer));
  },
  __fencepost_result_kind(into, i) {
    into.builder.call(into.result(i, 'i32'), into.program.resultKind(), [argument(into, i, 0)]);
  },
  __fencepost_detach(into, i) {
    into.builder.add({ op: 'detach', thread: argument(into, i, 0) });
  },
  __fencepost_self(into, i) {
    into.builder.add({ op: 'self', dest: into.result(i, 'i32') });
  },
  __fencepost_next_handle(into, i) {
    into.builder.add({ op: 'self', dest: into.result(i, 'i32'), what: 'next' });
  },
  __fencepost_is_detached(into, i) {
    into.builder.add({ op: 'self', dest: into.result(i, 'i32'), what: 'detached' });
  },
  __fencepost_lock(into, i) {
    into.builder.lock(argument(into, i, 0));
  },
  __fencepost_trylock(into, i) {
    const taken = into.temporary('i1');
    into.builder.trylock(taken, argument(into, i, 0));
    into.builder.cast('zext', into.result(i, 'i32'), taken);
  },
  __fencepost_unlock(into, i) {
    into.builder.unlock(argument(into, i, 0));
  },
  __fencepost_wait(into, i) {
    into.builder.wait(argument(into, i, 0), argument(into, i, 1));
  },
  __fencepost_timedwait(into, i) {
    const timedOut = into.temporary('i1');
    into.builder.add({ op: 'wait', condition: argument(into, i, 0), mutex: argument(into, i, 1), timedOut });
    into.builder.cast('zext', into.result(i, 'i32'), timedOut);
  },
  __fencepost_destroy(into, i) {
    into.builder.add({ op: 'destroy', object: argument(into, i, 0) });
  },
  __fencepost_notice(into, i) {
    into.builder.add({
      ...{ op: 'rmw', operator: 'xchg', dest: into.temporary('i32'), isStore: true, order: 'release' },
      ...{ address: argument(into, i, 0), value: argument(into, i, 1) },
    });
  },
  __fencepost_platform_fence(into) {
    const { isLinux } = into.program;
    into.builder.add({ op: 'fence', order: 'seq_cst', ...(isLinux ? {} : { ofMachine: true }) });
  },
  __fencepost_drain_first: drain(true),
  __fencepost_drain: drain(false),
  __fencepost_init(into, i) {
    into.builder.add({ op: 'init', object: argument(into, i, 0), isNew: argument(into, i, 1) });
  },
  __fencepost_initialised(into, i) {
    const [address, size] = [argument(into, i, 0), argument(into, i, 1)];
    into.builder.add({ op: 'lifetime', what: 'initialised', address, size });
  },
  __fencepost_destroyed(into, i) {
    const [address, size] = [argument(into, i, 0), argument(into, i, 1)];
    into.builder.add({ op: 'lifetime', what: 'destroyed', address, size });
  },
  __fencepost_signal(into, i) {
    into.builder.signal(argument(into, i, 0));
  },
  __fencepost_broadcast(into, i) {
    into.builder.broadcast(argument(into, i, 0));
  },
  __fencepost_malloc(into, i) {
    const size = argument(into, i, 0);
    makes(into, i, (dest) =>
      into.builder.add({ op: 'allocate', what: 'heap', dest, size, ...into.program.freshMemory }),
    );
  },
  __fencepost_calloc(into, i) {
    const size = argument(into, i, 0);
    makes(into, i, (dest) => into.builder.add({ op: 'allocate', what: 'heap', dest, size }));
  },
  // Like a variable of ours that never goes out of scope: the user neither can nor has to free it.
  __fencepost_keep(into, i) {
    const size = argument(into, i, 0);
    makes(into, i, (dest) => into.builder.add({ op: 'allocate', what: 'kept', dest, size }));
  },
  __fencepost_aligned_malloc(into, i) {
    const [align, size] = [argument(into, i, 0), argument(into, i, 1)];
    const fresh = into.program.freshMemory;
    makes(into, i, (dest) => into.builder.add({ op: 'allocate', what: 'heap', dest, size, align, ...fresh }));
  },
  __fencepost_aligned_calloc(into, i) {
    const [align, size] = [argument(into, i, 0), argument(into, i, 1)];
    makes(into, i, (dest) => into.builder.add({ op: 'allocate', what: 'heap', dest, size, align }));
  },
  __fencepost_size(into, i) {
    const address = argument(into, i, 0);
    makes(into, i, (dest) => into.builder.add({ op: 'extent', dest, address }));
  },
  __fencepost_glance(into, i) {
    into.builder.add({ op: 'glance', dest: into.result(i, 'i32'), address: argument(into, i, 0) });
  },
  __fencepost_glance_byte(into, i) {
    into.builder.add({ op: 'glance', dest: into.result(i, 'i8'), address: argument(into, i, 0) });
  },
  __fencepost_glance_pointer(into, i) {
    into.builder.add({ op: 'glance', dest: into.result(i, into.pointer), address: argument(into, i, 0) });
  },
  __fencepost_is_static(into, i) {
    into.builder.add({ op: 'isstatic', dest: into.result(i, 'i32'), address: argument(into, i, 0) });
  },
  __fencepost_is_constant(into, i) {
    into.builder.add({ op: 'isconstant', dest: into.result(i, 'i32'), address: argument(into, i, 0) });
  },
  __fencepost_poke_pointer(into, i) {
    into.builder.add({ op: 'poke', address: argument(into, i, 0), value: argument(into, i, 1, 'any') });
  },
  __fencepost_poke(into, i) {
    into.builder.add({ op: 'poke', address: argument(into, i, 0), value: argument(into, i, 1, 'any') });
  },
  __fencepost_idle_poke(into, i) {
    const [address, value] = [argument(into, i, 0), argument(into, i, 1, 'any')];
    into.builder.add({ op: 'poke', address, value, isIdle: true });
  },
  __fencepost_free(into, i) {
    into.builder.add({ op: 'free', what: 'heap', address: argument(into, i, 0) });
  },
  __fencepost_assert_fail(into, i) {
    into.builder.add({ op: 'assert', condition: FALSE, message: 'assertion failed', text: argument(into, i, 0) });
  },
  __fencepost_misuse(into, i) {
    const text = argument(into, i, 0);
    into.builder.add({ op: 'assert', condition: FALSE, message: 'misuse', text, misuse: true });
  },
  __fencepost_not_modelled(into, i) {
    const text = argument(into, i, 0);
    into.builder.add({ op: 'assert', condition: FALSE, message: 'not modelled', text, notModelled: true });
  },
  __fencepost_abort: stop(() => 'abort called'),
  __fencepost_assume(into, i) {
    into.builder.assume(condition(into, i));
  },
  __fencepost_covered(into, i) {
    into.builder.assume(condition(into, i), true);
  },
  __fencepost_choose(into, i) {
    const count = into.context.constants.evaluate(i.arguments[0]!.type, i.arguments[0]!.value);
    if (count?.kind !== 'integer') into.fail('the number of choices must be a constant');
    const number = Number(BigInt.asIntN(32, (count as { value: bigint }).value));
    if (number < 1 || number > MAX_CHOICES)
      into.fail(`the number of choices must be from 1 to ${MAX_CHOICES}, and is ${number}`);
    choose(number)(into, i);
  },
  __fencepost_run_destructors(into) {
    into.builder.call(undefined, into.program.destructors());
  },
  __fencepost_exit(into, i) {
    into.builder.add({ op: 'exit', status: argument(into, i, 0) });
  },
  __fencepost_older_local(into, i) {
    const address = argument(into, i, 0);
    makes(into, i, (dest) => into.builder.add({ op: 'olderlocal', dest, address }));
  },
  __fencepost_end_local(into, i) {
    into.builder.add({ op: 'free', what: 'stack', address: argument(into, i, 0) });
  },
  __fencepost_thread_exit(into, i) {
    into.builder.add({ op: 'exitthread', value: argument(into, i, 0, 'any') });
    into.builder.startBlock(into.builder.block('dead'));
  },
  __fencepost_put(into, i) {
    const [bytes, most, stop] = [argument(into, i, 0), argument(into, i, 1), argument(into, i, 2)];
    into.builder.add({ op: 'print', dest: into.result(i, 'i32'), bytes, most, stop });
  },
  __fencepost_end_output(into, i) {
    into.builder.add({ op: 'endprint', count: argument(into, i, 0) });
  },
  __fencepost_convert(into, i) {
    into.builder.add({
      op: 'convert',
      dest: into.result(i, 'i32'),
      to: argument(into, i, 0),
      room: argument(into, i, 1),
      from: argument(into, i, 2),
      kind: argument(into, i, 3),
      flags: argument(into, i, 4),
      width: argument(into, i, 5),
      precision: argument(into, i, 6),
      value: argument(into, i, 7, 'i64'),
    });
  },
  __fencepost_mark(into, i) {
    into.builder.add({ op: 'mark', name: argument(into, i, 0), value: argument(into, i, 1) });
  },
  __fencepost_endmark(into, i) {
    into.builder.add({ op: 'endmark', value: argument(into, i, 0) });
  },
  __fencepost_fabs: unary('fabs'),
  __fencepost_sqrt: unary('fsqrt'),
  __fencepost_floor: unary('ffloor'),
  __fencepost_ceil: unary('fceil'),
  __fencepost_trunc: unary('ftrunc'),
  __fencepost_round: unary('fround'),
  __fencepost_fmod(into, i) {
    into.builder.binary('frem', into.result(i, 'f64'), argument(into, i, 0, 'f64'), argument(into, i, 1, 'f64'));
  },
  /** Another thread may run at every operation anyway, so there is nothing to do. */
  __fencepost_yield() {},

  __fencepost_atomic_begin(into) {
    into.builder.add({ op: 'beginatomic' });
  },
  __fencepost_atomic_end(into) {
    into.builder.add({ op: 'endatomic' });
  },
};

const elementary: ReadonlyMap<string, Lowering> = new Map(
  ELEMENTARY_FUNCTIONS.map((name) => [`__fencepost_${name.slice(1)}`, unary(name)]),
);

/** Lowers the call if `name` is a primitive; false if it is not. */
export function lowerPrimitive(into: FunctionContext, i: Call, name: string): boolean {
  if (lowerNondet(into, i, name)) return true;
  const awaits = AWAIT.exec(name);
  if (awaits !== null) {
    into.locate(undefined);
    lowerAwait(into, i, awaits);
    return true;
  }
  const lowering = Object.hasOwn(primitives, name) ? primitives[name] : elementary.get(name);
  if (lowering === undefined) return false;
  into.locate(undefined);
  lowering(into, i);
  return true;
}
