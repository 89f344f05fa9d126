/** The text of inline assembly, as LLVM writes it (`$0` is an operand, `$$1` a number), split into instructions. */

export interface AssemblyInstruction {
  /** In lower case. */
  readonly name: string;
  readonly isLocked: boolean;
  /** What follows the name, in lower case. */
  readonly rest: string;
  /** `rest` at its commas, except for those in parentheses. */
  readonly operands: readonly string[];
  /** As written, for messages. */
  readonly text: string;
}

/** The instructions between `;` and ends of lines. Their meaning is not checked here. */
export function readAssembly(text: string): readonly AssemblyInstruction[] {
  const list: AssemblyInstruction[] = [];
  let prefix = '';
  for (const statement of statements(text)) {
    // `lock; incl x` and `lock incl x` are the same.
    const whole = prefix === '' ? statement : `${prefix} ${statement}`;
    const isPrefixAlone = /^(?:lock|rep|lock rep)$/i.test(whole);
    prefix = isPrefixAlone ? whole : '';
    if (!isPrefixAlone) list.push(instruction(whole));
  }
  if (prefix !== '') list.push(instruction(prefix));
  return list;
}

/** Whether any instruction names an operand. */
export function namesOperands(text: string): boolean {
  return /\$[\d{]/.test(text.replaceAll('$$', ''));
}

function statements(text: string): readonly string[] {
  const lines = text
    // In `{lock|LOCK}`, the first alternative is for the syntax that clang uses.
    .replace(/\$\((.*?)(?:\$\|.*?)?\$\)/gs, '$1')
    .replaceAll('$|', '|')
    .replace(/\/\*.*?\*\//gs, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('#') && !line.startsWith('//'));
  return lines.flatMap((line) => line.split(';').map((part) => part.trim())).filter((part) => part !== '');
}

function instruction(text: string): AssemblyInstruction {
  const words = /^(lock\s+)?(?:(rep)\s+)?(\S+)\s*(.*)$/is.exec(text)!;
  const name = words[2] === undefined ? words[3]! : `rep ${words[3]!}`;
  const rest = words[4]!.toLowerCase().replace(/\s+/g, ' ').trim();
  const operands = rest === '' ? [] : rest.split(/,(?![^(]*\))/).map((operand) => operand.trim());
  return { name: name.toLowerCase(), isLocked: words[1] !== undefined, rest, operands, text };
}
