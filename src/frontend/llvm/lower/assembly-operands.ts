/**
 * The constraints of inline assembly, such as `=r,=*m,0,*m,~{memory}`: outputs, inputs and clobbers, in this order. `*`
 * means that the argument is the address of the operand; a number means that an input shares a register with that
 * output.
 */

import type { Argument, LInstruction, LType, LValue } from '../ir/module.ts';
import { namesOperands } from './assembly-text.ts';

type Call = LInstruction & { readonly op: 'call' };
export type AssemblyCall = Call & { readonly callee: LValue & { readonly kind: 'asm' } };

export function isAssembly(call: Call): call is AssemblyCall {
  return call.callee.kind === 'asm';
}

export interface Constraint {
  readonly isOutput: boolean;
  /** Written before all inputs have been read, so that it shares no register with an input. */
  readonly isEarly: boolean;
  readonly isIndirect: boolean;
  /** Letters, a register in braces or the number of an output; `|` separates alternatives. */
  readonly code: string;
  /** The value, or the address if it is indirect. Direct outputs have none. */
  readonly argument: Argument | undefined;
}

/** The operands in the order of their numbers, or `undefined` if the constraints are not understood. */
export function readConstraints({ callee, arguments: given }: AssemblyCall): readonly Constraint[] | undefined {
  const list: Constraint[] = [];
  let next = 0;
  for (const text of constraintTexts(callee.constraints)) {
    if (text.startsWith('~')) continue;
    const parts = /^(=?)([&*%]*)([^&*%=!+]+)$/.exec(text);
    if (parts === null) return undefined;
    const [isOutput, isIndirect] = [parts[1] === '=', parts[2]!.includes('*')];
    const argument = isOutput && !isIndirect ? undefined : given[next++];
    if (argument === undefined && (!isOutput || isIndirect)) return undefined;
    list.push({ isOutput, isEarly: parts[2]!.includes('&'), isIndirect, code: parts[3]!, argument });
  }
  return next === given.length ? list : undefined;
}

function constraintTexts(constraints: string): readonly string[] {
  return constraints === '' ? [] : constraints.split(',');
}

/** The registers that the statement may change although they are not operands. */
export function clobberedRegisters({ callee }: AssemblyCall): readonly string[] {
  return constraintTexts(callee.constraints).flatMap((text) => {
    const name = /^~\{(\w+)\}$/.exec(text)?.[1];
    return name === undefined || NO_REGISTERS.has(name) ? [] : [wholeRegister(name)];
  });
}

const NO_REGISTERS = new Set(['memory', 'cc', 'flags', 'fpsr', 'dirflag']);

/** Whether it is in memory, whatever the compiler chooses. `Q` and `A`, when indirect, are addresses in a register. */
export function isMemory({ isIndirect, code }: Constraint): boolean {
  return isIndirect && /^(?:[moV|]+|\d+|Q|A)$/.test(code);
}

/** The number of the output that an input shares its register with. */
export function tieOf({ isOutput, code }: Constraint): number | undefined {
  const [first, ...others] = code.split('|');
  if (isOutput || !/^\d+$/.test(first!) || others.some((other) => other !== first)) return undefined;
  return Number(first);
}

/** The register that the constraint names. */
export function registerOf({ code }: Constraint): string | undefined {
  const name = /^\{(\w+)\}$/.exec(code)?.[1];
  return name === undefined ? undefined : wholeRegister(name);
}

/** The registers `d` and `a` of i386 together, as one operand. */
export function isPair({ isIndirect, code }: Constraint): boolean {
  return !isIndirect && code === 'A';
}

/** The whole register that this one is part of: `a` for `al`, `ax`, `eax` and `rax`, `x9` for `w9`. */
export function wholeRegister(name: string): string {
  const x86 = /^[er]?([abcd])x$|^([abcd])[lh]$|^[er]?(si|di|bp|sp)l?$|^(r\d+)[bwd]?$/.exec(name);
  const found = x86?.slice(1).find((part) => part !== undefined);
  if (found !== undefined) return found;
  return /^w\d+$/.test(name) ? `x${name.slice(1)}` : name;
}

/** The condition, if the output is one: `z` for `{@ccz}`. */
export function conditionOf({ code }: Constraint): string | undefined {
  return /^\{@cc(\w+)\}$/.exec(code)?.[1];
}

/** Certainly a number, never a register. Below: possibly a number, possibly in memory. */
export function isNumber({ code }: Constraint): boolean {
  return /^[insIJKLMNOeZ|]+$/.test(code);
}
export function maybeNumber({ code }: Constraint): boolean {
  return !code.startsWith('{') && /[insIJKLMNOeZgX]/.test(code);
}
export function maybeMemory({ code }: Constraint): boolean {
  return !code.startsWith('{') && /[moVgX]/.test(code);
}

/** The types of the direct outputs. */
export function outputTypes(type: LType): readonly LType[] {
  if (type.kind === 'void') return [];
  return type.kind === 'struct' ? type.fields : [type];
}

/**
 * How a local variable whose address is this argument is used: `none` if it is an operand in memory that no instruction
 * names, `private` if only its address is used and nothing can keep it, otherwise `shared`.
 */
export function useOfArgument(call: AssemblyCall, place: number): 'none' | 'private' | 'shared' {
  const argument = call.arguments[place]!;
  const constraint = readConstraints(call)?.find((one) => one.argument === argument);
  if (constraint === undefined || namesOperands(call.callee.text)) return 'shared';
  if (isMemory(constraint)) return 'none';
  return constraint.isIndirect || call.type.kind === 'void' ? 'private' : 'shared';
}
