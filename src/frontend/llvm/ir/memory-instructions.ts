/**
 * Reads the instructions that access memory. For an access that we cannot model faithfully (through a pointer to
 * another address space, or atomic with respect to some threads only), the result is `undefined`, which the caller
 * turns into `unsupported`.
 */
import { type Lexer, STRING, WORD } from './lexer.ts';
import type { LOperation, LOrder, LValue } from './module.ts';
import type { Names } from './names.ts';
import { readType, skipAddressSpace } from './types.ts';
import { readTypedValue, readValue, skipFlags } from './values.ts';

type Read = (lexer: Lexer, names: Names) => LOperation | undefined;

const ORDERS: ReadonlySet<string> = new Set([
  'unordered',
  'monotonic',
  'acquire',
  'release',
  'acq_rel',
  'seq_cst',
] satisfies LOrder[]);

/** `alloca i32, i32 %n, align 4` */
export const readAlloca: Read = (lexer, names) => {
  let isPlain = !lexer.accept('inalloca');
  if (lexer.accept('swifterror')) isPlain = false;
  const type = readType(lexer, names);
  let count: ReturnType<typeof readTypedValue> | undefined;
  let align = 0;
  while (lexer.acceptComma()) {
    if (lexer.accept('align')) align = lexer.takeCount();
    else if (lexer.is('addrspace')) isPlain = !skipAddressSpace(lexer) && isPlain;
    else count = readTypedValue(lexer, names);
  }
  return isPlain ? { op: 'alloca', type, ...(count && { count }), align } : undefined;
};

/** `load atomic volatile i32, ptr %p acquire, align 4` */
export const readLoad: Read = (lexer, names) => {
  const isAtomic = lexer.accept('atomic');
  const volatile = lexer.accept('volatile');
  const type = readType(lexer, names);
  lexer.expectSign(',');
  const address = readAddress(lexer, names);
  const scope = readScope(lexer);
  const order = isAtomic ? readOrder(lexer) : undefined;
  const align = readAlign(lexer);
  if (address === undefined || scope !== '') return undefined;
  return { op: 'load', type, address, volatile, ...(order && { order }), align };
};

/** `store atomic volatile i32 1, ptr %p release, align 4` */
export const readStore: Read = (lexer, names) => {
  const isAtomic = lexer.accept('atomic');
  const volatile = lexer.accept('volatile');
  const value = readTypedValue(lexer, names);
  lexer.expectSign(',');
  const address = readAddress(lexer, names);
  const scope = readScope(lexer);
  const order = isAtomic ? readOrder(lexer) : undefined;
  const align = readAlign(lexer);
  if (address === undefined || scope !== '') return undefined;
  return { op: 'store', value, address, volatile, ...(order && { order }), align };
};

/** `fence syncscope("singlethread") seq_cst` */
export const readFence: Read = (lexer) => {
  const scope = readScope(lexer);
  const order = readOrder(lexer);
  if (scope !== '' && scope !== 'singlethread') return undefined;
  return { op: 'fence', order, singleThread: scope !== '' };
};

/** `cmpxchg weak volatile ptr %p, i32 %old, i32 %new acq_rel monotonic, align 4` */
export const readCompareExchange: Read = (lexer, names) => {
  const weak = lexer.accept('weak');
  const volatile = lexer.accept('volatile');
  const address = readAddress(lexer, names);
  lexer.expectSign(',');
  const expected = readTypedValue(lexer, names);
  lexer.expectSign(',');
  const desired = readTypedValue(lexer, names);
  const scope = readScope(lexer);
  const order = readOrder(lexer);
  const failureOrder = readOrder(lexer);
  readAlign(lexer);
  if (address === undefined || scope !== '') return undefined;
  return { op: 'cmpxchg', weak, volatile, address, expected, desired, order, failureOrder };
};

/** `atomicrmw volatile add ptr %p, i32 1 seq_cst, align 4` */
export const readModify: Read = (lexer, names) => {
  const volatile = lexer.accept('volatile');
  const isElementwise = lexer.accept('elementwise');
  const operator = lexer.takeName(WORD, 'an operator');
  const address = readAddress(lexer, names);
  lexer.expectSign(',');
  const value = readTypedValue(lexer, names);
  const scope = readScope(lexer);
  const order = readOrder(lexer);
  readAlign(lexer);
  if (address === undefined || scope !== '' || isElementwise) return undefined;
  return { op: 'atomicrmw', operator, volatile, address, value, order };
};

/** `getelementptr inbounds nuw %struct.node, ptr %p, i32 0, i32 1` */
export const readElementAddress: Read = (lexer, names) => {
  skipFlags(lexer);
  const source = readType(lexer, names);
  lexer.expectSign(',');
  const base = readTypedValue(lexer, names);
  const indices: ReturnType<typeof readTypedValue>[] = [];
  while (lexer.acceptComma()) indices.push(readTypedValue(lexer, names));
  return { op: 'gep', source, base, indices };
};

/** A value of type `ptr`; `undefined` if the pointer is to another address space. */
function readAddress(lexer: Lexer, names: Names): LValue | undefined {
  const type = readType(lexer, names);
  if (type.kind !== 'ptr' && type.kind !== 'other') lexer.fail('an address');
  const value = readValue(lexer, names, type);
  return type.kind === 'ptr' ? value : undefined;
}

/** The text in `syncscope("…")`; empty if the access concerns all threads. */
function readScope(lexer: Lexer): string {
  if (!lexer.accept('syncscope')) return '';
  lexer.expectSign('(');
  const scope = lexer.takeName(STRING, 'a string');
  lexer.expectSign(')');
  return scope;
}

function readOrder(lexer: Lexer): LOrder {
  const { text } = lexer;
  if (lexer.kind !== WORD || !isOrder(text)) lexer.fail('a memory order');
  lexer.next();
  return text;
}

function isOrder(text: string): text is LOrder {
  return ORDERS.has(text);
}

function readAlign(lexer: Lexer): number {
  if (!lexer.acceptComma()) return 0;
  lexer.expect('align');
  return lexer.takeCount();
}
