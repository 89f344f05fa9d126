/** The text of inline assembly, as LLVM writes it (`$0` is an operand, `$$1` a number), split into instructions. */

export type Architecture = 'x86' | 'aarch64' | 'riscv' | 'other';

/** What the text is written for, and the bits of a register. */
export interface Target {
  readonly architecture: Architecture;
  readonly bits: 32 | 64;
}

export function targetOf(triple: string): Target {
  if (/^i[3-6]86-|^$/.test(triple)) return { architecture: 'x86', bits: 32 };
  if (/^x86_64/.test(triple)) return { architecture: 'x86', bits: 64 };
  if (/^(?:aarch64|arm64)/.test(triple)) return { architecture: 'aarch64', bits: 64 };
  if (/^riscv/.test(triple)) return { architecture: 'riscv', bits: triple.startsWith('riscv32') ? 32 : 64 };
  return { architecture: 'other', bits: 64 };
}

export interface AssemblyInstruction {
  /** In lower case; empty for the end of the text, if labels are there. */
  readonly name: string;
  readonly isLocked: boolean;
  /** What follows the name, in lower case except for the letters of operands such as `${0:H}`. */
  readonly rest: string;
  /** `rest` split at its commas, except for those in parentheses, brackets or braces. */
  readonly operands: readonly string[];
  /** The labels directly before it. */
  readonly labels: readonly string[];
  /** As written, for messages. */
  readonly text: string;
}

/** The instructions, separated by `;` and line ends. Their meaning is not checked here. */
export function readAssembly(text: string, architecture: Architecture = 'other'): readonly AssemblyInstruction[] {
  const list: AssemblyInstruction[] = [];
  let prefix = '';
  let labels: string[] = [];
  for (const statement of statements(text, architecture)) {
    let rest = statement;
    for (let label = LABEL.exec(rest); prefix === '' && label !== null; label = LABEL.exec(rest)) {
      labels.push(inLowerCase(label[1]!));
      rest = rest.slice(label[0].length);
    }
    if (rest === '') continue;
    // `lock; incl x` and `lock incl x` are the same.
    const whole = prefix === '' ? rest : `${prefix} ${rest}`;
    const isPrefixAlone = /^(?:lock|rep|lock rep)$/i.test(whole);
    prefix = isPrefixAlone ? whole : '';
    if (isPrefixAlone) continue;
    list.push(instruction(whole, labels));
    labels = [];
  }
  if (prefix !== '') list.push(instruction(prefix, labels));
  else if (labels.length > 0)
    list.push({ name: '', isLocked: false, rest: '', operands: [], labels, text: `${labels.at(-1)}:` });
  return list;
}

/** `1:`, `retry:`, `.L${:uid}:` */
const LABEL = /^((?:[\w.]|\$\{:uid\})+)\s*:\s*/;

/** Whether any instruction names an operand, by number or by register, or accesses memory other than the stack. */
export function namesOperands(text: string): boolean {
  return /\$[\d{]|[%[(]/.test(text.replace(/\$\$|\$[(|)]|\$\{:uid\}|\(%[er]sp\)/g, ''));
}

/** The library function that instructions which read a clock call. */
export const CLOCK = '__fencepost_clock';

/** ARM's system registers that count time or cycles; and RISC-V's. */
export const COUNTERS: ReadonlySet<string> = new Set([
  ...['cntvct_el0', 'cntpct_el0', 'cntvctss_el0', 'cntpctss_el0', 'pmccntr_el0'],
  ...['time', 'cycle', 'instret'],
]);

/** Whether an instruction reads a clock. */
export function namesClock(text: string): boolean {
  return /\brd(?:tscp?|time|cycle|instret)\b/i.test(text) || /\b(?:mrs|csrr)\b/i.test(text);
}

/**
 * Instructions that raise an exception, which ends a program that no debugger runs. Their operand is only a number for
 * whoever catches it; `int` has the number of the exception.
 */
const TRAPS: Readonly<Record<Architecture, RegExp | undefined>> = {
  x86: /^(?:int3|ud2|int \$\$(?:3|0x3))$/,
  aarch64: /^(?:brk|udf|hlt) #?(?:0x[\da-f]+|\d+|\$\{?\d+(?::c\})?)$/,
  riscv: /^(?:c\.)?(?:ebreak|unimp)$/,
  other: undefined,
};

export function isTrap({ name, rest, isLocked }: AssemblyInstruction, architecture: Architecture): boolean {
  return !isLocked && TRAPS[architecture]?.test(`${name} ${rest}`.trim()) === true;
}

/** Comment syntax differs: `#` begins an operand on ARM and SPARC. */
const COMMENTS: Readonly<Record<Architecture, RegExp | undefined>> = {
  x86: /(?:^|\s)#\s.*$/,
  riscv: /(?:^|\s)#\s.*$/,
  aarch64: /\/\/.*$/,
  other: undefined,
};

function statements(text: string, architecture: Architecture): readonly string[] {
  const comment = COMMENTS[architecture];
  const lines = text
    // From `{lock|LOCK}`, take the first alternative: it is for the syntax that clang uses.
    .replace(/\$\((.*?)(?:\$\|.*?)?\$\)/gs, '$1')
    .replaceAll('$|', '|')
    .replace(/\/\*.*?\*\//gs, ' ')
    .split('\n')
    .map((line) => (comment === undefined ? line : line.replace(comment, '')).trim())
    .filter((line) => !line.startsWith('#') && !line.startsWith('//'));
  return lines.flatMap((line) => line.split(';').map((part) => part.trim())).filter((part) => part !== '');
}

function instruction(text: string, labels: readonly string[]): AssemblyInstruction {
  const words = /^(lock\s+)?(?:(rep)\s+)?(\S+)\s*(.*)$/is.exec(text)!;
  const name = words[2] === undefined ? words[3]! : `rep ${words[3]!}`;
  const rest = inLowerCase(words[4]!).replace(/\s+/g, ' ').trim();
  const operands = rest === '' ? [] : rest.split(/,(?![^([{]*[)\]}])/).map((operand) => operand.trim());
  return { name: inLowerCase(name), isLocked: words[1] !== undefined, rest, operands, labels, text };
}

/** Except for the letters of operands, where case matters: `%h0` and `%H0`. */
function inLowerCase(text: string): string {
  return text.replace(/\$\{[^}]*\}|[^$]+|\$/g, (part) => (part.startsWith('${') ? part : part.toLowerCase()));
}
