/** Memory orders written in the text: the order arguments of C11's and the compiler's atomic operations. */
import type { Instruction } from '../program/ir.ts';
import type { FenceOrder, Order } from '../program/types.ts';
import { insertion, type TextEdit } from './text.ts';
import type { Token } from './tokens.ts';

export interface WrittenOrder {
  /** Where the call starts, which is where clang locates the access. */
  readonly call: number;
  /** Present if the text names it. A number means the order that it is compiled to. */
  readonly order: Order | undefined;
  /** The instructions that the access may become in the program form. */
  readonly ops: readonly Instruction['op'][];
  /** Whether it is a compare-exchange whose failure order can be changed, too. */
  readonly hasFailure: boolean;
  /** The edits that give the access other orders. */
  readonly respell: (orders: NewOrders, spelling: Spelling) => readonly TextEdit[];
}

export interface NewOrders {
  readonly order: Order;
  /** For a compare-exchange. */
  readonly failureOrder?: Order;
}

/**
 * The names of `<stdatomic.h>` or `<atomic>`, where they are known to be declared; or those of the compiler, which mean
 * the same everywhere.
 */
export type Spelling = 'c11' | 'cxx' | 'builtin';

/**
 * Which argument is the order (for a compare-exchange, the success order), and which instructions the operation may be.
 */
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
  [/^atomic_compare_exchange_(?:strong|weak)$/, UPDATE],
];

const C11 = /^memory_order_(\w+)$/;
/** After `std::memory_order::`. */
const CXX = /^(?:relaxed|acquire|release|acq_rel|seq_cst)$/;
const BUILTIN = /^__ATOMIC_(\w*)$/;

export function orderOf(text: string): Order | undefined {
  const name = (C11.exec(text)?.[1] ?? BUILTIN.exec(text)?.[1])?.toLowerCase();
  return name === 'relaxed' || name === 'acquire' || name === 'release' || name === 'acq_rel' || name === 'seq_cst'
    ? name
    : undefined;
}

/** The name of an order, spelled like another one. */
export function spellOrder(order: Order, like: string, spelling: Spelling): string {
  if (CXX.test(like)) return order;
  if (spelling === 'cxx') return like === '' ? `std::memory_order_${order}` : `memory_order_${order}`;
  const isBuiltin = spelling === 'builtin' || BUILTIN.test(like);
  return isBuiltin ? `__ATOMIC_${order.toUpperCase()}` : `memory_order_${order}`;
}

/** The order of one fence that is as strong as all of these; `undefined` if there are none. */
export function joinedOrder(fences: readonly FenceOrder[]): FenceOrder | undefined {
  if (fences.includes('seq_cst')) return 'seq_cst';
  return new Set(fences).size > 1 ? 'acq_rel' : fences[0];
}

const FENCE_NAMES: Readonly<Record<Spelling, string>> = {
  c11: 'atomic_thread_fence',
  cxx: 'std::atomic_thread_fence',
  builtin: '__atomic_thread_fence',
};

/** The statement that is a fence of this order. */
export function spellFence(order: Order, spelling: Spelling): string {
  return `${FENCE_NAMES[spelling]}(${spellOrder(order, '', spelling)});`;
}

export function findOrders(tokens: readonly Token[]): WrittenOrder[] {
  const found: WrittenOrder[] = [];
  tokens.forEach((token, i) => {
    if (tokens[i + 1]?.text !== '(') return;
    const { end, text } = token;
    // Clang locates a member at its name, and any other function at its namespace.
    const call = tokens[isQualified(tokens, i) ? i - 2 : i]!.start;
    const member = isMember(tokens, i) ? memberOrder(tokens, i) : undefined;
    if (member !== undefined) found.push({ call, ...member });
    if (isMember(tokens, i)) return;
    const implied = WITHOUT_ORDER.find(([name]) => name.test(text))?.[1];
    if (implied !== undefined) {
      const close = tokens[closing(tokens, i + 1)];
      if (close === undefined) return;
      const hasFailure = text.includes('compare_exchange');
      const respell = ({ order, failureOrder }: NewOrders, spelling: Spelling): readonly TextEdit[] => {
        const orders = hasFailure ? [order, failureOrder ?? 'seq_cst'] : [order];
        const written = orders.map((one) => `, ${spellOrder(one, '', spelling)}`);
        return [insertion(end, '_explicit'), insertion(close.start, written.join(''))];
      };
      found.push({ call, order: 'seq_cst', ops: implied, hasFailure, respell });
      return;
    }
    const operation = OPERATIONS.find(([name]) => name.test(text))?.[1];
    if (operation === undefined) return;
    const list = argumentsFrom(tokens, i + 2);
    const success = writtenIn(list[operation.position]);
    if (success === undefined) return;
    const failure = text.includes('compare_exchange') ? writtenIn(list[operation.position + 1]) : undefined;
    const edit = ({ token: { start, end: last, text: before }, order }: Written, after: Order, spelling: Spelling) => {
      const like = order === undefined && text.startsWith('__') ? '__ATOMIC_' : before;
      return order === after ? [] : [{ start, end: last, text: spellOrder(after, like, spelling) }];
    };
    const respell = ({ order, failureOrder }: NewOrders, spelling: Spelling): readonly TextEdit[] => [
      ...edit(success, order, spelling),
      ...(failure === undefined || failureOrder === undefined ? [] : edit(failure, failureOrder, spelling)),
    ];
    found.push({ call, order: success.order, ops: operation.ops, hasFailure: failure !== undefined, respell });
  });
  return found;
}

interface Written {
  readonly token: Token;
  readonly order: Order | undefined;
}

/** `x.load(order)`, `p->compare_exchange_weak(e, d)` */
const MEMBERS: readonly (readonly [name: RegExp, operation: Operation])[] = [
  [/^(?:load|test)$/, { position: 0, ops: LOAD }],
  [/^store$/, { position: 1, ops: STORE }],
  [/^clear$/, { position: 0, ops: STORE }],
  [/^test_and_set$/, { position: 0, ops: UPDATE }],
  [/^(?:exchange|fetch_\w+)$/, { position: 1, ops: UPDATE }],
  [/^compare_exchange_(?:strong|weak)$/, { position: 2, ops: UPDATE }],
];

function isMember(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text;
  return before === '.' || (before === '>' && tokens[at - 2]?.text === '-');
}

function isQualified(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.text === '::' && tokens[at - 2]?.text === 'std';
}

/** A missing argument is seq_cst. */
function memberOrder(tokens: readonly Token[], at: number): Omit<WrittenOrder, 'call'> | undefined {
  const { text } = tokens[at]!;
  const operation = MEMBERS.find(([name]) => name.test(text))?.[1];
  const close = tokens[closing(tokens, at + 1)];
  if (operation === undefined || close === undefined) return undefined;
  const list = argumentsFrom(tokens, at + 2).filter((argument) => argument.length > 0);
  const { position, ops } = operation;
  const isExchange = text.startsWith('compare_exchange');
  if (list.length === position) {
    const respell = ({ order, failureOrder }: NewOrders): readonly TextEdit[] => {
      const orders = isExchange ? [order, failureOrder ?? 'seq_cst'] : [order];
      const written = orders.map((one) => spellOrder(one, '', 'cxx')).join(', ');
      return [insertion(close.start, position === 0 ? written : `, ${written}`)];
    };
    return { order: 'seq_cst', ops, hasFailure: isExchange, respell };
  }
  const success = writtenIn(list[position]);
  if (success?.order === undefined) return undefined;
  const failure = isExchange ? writtenIn(list[position + 1]) : undefined;
  const edit = ({ token, order }: Written, after: Order): readonly TextEdit[] =>
    order === after ? [] : [{ start: token.start, end: token.end, text: spellOrder(after, token.text, 'cxx') }];
  return {
    order: success.order,
    ops,
    hasFailure: failure !== undefined,
    respell: ({ order, failureOrder }) => [
      ...edit(success, order),
      ...(failure === undefined || failureOrder === undefined ? [] : edit(failure, failureOrder)),
    ],
  };
}

/** The order that an argument names. The name of a macro does not count: it may mean more than its current value. */
function writtenIn(qualified: readonly Token[] | undefined): Written | undefined {
  const words = (qualified ?? []).map(({ text }) => text).join('');
  const scope = /^(?:std::)?memory_order::/.exec(words) ?? /^std::/.exec(words);
  const argument = scope === null ? qualified : qualified!.slice(-1);
  if (scope?.[0].endsWith('memory_order::') && argument!.length === 1 && CXX.test(argument![0]!.text))
    return { token: argument![0]!, order: argument![0]!.text as Order };
  const token = valueIn(argument ?? []);
  const order = token && orderOf(token.text);
  return token === undefined || (order === undefined && !/^[0-5]$/.test(token.text)) ? undefined : { token, order };
}

/** The single token of an argument, ignoring parentheses and casts around it; `undefined` if there are several. */
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
