/** Memory orders as numbers: their index in `ORDERS`, weakest first. */
import { acquires, isAtomic, ORDERS, type Order, releases } from '../../program/types.ts';

export type OrderCode = number;

export function orderCode(order: Order): OrderCode {
  return ORDERS.indexOf(order);
}

export const ACQUIRE: OrderCode = orderCode('acquire');
export const RELEASE: OrderCode = orderCode('release');
export const ACQ_REL: OrderCode = orderCode('acq_rel');
export const SEQ_CST: OrderCode = orderCode('seq_cst');

/** By code: 1 if the order is `relaxed` or stronger. */
export const IS_ATOMIC: Uint8Array = Uint8Array.from(ORDERS, (order) => (isAtomic(order) ? 1 : 0));
/** By code: 1 if the order is `acquire` or stronger; 1 if it is `release` or stronger. */
export const ACQUIRES: Uint8Array = Uint8Array.from(ORDERS, (order) => (acquires(order) ? 1 : 0));
export const RELEASES: Uint8Array = Uint8Array.from(ORDERS, (order) => (releases(order) ? 1 : 0));
