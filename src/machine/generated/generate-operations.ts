/**
 * Atomic operations, locks and joins in generated code: the same event and effects as in `Operations`. As for loads and
 * stores (`generate-access.ts`), any unusual case is declined before anything is done.
 */

import * as op from '../code/opcodes.ts';
import { I32, WIDE } from '../code/type-codes.ts';
import * as ev from '../events/event.ts';
import { waitOrder } from '../run/guards.ts';
import {
  FINISHED,
  H_COMMITS,
  JOINED,
  T_EVENTS,
  T_FLAGS,
  T_PC,
  T_RESULT,
  T_STATUS,
  T_UNDEFINED,
  T_WRITES,
  THREAD_WORDS,
} from '../state/layout.ts';
import type { CodeText } from './code-text.ts';
import { DECLINED, event, guard, isAligned, plain, siteText } from './generate-access.ts';

/** By operator, for values of 32 bits. */
const MODIFIED: Readonly<Record<string, (old: string, value: string) => string>> = {
  xchg: (_, value) => value,
  add: (old, value) => `(${old} + ${value}) | 0`,
  sub: (old, value) => `(${old} - ${value}) | 0`,
  and: (old, value) => `${old} & ${value}`,
  or: (old, value) => `${old} | ${value}`,
  xor: (old, value) => `${old} ^ ${value}`,
};

/** Whether there is text for the visible operation at `pc`, which is neither a load nor a store. */
export function hasOperationText(words: Int32Array, pc: number): boolean {
  switch (words[pc]) {
    case op.RMW:
      return words[pc + op.RMW_TYPE] === I32 && op.RMW_OPERATORS[words[pc + op.RMW_OPERATOR]!]! in MODIFIED;
    case op.CMPXCHG:
      return words[pc + op.CMPXCHG_TYPE] === I32;
    case op.JOIN:
    case op.LOCK:
    case op.UNLOCK:
      return true;
    default:
      return false;
  }
}

export function operationText(to: CodeText, pc: number): void {
  switch (to.words[pc]) {
    case op.RMW:
      return readModifyWrite(to, pc);
    case op.CMPXCHG:
      return compareExchange(to, pc);
    case op.JOIN:
      return join(to, pc);
    default:
      return lock(to, pc);
  }
}

/** Checks the access to four bytes, saves what the operation will write, and returns a name for the word's index. */
function beginAtomic(to: CodeText, address: number, registers: readonly number[]): string {
  const at = to.low(address);
  guard(to, address, at, 4, plain(to, address, 'checkWrite'));
  if (to.isBuffered) to.line(`if (!M.canStore()) return ${DECLINED};`);
  if (!isAligned(to, address)) to.line(`if ((${at} & 3) !== 0) return ${DECLINED};`);
  const word = to.name(`${at} >> 2`);
  const counted = to.countsWrites ? [`T + ${T_WRITES}`] : [];
  to.save([`T + ${T_PC}`, `T + ${T_EVENTS}`, ...counted, `${H_COMMITS}`, word], registers);
  return word;
}

/** Writes `value` to memory in place of `old`. A write that changes nothing is not counted. */
function write(to: CodeText, word: string, old: string, value: string): void {
  to.line(`w[${H_COMMITS}]++; w[${word}] = ${value};`);
  if (to.countsWrites) to.line(`if (${old} !== ${value}) w[T + ${T_WRITES}]++;`);
}

function readModifyWrite(to: CodeText, pc: number): void {
  const [operator, dest] = [to.operand(pc, op.RMW_OPERATOR), to.operand(pc, op.RMW_DEST)];
  const [address, value] = [to.operand(pc, op.RMW_ADDRESS), to.operand(pc, op.RMW_VALUE)];
  const order = to.operand(pc, op.RMW_ORDER);
  const operand = to.low(value);
  const word = beginAtomic(to, address, [dest]);
  const site = siteText(to, pc);
  const old = to.name(`w[${word}]`);
  const now = to.name(MODIFIED[op.RMW_OPERATORS[operator]!]!(old, operand));
  event(to, {
    [ev.E_KIND]: `${ev.RMW_EVENT}`,
    [ev.E_SITE]: site,
    [ev.E_ADDRESS]: to.low(address),
    [ev.E_SIZE]: '4',
    [ev.E_READ_LOW]: old,
    [ev.E_NEW_LOW]: now,
    [ev.E_OPERAND_LOW]: operand,
    [ev.E_FLAGS]: `${ev.WROTE_MEMORY}`,
    [ev.E_ORDER]: `${order}`,
    [ev.E_WAIT]: `${order}`,
  });
  write(to, word, old, now);
  to.set(dest, old);
}

function compareExchange(to: CodeText, pc: number): void {
  const [dest, success] = [to.operand(pc, op.CMPXCHG_DEST), to.operand(pc, op.CMPXCHG_SUCCESS)];
  const address = to.operand(pc, op.CMPXCHG_ADDRESS);
  const [expected, desired] = [to.operand(pc, op.CMPXCHG_EXPECTED), to.operand(pc, op.CMPXCHG_DESIRED)];
  const [order, failure] = [to.operand(pc, op.CMPXCHG_ORDER), to.operand(pc, op.CMPXCHG_FAILURE_ORDER)];
  const [wanted, now] = [to.low(expected), to.low(desired)];
  const word = beginAtomic(to, address, success >= 0 ? [dest, success] : [dest]);
  const site = siteText(to, pc);
  const old = to.name(`w[${word}]`);
  const equal = to.name(`${old} === ${wanted}`);
  event(to, {
    [ev.E_KIND]: `${ev.RMW_EVENT}`,
    [ev.E_SITE]: site,
    [ev.E_ADDRESS]: to.low(address),
    [ev.E_SIZE]: '4',
    [ev.E_READ_LOW]: old,
    [ev.E_NEW_LOW]: `${equal} ? ${now} : 0`,
    [ev.E_EXPECTED_LOW]: wanted,
    [ev.E_FLAGS]: `${equal} ? ${ev.COMPARED | ev.WROTE_MEMORY} : ${ev.COMPARED}`,
    [ev.E_ORDER]: `${equal} ? ${order} : ${failure}`,
    [ev.E_WAIT]: `${waitOrder(to.words, pc)}`,
  });
  to.line(`if (${equal}) {`);
  write(to, word, old, now);
  to.line('}');
  to.set(dest, old);
  if (success >= 0) to.set(success, `${equal} ? 1 : 0`);
}

function join(to: CodeText, pc: number): void {
  const [type, dest] = [to.operand(pc, op.JOIN_TYPE), to.operand(pc, op.JOIN_DEST)];
  const handle = to.operand(pc, op.JOIN_THREAD);
  const slot = to.name(`P.slotOfHandle(${to.low(handle)})`);
  const other = to.name(`${to.layout.threads} + ${slot} * ${THREAD_WORDS}`);
  to.line(
    `if (${slot} < 0 || w[${other} + ${T_STATUS}] !== ${FINISHED} || w[${other} + ${T_FLAGS}] !== 0) return ${DECLINED};`,
  );
  // Its result may have undefined bits.
  if (to.tracksUndefined && type >= 0) to.line(`if (w[${other} + ${T_UNDEFINED}] !== 0) return ${DECLINED};`);
  const isWide = type >= 0 && WIDE[type] === 1;
  const registers = type < 0 ? [] : isWide ? [dest, dest + 1] : [dest];
  const counted = to.countsWrites ? [`T + ${T_WRITES}`] : [];
  to.save([`T + ${T_PC}`, `T + ${T_EVENTS}`, ...counted, `${other} + ${T_FLAGS}`], registers);
  event(to, { [ev.E_KIND]: `${ev.JOIN_EVENT}`, [ev.E_SITE]: siteText(to, pc), [ev.E_OTHER]: slot });
  if (to.countsWrites) to.line(`w[T + ${T_WRITES}]++;`);
  to.line(`w[${other} + ${T_FLAGS}] = ${JOINED};`);
  for (const [i, register] of registers.entries()) to.set(register, `w[${other} + ${T_RESULT + i}]`);
}

/** Only for a mutex that has been used before: at its first use there may be no room for it. */
function lock(to: CodeText, pc: number): void {
  const mutex = to.words[pc + op.LOCK_MUTEX]!;
  const at = to.low(mutex);
  const locks = to.words[pc] === op.LOCK;
  guard(to, mutex, at, 1, 'check');
  const place = to.name(`Y.place(${at})`);
  to.line(`if (${place} < 0${locks ? '' : ` || w[${place}] !== t + 1`}) return ${DECLINED};`);
  const counted = to.countsWrites ? [`T + ${T_WRITES}`] : [];
  to.save([`T + ${T_PC}`, `T + ${T_EVENTS}`, ...counted, place], []);
  const kind = locks ? ev.LOCK_EVENT : ev.UNLOCK_EVENT;
  event(to, { [ev.E_KIND]: `${kind}`, [ev.E_SITE]: siteText(to, pc), [ev.E_ADDRESS]: at });
  if (to.countsWrites) to.line(`w[T + ${T_WRITES}]++;`);
  to.line(`w[${place}] = ${locks ? 't + 1' : '0'};`);
}
