/**
 * Accesses that are not events, in generated code: to memory that no other thread sees, and our library's `GLANCE`s.
 */

import * as op from '../code/opcodes.ts';
import { BITS } from '../code/type-codes.ts';
import { T_HEAD } from '../state/layout.ts';
import type { CodeText } from './code-text.ts';

/** A load, or a glance with an empty own buffer: words and bytes here, the rest in the interpreter. */
export function peekText(to: CodeText, pc: number): void {
  const [type, dest] = [to.operand(pc, op.PEEK_TYPE), to.operand(pc, op.PEEK_DEST)];
  const address = to.operand(pc, op.PEEK_ADDRESS);
  const isByte = BITS[type] === 8;
  if (BITS[type] !== 32 && !isByte) return to.delegate(`I.other(t, f, ${pc})`, pc, type, dest);
  const at = to.low(address);
  const isGood = isByte ? `O.check(${at}, 1) === 0` : isGoodWord(at, 'check');
  const value = isByte ? `w[${at} >> 2] << (24 - 8 * (${at} & 3)) >> 24` : `w[${at} >> 2]`;
  const isDrained = to.words[pc] === op.PEEK || !to.isBuffered ? '' : ` && w[T + ${T_HEAD}] === 0`;
  const name = to.declare();
  to.line(`if (${isGood}${isDrained}) w[f + ${dest}] = ${name} = ${value}; else {`);
  to.delegate(`I.other(t, f, ${pc})`, pc, type, dest);
  to.line(`${name} = w[f + ${dest}];`);
  to.line('}');
  to.know(dest, name);
}

export function pokeText(to: CodeText, pc: number): void {
  const [type, address] = [to.operand(pc, op.POKE_TYPE), to.operand(pc, op.POKE_ADDRESS)];
  const value = to.operand(pc, op.POKE_VALUE);
  // If writes are counted, the interpreter does it.
  if (BITS[type] !== 32 || to.countsWrites) return to.delegate(`I.other(t, f, ${pc})`, pc, type, -1);
  const [at, word] = [to.low(address), to.low(value)];
  to.line(`if (${isGoodWord(at, 'checkWrite')}) s.set(${at} >> 2, ${word}); else {`);
  to.delegate(`I.other(t, f, ${pc})`, pc, type, -1);
  to.line('}');
}

/** Whether a word can simply be read or written at this address. */
function isGoodWord(address: string, check: 'check' | 'checkWrite'): string {
  return `(${address} & 3) === 0 && O.${check}(${address}, 4) === 0`;
}
