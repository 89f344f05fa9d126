/**
 * Checks of one instruction: operands, types, orders, targets. Its position in the block is checked by `validate.ts`.
 */
import { unreachable } from '../util/unreachable.ts';
import type { Dest, Func, Instruction, Operand, Target } from './ir.ts';
import type { BinaryOperator, CastOperator, Predicate, UnaryOperator } from './operators.ts';
import { bitsOf, isFloat, ORDERS, type Order, POINTER, type Type } from './types.ts';
import {
  checkArguments,
  checkConstant,
  checkOperand,
  checkRegister,
  expectType,
  isPowerOfTwo,
  type Scope,
} from './validate-operand.ts';

interface FunctionScope extends Scope {
  readonly func: Func;
}

/** A choice multiplies the executions; a search with a wider one would never finish, so it is refused. */
export const MAX_CHOICES = 2048;

const LOAD_ORDERS: readonly Order[] = ORDERS.filter((order) => order !== 'release' && order !== 'acq_rel');
const STORE_ORDERS: readonly Order[] = ORDERS.filter((order) => order !== 'acquire' && order !== 'acq_rel');
const RMW_ORDERS: readonly Order[] = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'];
const FAILURE_ORDERS: readonly Order[] = ['relaxed', 'acquire', 'seq_cst'];
const FENCE_ORDERS: readonly Order[] = ['acquire', 'release', 'acq_rel', 'seq_cst'];

export function checkInstruction(scope: FunctionScope, i: Instruction): void {
  const value = (role: string, operand: Operand) => checkOperand(scope, role, operand);
  const dest = (index: Dest) => checkRegister(scope, 'dest', index);
  const expect = (role: string, operand: Operand, type: Type) => expectType(scope, role, value(role, operand), type);

  switch (i.op) {
    case 'move':
      sameType(scope, { dest: dest(i.dest), value: value('value', i.value) });
      return;
    case 'binary':
      checkOperator(
        scope,
        i.operator,
        sameType(scope, { dest: dest(i.dest), left: value('left', i.left), right: value('right', i.right) }),
      );
      return;
    case 'unary':
      checkOperator(scope, i.operator, sameType(scope, { dest: dest(i.dest), value: value('value', i.value) }));
      return;
    case 'compare':
      expectType(scope, 'dest', dest(i.dest), 'i1');
      checkOperator(
        scope,
        i.predicate,
        sameType(scope, { left: value('left', i.left), right: value('right', i.right) }),
      );
      return;
    case 'cast':
      checkCast(scope, i.operator, value('value', i.value), dest(i.dest));
      return;
    case 'select':
      expect('condition', i.condition, 'i1');
      sameType(scope, {
        dest: dest(i.dest),
        'true value': value('true value', i.ifTrue),
        'false value': value('false value', i.ifFalse),
      });
      return;
    case 'undefine':
      dest(i.dest);
      return;
    case 'alloca':
      expectType(scope, 'dest', dest(i.dest), POINTER);
      checkLayout(scope, i);
      return;
    case 'allocate':
      expectType(scope, 'dest', dest(i.dest), POINTER);
      expect('size', i.size, POINTER);
      if (i.align !== undefined) expect('align', i.align, POINTER);
      return;
    case 'refresh':
    case 'suspend':
      expect('address', i.address, POINTER);
      return;
    case 'progress':
      expectType(scope, 'dest', dest(i.dest), POINTER);
      return;
    case 'extent':
    case 'isconstant':
    case 'isstatic':
    case 'olderlocal':
      expectType(scope, 'dest', dest(i.dest), POINTER);
      expect('address', i.address, POINTER);
      return;
    case 'peek':
    case 'glance':
      expect('address', i.address, POINTER);
      checkInMemory(scope, dest(i.dest));
      return;
    case 'poke':
      expect('address', i.address, POINTER);
      checkInMemory(scope, value('value', i.value));
      return;
    case 'threadlocal':
      expectType(scope, 'dest', dest(i.dest), POINTER);
      if (scope.program.globals[i.global]?.threadLocal !== true) scope.report(`global ${i.global} is not thread-local`);
      return;
    case 'self':
      expectType(scope, 'dest', dest(i.dest), POINTER);
      return;
    case 'print':
      expectType(scope, 'dest', dest(i.dest), 'i32');
      expect('bytes', i.bytes, POINTER);
      expect('most', i.most, 'i32');
      expect('stop', i.stop, 'i32');
      return;
    case 'endprint':
      expect('count', i.count, 'i32');
      return;
    case 'convert':
      expectType(scope, 'dest', dest(i.dest), 'i32');
      expect('to', i.to, POINTER);
      for (const name of ['room', 'from', 'kind', 'flags', 'width', 'precision'] as const) expect(name, i[name], 'i32');
      expect('value', i.value, 'i64');
      return;
    case 'mark':
      expect('name', i.name, POINTER);
      expect('value', i.value, 'i32');
      return;
    case 'endmark':
      expect('value', i.value, 'i32');
      return;
    case 'call': {
      expect('callee', i.callee, POINTER);
      const callee = knownCallee(scope, i.callee);
      checkArguments(scope, callee, i.arguments);
      if (i.dest !== undefined) checkResult(scope, callee, dest(i.dest));
      return;
    }
    case 'assert':
      expect('condition', i.condition, 'i1');
      if (i.text !== undefined) expect('text', i.text, POINTER);
      return;
    case 'assume':
      expect('condition', i.condition, 'i1');
      return;
    case 'detach':
      expect('thread', i.thread, POINTER);
      return;
    case 'load':
      expect('address', i.address, POINTER);
      checkInMemory(scope, dest(i.dest));
      checkOrder(scope, 'order', i.order, LOAD_ORDERS);
      return;
    case 'store':
      expect('address', i.address, POINTER);
      checkInMemory(scope, value('value', i.value));
      checkOrder(scope, 'order', i.order, STORE_ORDERS);
      return;
    case 'rmw':
      expect('address', i.address, POINTER);
      checkAtomicInteger(scope, sameType(scope, { dest: dest(i.dest), value: value('value', i.value) }));
      checkOrder(scope, 'order', i.order, RMW_ORDERS);
      return;
    case 'cmpxchg':
      expect('address', i.address, POINTER);
      checkAtomicInteger(
        scope,
        sameType(scope, {
          dest: dest(i.dest),
          expected: value('expected', i.expected),
          desired: value('desired', i.desired),
        }),
      );
      if (i.success !== undefined) expectType(scope, 'success', checkRegister(scope, 'success', i.success), 'i1');
      checkOrder(scope, 'order', i.order, RMW_ORDERS);
      checkOrder(scope, 'failure order', i.failureOrder, FAILURE_ORDERS);
      return;
    case 'await':
      expect('address', i.address, POINTER);
      expectType(scope, 'dest', dest(i.dest), 'i32');
      expectType(scope, 'success', checkRegister(scope, 'success', i.success), 'i1');
      expect('bound', i.bound, 'i32');
      expect('value', i.value, 'i32');
      checkOperator(scope, i.predicate, 'i32');
      checkOrder(scope, 'order', i.order, RMW_ORDERS);
      return;
    case 'fence':
      checkOrder(scope, 'order', i.order, FENCE_ORDERS);
      return;
    case 'free':
      expect('address', i.address, POINTER);
      return;
    case 'choose':
      checkChoice(scope, i.count, dest(i.dest));
      return;
    case 'spawn':
      expect('callee', i.callee, POINTER);
      checkArguments(scope, knownCallee(scope, i.callee), i.arguments);
      expectType(scope, 'dest', dest(i.dest), POINTER);
      return;
    case 'join':
      expect('thread', i.thread, POINTER);
      // Which function the thread runs, and so its result type, is known only at run time.
      if (i.dest !== undefined) dest(i.dest);
      return;
    case 'lock':
    case 'unlock':
      expect('mutex', i.mutex, POINTER);
      return;
    case 'trylock':
      expect('mutex', i.mutex, POINTER);
      expectType(scope, 'dest', dest(i.dest), 'i1');
      return;
    case 'wait':
      expect('condition', i.condition, POINTER);
      expect('mutex', i.mutex, POINTER);
      if (i.timedOut !== undefined) expectType(scope, 'timed out', checkRegister(scope, 'timed out', i.timedOut), 'i1');
      return;
    case 'destroy':
      expect('object', i.object, POINTER);
      return;
    case 'drain':
      expect('record', i.record, POINTER);
      expectType(scope, 'dest', dest(i.dest), 'i32');
      return;
    case 'init':
      expect('object', i.object, POINTER);
      expect('is new', i.isNew, 'i32');
      return;
    case 'lifetime':
      expect('address', i.address, POINTER);
      expect('size', i.size, 'i32');
      return;
    case 'signal':
    case 'broadcast':
      expect('condition', i.condition, POINTER);
      return;
    case 'beginatomic':
    case 'endatomic':
      return;
    case 'exit':
      expect('status', i.status, 'i32');
      return;
    case 'jump':
      checkTarget(scope, 'target', i.target);
      return;
    case 'branch':
      expect('condition', i.condition, 'i1');
      checkTarget(scope, 'true target', i.ifTrue);
      checkTarget(scope, 'false target', i.ifFalse);
      return;
    case 'switch':
      checkCases(scope, value('value', i.value), i.cases);
      checkTarget(scope, 'default', i.default);
      return;
    case 'return':
      checkReturn(scope, i.value === undefined ? 'nothing' : value('value', i.value));
      return;
    case 'exitthread':
      // The thread's result type depends on who started it.
      if (i.value !== undefined) value('value', i.value);
      return;
    case 'unreachable':
      return;
    default:
      unreachable(i);
  }
}

/** The common type of those whose type is known; `undefined` if they differ, which is reported. */
function sameType(scope: Scope, types: Readonly<Record<string, Type | undefined>>): Type | undefined {
  const [first, ...others] = Object.entries(types).filter(([, type]) => type !== undefined);
  if (first === undefined) return undefined;
  const different = others.filter(([, type]) => type !== first[1]);
  for (const [role, type] of different) scope.report(`${role} is ${type}, but ${first[0]} is ${first[1]}`);
  return different.length > 0 ? undefined : first[1];
}

function checkOperator(
  scope: Scope,
  operator: BinaryOperator | UnaryOperator | Predicate,
  type: Type | undefined,
): void {
  if ((operator === 'scale' || operator === 'displace') && type !== undefined && type !== POINTER) {
    scope.report(`${operator} works on addresses, not on ${type}`);
  }
  // Only the names of floating-point operators and predicates start with f.
  const wantsFloat = operator.startsWith('f');
  if (type !== undefined && isFloat(type) !== wantsFloat) {
    scope.report(`${operator} works on ${wantsFloat ? 'floats' : 'integers'}, not on ${type}`);
  }
}

function checkCast(scope: Scope, operator: CastOperator, from: Type | undefined, to: Type | undefined): void {
  if (from !== undefined && to !== undefined && !canCast(operator, from, to)) {
    scope.report(`${operator} cannot turn ${from} into ${to}`);
  }
}

function canCast(operator: CastOperator, from: Type, to: Type): boolean {
  switch (operator) {
    case 'trunc':
      return !isFloat(from) && !isFloat(to) && bitsOf(from) > bitsOf(to);
    case 'zext':
    case 'sext':
      return !isFloat(from) && !isFloat(to) && bitsOf(from) < bitsOf(to);
    case 'fptrunc':
      return from === 'f64' && to === 'f32';
    case 'fpext':
      return from === 'f32' && to === 'f64';
    case 'fptoui':
    case 'fptosi':
      return isFloat(from) && !isFloat(to);
    case 'uitofp':
    case 'sitofp':
      return !isFloat(from) && isFloat(to);
    case 'bitcast':
      // In bits, not bytes: an i1 takes a byte of memory but is not an i8.
      return bitsOf(from) === bitsOf(to);
    case 'address':
      return from === 'i64' && to === POINTER;
    default:
      return unreachable(operator);
  }
}

/** Checks the size and alignment of a global or a stack variable. */
export function checkLayout(scope: Scope, { size, align }: { readonly size: number; readonly align: number }): void {
  if (!Number.isInteger(size) || size <= 0) scope.report(`size must be a positive integer, but is ${size}`);
  if (!isPowerOfTwo(align)) scope.report(`align must be a power of two, but is ${align}`);
}

/** The callee, if it is evident from the program. */
function knownCallee(scope: Scope, callee: Operand): Func | undefined {
  const func = callee.kind === 'function' ? scope.program.functions[callee.index] : undefined;
  return func?.isUndefined === true ? undefined : func;
}

function checkResult(scope: Scope, callee: Func | undefined, dest: Type | undefined): void {
  if (callee === undefined) return;
  if (callee.result === undefined) scope.report(`${callee.name} returns nothing, but its result is used`);
  else expectType(scope, 'dest', dest, callee.result);
}

function checkInMemory(scope: Scope, type: Type | undefined): void {
  if (type === 'i1') scope.report('an i1 cannot be in memory; widen it to i8');
}

/** Excludes floats, because equality of floats and equality of their bytes differ; front-ends use `bitcast`. */
function checkAtomicInteger(scope: Scope, type: Type | undefined): void {
  checkInMemory(scope, type);
  if (type !== undefined && isFloat(type)) scope.report(`atomic read-modify-write works on integers, not on ${type}`);
}

function checkOrder(scope: Scope, role: string, order: Order, allowed: readonly Order[]): void {
  if (!allowed.includes(order)) scope.report(`${role} must be one of ${allowed.join(', ')}, but is ${order}`);
}

function checkChoice(scope: Scope, count: number, dest: Type | undefined): void {
  if (!Number.isInteger(count) || count < 1 || count > MAX_CHOICES) {
    scope.report(`count must be between 1 and ${MAX_CHOICES}, but is ${count}`);
  }
  if (dest === undefined) return;
  if (isFloat(dest)) scope.report(`dest must be an integer, but is ${dest}`);
  else if (count > 2 ** bitsOf(dest)) scope.report(`${count} choices do not fit ${dest}`);
}

function checkTarget(scope: FunctionScope, role: string, target: Target): void {
  const { blocks } = scope.func;
  if (blocks[target] === undefined) {
    scope.report(`${role}: block ${target} does not exist (the function has ${blocks.length})`);
  }
}

function checkCases(
  scope: FunctionScope,
  type: Type | undefined,
  cases: readonly { readonly value: number | bigint; readonly target: Target }[],
): void {
  for (const [k, { target }] of cases.entries()) checkTarget(scope, `case ${k}`, target);
  if (type === undefined) return;
  if (isFloat(type)) {
    scope.report(`switch works on integers, not on ${type}`);
    return;
  }
  // Compared as bit patterns: 255 and -1 are the same i8.
  const seen = new Set<bigint>();
  cases.forEach(({ value }, k) => {
    if (!checkConstant(scope, `case ${k}`, type, value)) return;
    const bits = BigInt.asUintN(bitsOf(type), BigInt(value));
    if (seen.has(bits)) scope.report(`case ${k}: ${value} has a case already`);
    seen.add(bits);
  });
}

function checkReturn(scope: FunctionScope, value: Type | 'nothing' | undefined): void {
  const { name, result } = scope.func;
  if (value === 'nothing') {
    if (result !== undefined) scope.report(`${name} must return a value of type ${result}`);
  } else if (result === undefined) {
    scope.report(`${name} returns nothing, but here a value`);
  } else {
    expectType(scope, 'value', value, result);
  }
}
