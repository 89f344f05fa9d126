/** Prints code as text, and finds errors in it, both by `instruction-table.ts`. */

import type { Code, FunctionCode } from '../../src/machine/code/code.ts';
import {
  fixedWords,
  HEADER,
  INSTRUCTIONS,
  type InstructionForm,
  type OperandForm,
} from '../../src/machine/code/instruction-table.ts';
import * as op from '../../src/machine/code/opcodes.ts';
import { ORDERS, TYPES } from '../../src/program/types.ts';

const FORMS: ReadonlyMap<number, InstructionForm> = new Map(INSTRUCTIONS.map((form) => [form.operation, form]));

/** For operands that are indices into a list: the names in that list. */
const LISTS: Readonly<Partial<Record<OperandForm['kind'], readonly string[]>>> = {
  type: TYPES,
  order: ORDERS,
  binary: op.BINARY_OPERATORS,
  unary: op.UNARY_OPERATORS,
  cast: op.CAST_OPERATORS,
  rmw: op.RMW_OPERATORS,
  predicate: op.PREDICATES,
};

interface Placed {
  readonly form: OperandForm;
  readonly word: number;
}

function operandsAt(words: Int32Array, pc: number, form: InstructionForm): readonly Placed[] {
  const placed = form.operands.map((operand, i) => ({ form: operand, word: words[pc + HEADER + i]! }));
  for (let at = pc + fixedWords(form); at < pc + op.lengthAt(words, pc); at += form.each.length) {
    placed.push(...form.each.map((operand, i) => ({ form: operand, word: words[at + i]! })));
  }
  return placed;
}

/** One line for each instruction: `12  LOAD type=i32 dest=r5 address=#0 order=plain`. */
export function listCode({ words }: Code, { entry, end }: FunctionCode): string {
  const lines: string[] = [];
  for (let pc = entry; pc < end; pc += op.lengthAt(words, pc)) {
    const form = FORMS.get(words[pc]!)!;
    const operands = operandsAt(words, pc, form).map((operand) => ` ${operand.form.name}=${operandText(operand)}`);
    lines.push(`${pc}  ${form.name}${operands.join('')}`);
  }
  return lines.join('\n');
}

function operandText({ form, word }: Placed): string {
  if (form.isOptional && word === -1) return 'none';
  if (form.kind === 'text' && word === op.NO_TEXT) return 'none';
  if (form.kind === 'value' || form.kind === 'text') return word < 0 ? `#${~word}` : `r${word}`;
  if (form.kind === 'register') return `r${word}`;
  return LISTS[form.kind]?.[word] ?? `${word}`;
}

/** The errors in the code, each with its place. */
export function codeErrors(code: Code): readonly string[] {
  const errors: string[] = [];
  for (const [index, func] of code.functions.entries()) {
    const starts = startsOf(code.words, func);
    if (starts === undefined) {
      errors.push(`function ${index}: does not end with an instruction`);
      continue;
    }
    for (const pc of starts) {
      const form = FORMS.get(code.words[pc]!)!;
      const site = code.words[pc + op.SITE]!;
      if (site < 0 || site >= Math.max(1, code.sites.length)) errors.push(`${pc} ${form.name}: site ${site}`);
      for (const operand of operandsAt(code.words, pc, form)) {
        if (!isValid(code, func, starts, operand))
          errors.push(`${pc} ${form.name}: ${operand.form.name} ${operand.word}`);
      }
    }
  }
  return errors;
}

/** Where the instructions of a function begin; `undefined` if an instruction is unknown or reaches past the end. */
function startsOf(words: Int32Array, { entry, end }: FunctionCode): ReadonlySet<number> | undefined {
  const starts = new Set<number>();
  let pc = entry;
  for (; pc < end; pc += op.lengthAt(words, pc)) {
    if (!FORMS.has(words[pc]!)) return undefined;
    starts.add(pc);
  }
  return pc === end ? starts : undefined;
}

function isValid(code: Code, func: FunctionCode, starts: ReadonlySet<number>, { form, word }: Placed): boolean {
  if (form.isOptional && word === -1) return true;
  const isRegister = word >= op.FRAME_HEADER && word < func.frameWords;
  switch (form.kind) {
    case 'register':
      return isRegister;
    case 'text':
      return word === op.NO_TEXT || isRegister || isConstant(code, word);
    case 'value':
      return isRegister || isConstant(code, word);
    case 'pc':
      return starts.has(word);
    case 'count':
      return word >= 0;
    case 'number':
      return true;
    default:
      return word >= 0 && word < LISTS[form.kind]!.length;
  }
}

function isConstant({ pool }: Code, word: number): boolean {
  return word < 0 && ~word < pool.length;
}
