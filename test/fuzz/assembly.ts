/**
 * Inline assembly of generated programs: its text, and its effect according to the processor manuals. The
 * simulator uses the effects given here, not the text.
 */
import type { Place, Size } from './ast.ts';

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
];

/** Locked instructions; `inc` and `dec` take no value, `xadd` and `xchg` return the old value. */
export type Locked = 'add' | 'sub' | 'and' | 'or' | 'xor' | 'inc' | 'dec' | 'xadd' | 'xchg';
export const LOCKED: readonly Locked[] = ['add', 'sub', 'and', 'or', 'xor', 'inc', 'dec', 'xadd', 'xchg'];
export const SPELLINGS = 4;

export const givesOld = (operator: Locked): boolean => operator === 'xadd' || operator === 'xchg';
export const takesValue = (operator: Locked): boolean => operator !== 'inc' && operator !== 'dec';

const SUFFIXES: Readonly<Record<Size, string>> = { 1: 'b', 2: 'w', 4: 'l', 8: 'q' };
const LOCKS: readonly string[] = ['lock; ', 'lock ', 'lock\\n\\t', '{lock|LOCK}; '];

function prefix(spelling: number): string {
  return LOCKS[spelling % LOCKS.length]!;
}

/**
 * A locked instruction on a place. `old` names a variable of the place's type with the value if the instruction changes
 * it, `zero` one for whether the result was zero.
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
