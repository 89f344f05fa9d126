/**
 * Accesses that are not events, in generated code: to memory that no other thread sees, and our library's `GLANCE`s.
 */

import * as op from '../code/opcodes.ts';
import { BITS, SIZES, WIDE } from '../code/type-codes.ts';
import { T_HEAD } from '../state/layout.ts';
import type { CodeText } from './code-text.ts';
import { plain } from './generate-access.ts';

/**
 * A private load, or a glance with an empty own buffer: bytes, words and pairs of words. The interpreter does the rest.
 */
export function peekText(to: CodeText, pc: number, left: number): void {
  const [type, dest] = [to.operand(pc, op.PEEK_TYPE), to.operand(pc, op.PEEK_DEST)];
  const address = to.operand(pc, op.PEEK_ADDRESS);
  const isByte = BITS[type] === 8;
  const isWide = WIDE[type] === 1;
  const at = to.low(address);
  // Undefined bits are left to the interpreter.
  const leave = (): void => {
    if (to.tracksUndefined && address >= 0)
      to.line(`if (O.checkPlain(${at}, ${SIZES[type]!}) !== 0) return r.interpret(t, ${pc}, b + ${left});`);
  };
  if (BITS[type] !== 32 && !isByte && !isWide) {
    leave();
    return to.delegate(`I.other(t, f, ${pc})`, pc, type, dest);
  }
  const check = plain(to, address, 'check');
  const isGood = isByte ? `O.${check}(${at}, 1) === 0` : isGoodWord(at, check, isWide ? 8 : 4);
  const value = isByte ? `w[${at} >> 2] << (24 - 8 * (${at} & 3)) >> 24` : `w[${at} >> 2]`;
  const values = isWide ? [value, `w[(${at} >> 2) + 1]`] : [value];
  const isDrained = to.words[pc] === op.PEEK || !to.isBuffered ? '' : ` && w[T + ${T_HEAD}] === 0`;
  const names = values.map(() => to.declare());
  const set = values.map((text, i) => `w[f + ${dest + i}] = ${names[i]} = ${text};`);
  to.line(`if (${isGood}${isDrained}) { ${set.join(' ')} } else {`);
  leave();
  to.delegate(`I.other(t, f, ${pc})`, pc, type, dest);
  for (const [i, name] of names.entries()) to.line(`${name} = w[f + ${dest + i}];`);
  to.line('}');
  for (const [i, name] of names.entries()) to.know(dest + i, name);
}

export function pokeText(to: CodeText, pc: number): void {
  const [type, address] = [to.operand(pc, op.POKE_TYPE), to.operand(pc, op.POKE_ADDRESS)];
  const value = to.operand(pc, op.POKE_VALUE);
  const isWide = WIDE[type] === 1;
  // Where writes are counted, the interpreter counts them.
  if ((BITS[type] !== 32 && !isWide) || to.countsWrites) return to.delegate(`I.other(t, f, ${pc})`, pc, type, -1);
  const at = to.low(address);
  const words = isWide ? [to.low(value), to.high(value)] : [to.low(value)];
  const set = words.map((word, i) => `s.set((${at} >> 2) + ${i}, ${word});`);
  to.line(`if (${isGoodWord(at, plain(to, address, 'checkWrite'), isWide ? 8 : 4)}) { ${set.join(' ')} } else {`);
  to.delegate(`I.other(t, f, ${pc})`, pc, type, -1);
  to.line('}');
}

/** Whether this many bytes, whole words, can simply be read or written at this address. */
function isGoodWord(address: string, check: string, size: number): string {
  return `(${address} & 3) === 0 && O.${check}(${address}, ${size}) === 0`;
}
