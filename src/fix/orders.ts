/** Memory orders that stand in the text as such: the order arguments of C11's and the compiler's atomic operations. */
import type { Order } from '../program/types.ts';
import type { Token } from './tokens.ts';

export interface OrderArgument {
  /** Where the call starts, which is where clang says that the access is. */
  readonly call: number;
  readonly token: Token;
  readonly order: Order;
}

/** By name: which argument is the order; of a compare-exchange the one for success. */
function orderPosition(name: string): number | undefined {
  if (/^atomic_store_explicit$|^__atomic_store_n$/.test(name)) return 2;
  if (/^atomic_(?:exchange|fetch_\w+)_explicit$|^__atomic_(?:exchange_n|fetch_\w+|\w+_fetch)$/.test(name)) return 2;
  if (/^atomic_compare_exchange_(?:strong|weak)_explicit$/.test(name)) return 3;
  if (name === '__atomic_compare_exchange_n') return 4;
  if (/^atomic_flag_(?:clear|test_and_set)_explicit$/.test(name)) return 1;
  return undefined;
}

const C11 = /^memory_order_(\w+)$/;
const BUILTIN = /^__ATOMIC_(\w+)$/;

export function orderOf(text: string): Order | undefined {
  const name = (C11.exec(text)?.[1] ?? BUILTIN.exec(text)?.[1])?.toLowerCase();
  return name === 'relaxed' || name === 'acquire' || name === 'release' || name === 'acq_rel' || name === 'seq_cst'
    ? name
    : undefined;
}

/** The name of an order, in the spelling of another one. */
export function spellOrder(order: Order, like: string): string {
  return BUILTIN.test(like) ? `__ATOMIC_${order.toUpperCase()}` : `memory_order_${order}`;
}

export function findOrders(tokens: readonly Token[]): OrderArgument[] {
  const found: OrderArgument[] = [];
  tokens.forEach((token, i) => {
    const position = orderPosition(token.text);
    if (position === undefined || tokens[i + 1]?.text !== '(') return;
    const argument = argumentsFrom(tokens, i + 2)[position];
    const order = argument?.length === 1 ? orderOf(argument[0]!.text) : undefined;
    if (order !== undefined) found.push({ call: token.start, token: argument![0]!, order });
  });
  return found;
}

/** The arguments of a call whose first token this is. */
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
