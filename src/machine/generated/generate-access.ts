/**
 * Loads and stores in generated code: the same event and effects as in `Operations`. Any unusual case (an invalid
 * access, a buffer without room) is declined before anything is done, so that `Operations` runs it.
 */

import * as op from '../code/opcodes.ts';
import { BITS, SIZES, WIDE } from '../code/type-codes.ts';
import * as ev from '../events/event.ts';
import { H_COMMITS, T_EVENTS, T_FREES, T_HEAD, T_PC, T_WRITES } from '../state/layout.ts';
import { CHOICE_SHIFT } from '../state/process.ts';
import type { CodeText } from './code-text.ts';
import { normalise } from './generate-text.ts';

/** In place of a program counter: nothing has been done, `Operations` must run the operation. */
export const DECLINED = -2;

export function accessText(to: CodeText, pc: number): void {
  if (to.words[pc] === op.LOAD) load(to, pc);
  else store(to, pc);
}

function load(to: CodeText, pc: number): void {
  const [type, dest] = [to.operand(pc, op.LOAD_TYPE), to.operand(pc, op.LOAD_DEST)];
  const [address, order] = [to.operand(pc, op.LOAD_ADDRESS), to.operand(pc, op.LOAD_ORDER)];
  const size = SIZES[type]!;
  const isWide = WIDE[type] === 1;
  const at = to.low(address);
  guard(to, address, at, size, plain(to, address, 'check'));
  to.save([`T + ${T_PC}`, `T + ${T_EVENTS}`], isWide ? [dest, dest + 1] : [dest]);
  const site = siteText(to, pc);
  const isDirect = size === 4;
  to.line('let x, y = 0, q = 0, g = 0, c = 0;');
  if (isDirect) {
    const conditions = [
      ...(isAligned(to, address) ? [] : [`(${at} & 3) === 0`]),
      ...(!to.isBuffered ? [] : [`w[T + ${T_HEAD}] === 0`]),
    ];
    const text = `x = w[${at} >> 2]; c = w[${H_COMMITS}];`;
    to.line(conditions.length === 0 ? `{ ${text} }` : `if (${conditions.join(' && ')}) { ${text} } else`);
    if (conditions.length > 0) throughMemory();
  } else throughMemory();
  function throughMemory(): void {
    to.line(`{ M.load(t, ${at}, ${size}, ${order}, p >>> ${CHOICE_SHIFT});`);
    to.line(`x = ${BITS[type]! < 32 ? normalise('s.low', BITS[type]!) : 's.low'}; y = s.high;`);
    to.line(`if (M.forwardedFrom >= 0) { g = ${ev.FORWARDED}; q = M.forwardedFrom; } else c = M.asOf; }`);
  }
  event(to, {
    [ev.E_KIND]: `${ev.LOAD_EVENT}`,
    [ev.E_SITE]: site,
    [ev.E_ADDRESS]: at,
    [ev.E_SIZE]: `${size}`,
    [ev.E_READ_LOW]: 'x',
    [ev.E_READ_HIGH]: 'y',
    [ev.E_OWN_STORE]: 'q',
    [ev.E_AS_OF]: 'c',
    [ev.E_FLAGS]: 'g',
    [ev.E_ORDER]: `${order}`,
  });
  to.set(dest, 'x');
  if (isWide) to.set(dest + 1, 'y');
}

function store(to: CodeText, pc: number): void {
  const [type, address] = [to.operand(pc, op.STORE_TYPE), to.operand(pc, op.STORE_ADDRESS)];
  const [value, order] = [to.operand(pc, op.STORE_VALUE), to.operand(pc, op.STORE_ORDER)];
  const size = SIZES[type]!;
  const at = to.low(address);
  const low = to.low(value);
  const high = size === 8 ? to.high(value) : '0';
  const isDirect = !to.isBuffered && size === 4;
  // Undefined bits in memory do not matter to a buffered store.
  guard(to, address, at, size, to.isBuffered ? 'checkWrite' : plain(to, address, 'checkWrite'));
  if (to.isBuffered) to.line(`if (!M.canStore()) return ${DECLINED};`);
  if (isDirect && !isAligned(to, address)) to.line(`if ((${at} & 3) !== 0) return ${DECLINED};`);
  const word = isDirect ? to.name(`${at} >> 2`) : '';
  const counted = to.countsWrites ? [`T + ${T_WRITES}`] : [];
  to.save([`T + ${T_PC}`, `T + ${T_EVENTS}`, ...counted, ...(isDirect ? [`${H_COMMITS}`, word] : [])], []);
  if (to.countsWrites) to.line(`w[T + ${T_WRITES}]++;`);
  const site = siteText(to, pc);
  if (!to.isBuffered && !isDirect) to.line(`s.read(${at}, ${size});`);
  const old = to.isBuffered ? ['0', '0'] : isDirect ? [`w[${word}]`, '0'] : ['s.low', 's.high'];
  event(to, {
    [ev.E_KIND]: `${ev.STORE_EVENT}`,
    [ev.E_SITE]: site,
    [ev.E_ADDRESS]: at,
    [ev.E_SIZE]: `${size}`,
    [ev.E_STORED_LOW]: low,
    [ev.E_STORED_HIGH]: high,
    [ev.E_OLD_LOW]: old[0]!,
    [ev.E_OLD_HIGH]: old[1]!,
    [ev.E_FLAGS]: !to.isBuffered ? `${ev.WROTE_MEMORY}` : '0',
    [ev.E_ORDER]: `${order}`,
  });
  if (isDirect) to.line(`w[${H_COMMITS}]++; w[${word}] = ${low};`);
  else to.line(`M.store(t, ${at}, ${size}, ${low}, ${high}, ${order}, n, ${site});`);
}

type Check = 'check' | 'checkPlain' | 'checkPlainWrite' | 'checkWrite';

/** The check that also declines undefined bits, if the program can have some. */
export function plain(to: CodeText, address: number, check: 'check' | 'checkWrite'): Check {
  // A constant address is that of a global.
  if (!to.tracksUndefined || address < 0) return check;
  return check === 'check' ? 'checkPlain' : 'checkPlainWrite';
}

/** Declines an access that may be an error. While globals have undefined bits, no generated code runs. */
export function guard(to: CodeText, address: number, at: string, size: number, check: Check): void {
  if (isGlobal(to, address, size, check.endsWith('Write'))) return;
  const frees = !to.isBuffered ? '' : ` || w[T + ${T_FREES}] !== 0`;
  to.line(`if (O.${check}(${at}, ${size}) !== 0${frees}) return ${DECLINED};`);
}

/** Whether these bytes belong to a global, so that every access is valid. */
function isGlobal(to: CodeText, address: number, size: number, isWrite: boolean): boolean {
  if (address >= 0) return false;
  const at = to.code.pool[~address]!;
  return to.code.program.globals.some((global, i) => {
    const start = to.layout.globals[i]!;
    if (global.threadLocal === true || (isWrite && global.readOnly === true)) return false;
    return start <= at && at + size <= start + global.size;
  });
}

export function isAligned(to: CodeText, address: number): boolean {
  return address < 0 && (to.code.pool[~address]! & 3) === 0;
}

/** The site of the event: `Frames.userSite`. */
export function siteText(to: CodeText, pc: number): string {
  const site = to.words[pc + op.SITE]!;
  return to.code.isLibrary[site] === 1 ? to.name(`F.userSite(t, ${site})`) : `${site}`;
}

/** Counts the event, `n`, and records it. */
export function event(to: CodeText, fields: Readonly<Record<number, string>>): void {
  to.line(`const n = w[T + ${T_EVENTS}] + 1; w[T + ${T_EVENTS}] = n;`);
  to.line('const a = V.extend(), v = V.words;');
  const all: Readonly<Record<number, string>> = { [ev.E_THREAD]: 't', [ev.E_INDEX]: 'n', [ev.E_STEP]: 'p', ...fields };
  for (let field = 0; field < ev.EVENT_FIELDS; field++) to.line(`v[a + ${field}] = ${all[field] ?? '0'};`);
}
