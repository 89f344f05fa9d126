/**
 * Inline assembly of generated programs: its text, and its effect according to the processor manuals. The
 * simulator uses the effects given here, not the text.
 */
import type { Place, Size, Value } from './ast.ts';

/** What a barrier waits for: everything, earlier stores before later ones, or nothing. */
export type Strength = 'full' | 'stores' | 'none';

/** As in a C string. Loads are never delayed here, so `lfence` has no effect. */
export const BARRIERS: readonly { readonly text: string; readonly strength: Strength }[] = [
  { text: 'mfence', strength: 'full' },
  { text: 'sfence', strength: 'stores' },
  { text: '', strength: 'none' },
  { text: 'lfence', strength: 'none' },
  { text: 'MFENCE', strength: 'full' },
  { text: 'lfence\\n\\tsfence', strength: 'stores' },
  { text: 'sfence; mfence;', strength: 'full' },
  { text: 'lock; addl $0,0(%%esp)', strength: 'full' },
  { text: 'lock orl $0x0, -4(%%esp)', strength: 'full' },
  { text: '{lock|LOCK}\\n\\txorb $0,(%%esp)', strength: 'full' },
  { text: 'pause', strength: 'none' },
  { text: 'rep; nop', strength: 'none' },
  { text: 'nop; nop', strength: 'none' },
  { text: '# mfence', strength: 'none' },
  { text: '.byte 0xf3,0x90', strength: 'none' },
  { text: '.byte 0x0f, 0xae, 0xf0', strength: 'full' },
  { text: 'jmp 1f; mfence; 1: nop', strength: 'none' },
];

/**
 * Locked instructions; `inc`, `dec` and `not` take no value, `bts`, `btr` and `btc` take a bit number, `xadd` and
 * `xchg` return the old value.
 */
export type Locked = 'add' | 'sub' | 'and' | 'or' | 'xor' | 'inc' | 'dec' | 'xadd' | 'xchg' | Bitwise;
type Bitwise = 'not' | 'bts' | 'btr' | 'btc';
export const LOCKED: readonly Locked[] = [
  ...(['add', 'sub', 'and', 'or', 'xor', 'inc', 'dec', 'xadd', 'xchg'] as const),
  ...(['not', 'bts', 'btr', 'btc'] as const),
];
export const SPELLINGS = 4;

export const givesOld = (operator: Locked): boolean => operator === 'xadd' || operator === 'xchg';
export const takesBit = (operator: Locked): boolean => operator.startsWith('bt');
/** A bit number within the place: as a register operand it could also select another word. */
export const bitWithin = (value: Value, { size }: Place): Value => ({ reg: -1, low: value.low % (8 * size), high: 0 });
export const takesValue = (operator: Locked): boolean => !['inc', 'dec', 'not'].includes(operator);
/** Whether it reports if the result is zero. */
export const setsZero = (operator: Locked): boolean => operator !== 'xchg' && operator !== 'not' && !takesBit(operator);

/** Without `lock`: a load and a store, or one of them. `xadd` returns the old value, as `load` does. */
export type Plain = 'load' | 'store' | 'add' | 'inc' | 'dec' | 'xadd';
export const PLAIN: readonly Plain[] = ['load', 'load', 'store', 'store', 'add', 'inc', 'dec', 'xadd'];
export const isChange = (operator: Plain): boolean => operator !== 'load' && operator !== 'store';

const SUFFIXES: Readonly<Record<Size, string>> = { 1: 'b', 2: 'w', 4: 'l', 8: 'q' };
const LOCKS: readonly string[] = ['lock; ', 'lock ', 'lock\\n\\t', '{lock|LOCK}; '];

function prefix(spelling: number): string {
  return LOCKS[spelling % LOCKS.length]!;
}

/**
 * A locked instruction on a place. `old` names a variable of the place's type, which holds the operand if the
 * instruction changes it; `zero` names one for whether the result was zero.
 */
export function printLocked(
  operator: Locked,
  place: string,
  { size }: Place,
  spelling: number,
  value: string,
  zero: string,
): string {
  const isByte = size === 1;
  // Without a suffix, the size is that of the register.
  const suffix = spelling === 1 && takesValue(operator) ? '' : SUFFIXES[size];
  // An exchange is locked even without the prefix.
  const lock = operator === 'xchg' && spelling % 2 === 1 ? '' : prefix(spelling);
  const register = isByte ? 'q' : 'r';
  const outputs: string[] = [];
  const inputs: string[] = [];
  if (givesOld(operator)) {
    if (spelling === 2) {
      outputs.push(`"=${register}"(v)`);
      inputs.push('"0"(v)');
    } else outputs.push(`"+${register}"(v)`);
  }
  const at = outputs.length;
  if (spelling === 3) {
    outputs.push(`"=m"(${place})`);
    inputs.push(`"m"(${place})`);
  } else outputs.push(`"+m"(${place})`);
  const flag = outputs.length;
  if (zero !== '') outputs.push(spelling % 2 === 0 ? `"=q"(${zero})` : `"=@ccz"(${zero})`);
  const source = givesOld(operator) ? 0 : outputs.length + inputs.length;
  if (takesValue(operator) && !givesOld(operator))
    inputs.push(`"${spelling === 0 || spelling === 3 ? `i${register}` : register}"(${value})`);
  const operands = !takesValue(operator)
    ? `%${at}`
    : operator === 'xchg' && spelling === 2
      ? `%${at},%${source}`
      : `%${source},%${at}`;
  const set = zero !== '' && spelling % 2 === 0 ? `; sete %${flag}` : '';
  const clobbers = spelling % 2 === 0 ? '"memory"' : '"memory", "cc"';
  return `__asm__ volatile("${lock}${operator}${suffix} ${operands}${set}" : ${outputs.join(', ')} : ${inputs.join(', ')} : ${clobbers});`;
}

/** An instruction without `lock` on a place; `v` has the operand before and the value found after. */
export function printPlain(operator: Plain, place: string, { size }: Place, spelling: number): string {
  const [suffix, register] = [spelling === 1 ? '' : SUFFIXES[size], size === 1 ? 'q' : 'r'];
  const start = spelling === 2 ? 'jmp 1f; 1: ' : '';
  const memory = spelling === 3 ? `"=m"(${place}) : "m"(${place})` : `"+m"(${place}) :`;
  const input = spelling === 3 ? `, "${register}"(v)` : ` "${register}"(v)`;
  const at = spelling === 3 ? 2 : 1;
  const end = ': "memory", "cc");';
  switch (operator) {
    case 'load':
      return `__asm__ volatile("${start}mov${suffix} %1,%0" : "=${register}"(v) : "m"(${place}) ${end}`;
    case 'store':
      return `__asm__ volatile("${start}mov${suffix} %1,%0" : "=m"(${place}) : "${register}"(v) ${end}`;
    case 'add':
      return `__asm__ volatile("${start}add${suffix} %${at},%0" : ${memory}${input} ${end}`;
    case 'inc':
    case 'dec':
      return `__asm__ volatile("${start}${operator}${SUFFIXES[size]} %0" : ${memory} ${end}`;
    case 'xadd':
      return `__asm__ volatile("${start}xadd${suffix} %0,%1" : "+${register}"(v), "+m"(${place}) : ${end}`;
  }
}

/** Compares `e` with the place; `z` is whether they were equal, and `e` receives the old value. Up to 4 bytes only. */
export function printCompareExchange(place: string, { size }: Place, spelling: number, desired: string): string {
  const register = size === 1 ? 'q' : 'r';
  const suffix = spelling === 1 ? '' : SUFFIXES[size];
  const flag = spelling % 2 === 0 ? '"=q"(z)' : '"=@ccz"(z)';
  const set = spelling % 2 === 0 ? '; setz %2' : '';
  const [outputs, inputs, source] =
    spelling === 2 ? ['"=a"(e)', `"0"(e), "${register}"(${desired})`, 4] : ['"+a"(e)', `"${register}"(${desired})`, 3];
  return `__asm__ volatile("${prefix(spelling)}cmpxchg${suffix} %${source},%1${set}" : ${outputs}, "+m"(${place}), ${flag} : ${inputs} : "memory", "cc");`;
}
