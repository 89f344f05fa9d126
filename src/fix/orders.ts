/** Memory orders written in the text: the order arguments of C11's and the compiler's atomic operations. */
import type { Instruction } from '../program/ir.ts';
import type { Order } from '../program/types.ts';
import { insertion, type TextEdit } from './text.ts';
import type { Token } from './tokens.ts';

export interface WrittenOrder {
  /** Where the call starts, which is the place that clang gives for the access. */
  readonly call: number;
  /** If the text names it; a number means what it is compiled to. */
  readonly order: Order | undefined;
  /** The instructions that it may be in the program form. */
  readonly ops: readonly Instruction['op'][];
  /** The edits that give it another order. */
  readonly respell: (order: Order, spelling: Spelling) => readonly TextEdit[];
  /** Of a compare-exchange: the same for its order for failure, if that is written. */
  readonly failure?: Pick<WrittenOrder, 'order' | 'respell'> | undefined;
}

/**
 * Names of `<stdatomic.h>` where they are known, or those of the compiler everywhere: in case the others mean something
 * else.
 */
export type Spelling = 'c11' | 'builtin';

/** Which argument is the order (for a compare-exchange, that for success), and which instruction the operation is. */
interface Operation {
  readonly position: number;
  readonly ops: readonly Instruction['op'][];
}

const LOAD: readonly Instruction['op'][] = ['load'];
const STORE: readonly Instruction['op'][] = ['store'];
const UPDATE: readonly Instruction['op'][] = ['rmw', 'cmpxchg'];

const OPERATIONS: readonly (readonly [name: RegExp, operation: Operation])[] = [
  [/^(?:atomic_load_explicit|__atomic_load_n|__c11_atomic_load)$/, { position: 1, ops: LOAD }],
  [/^__atomic_load$/, { position: 2, ops: LOAD }],
  [/^(?:atomic_store_explicit|__atomic_store(?:_n)?|__c11_atomic_store)$/, { position: 2, ops: STORE }],
  [/^(?:atomic_flag_clear_explicit|__atomic_clear)$/, { position: 1, ops: STORE }],
  [/^(?:atomic_flag_test_and_set_explicit|__atomic_test_and_set)$/, { position: 1, ops: UPDATE }],
  [/^atomic_(?:exchange|fetch_\w+)_explicit$|^__c11_atomic_(?:exchange|fetch_\w+)$/, { position: 2, ops: UPDATE }],
  [/^__atomic_(?:exchange_n|fetch_\w+|\w+_fetch)$/, { position: 2, ops: UPDATE }],
  [/^__atomic_exchange$/, { position: 3, ops: UPDATE }],
  [/^(?:__c11_)?atomic_compare_exchange_(?:strong|weak)(?:_explicit)?$/, { position: 3, ops: UPDATE }],
  [/^__atomic_compare_exchange(?:_n)?$/, { position: 4, ops: UPDATE }],
];

/** Operations that are seq_cst because they have no order argument. */
const WITHOUT_ORDER: readonly (readonly [name: RegExp, ops: readonly Instruction['op'][]])[] = [
  [/^(?:atomic_store|atomic_flag_clear)$/, STORE],
  [/^atomic_load$/, LOAD],
  [/^atomic_(?:exchange|fetch_(?:add|sub|and|or|xor)|flag_test_and_set)$/, UPDATE],
];

const C11 = /^memory_order_(\w+)$/;
const BUILTIN = /^__ATOMIC_(\w*)$/;

export function orderOf(text: string): Order | undefined {
  const name = (C11.exec(text)?.[1] ?? BUILTIN.exec(text)?.[1])?.toLowerCase();
  return name === 'relaxed' || name === 'acquire' || name === 'release' || name === 'acq_rel' || name === 'seq_cst'
    ? name
    : undefined;
}

/** The name of an order, in the spelling of another one. */
export function spellOrder(order: Order, like: string, spelling: Spelling): string {
  const isBuiltin = spelling === 'builtin' || BUILTIN.test(like);
  return isBuiltin ? `__ATOMIC_${order.toUpperCase()}` : `memory_order_${order}`;
}

/** The statement that is a fence of this order. */
export function spellFence(order: Order, spelling: Spelling): string {
  const name = spelling === 'c11' ? 'atomic_thread_fence' : '__atomic_thread_fence';
  return `${name}(${spellOrder(order, '', spelling)});`;
}

export function findOrders(tokens: readonly Token[]): WrittenOrder[] {
  const found: WrittenOrder[] = [];
  tokens.forEach((token, i) => {
    if (tokens[i + 1]?.text !== '(') return;
    const { start: call, end, text } = token;
    const implied = WITHOUT_ORDER.find(([name]) => name.test(text))?.[1];
    if (implied !== undefined) {
      const close = tokens[closing(tokens, i + 1)];
      if (close === undefined) return;
      const respell = (order: Order, spelling: Spelling): readonly TextEdit[] => [
        insertion(end, '_explicit'),
        insertion(close.start, `, ${spellOrder(order, '', spelling)}`),
      ];
      found.push({ call, order: 'seq_cst', ops: implied, respell });
      return;
    }
    const operation = OPERATIONS.find(([name]) => name.test(text))?.[1];
    if (operation === undefined) return;
    const list = argumentsFrom(tokens, i + 2);
    const written = writtenIn(list[operation.position], text);
    if (written === undefined) return;
    const failure = text.includes('compare_exchange') ? writtenIn(list[operation.position + 1], text) : undefined;
    found.push({ call, ops: operation.ops, ...written, ...(failure === undefined ? {} : { failure }) });
  });
  return found;
}

/** The order that an argument of this function names. A macro's name may mean more than its current value. */
function writtenIn(
  argument: readonly Token[] | undefined,
  name: string,
): Pick<WrittenOrder, 'order' | 'respell'> | undefined {
  const written = valueIn(argument ?? []);
  const order = written && orderOf(written.text);
  if (written === undefined || (order === undefined && !/^[0-5]$/.test(written.text))) return undefined;
  const like = order === undefined && name.startsWith('__') ? '__ATOMIC_' : written.text;
  const respell = (other: Order, spelling: Spelling): readonly TextEdit[] => [
    { start: written.start, end: written.end, text: spellOrder(other, like, spelling) },
  ];
  return { order, respell };
}

/** The one token of an argument, ignoring parentheses and casts around it; `undefined` if there are several. */
function valueIn(argument: readonly Token[]): Token | undefined {
  const [first] = argument;
  if (argument.length <= 1 || first!.text !== '(') return argument.length === 1 ? first : undefined;
  const close = closing(argument, 0);
  if (close === argument.length - 1) return valueIn(argument.slice(1, -1));
  const isCast = argument.slice(1, close).every(({ text }) => /^[A-Za-z_]/.test(text));
  return isCast ? valueIn(argument.slice(close + 1)) : undefined;
}

/** The index of the parenthesis that closes this one. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if ('([{'.includes(tokens[i]!.text)) depth++;
    if (')]}'.includes(tokens[i]!.text) && --depth === 0) return i;
  }
  return tokens.length;
}

/** The arguments of a call, starting at this token. */
function argumentsFrom(tokens: readonly Token[], start: number): Token[][] {
  const list: Token[][] = [[]];
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (depth === 0 && (token.text === ')' || token.text === ';')) return list;
    if ('([{'.includes(token.text)) depth++;
    if (')]}'.includes(token.text)) depth--;
    if (depth === 0 && token.text === ',') list.push([]);
    else list.at(-1)!.push(token);
  }
  return list;
}
