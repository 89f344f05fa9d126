/**
 * The flags of a processor, as registers of the program: Z (zero), S (sign, ARM's N), C (carry), O (overflow, ARM's V)
 * and P (parity of the lowest byte). Only flags that some instruction or output of the statement reads are computed.
 */
import { int, reg } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';
import type { Type } from '../../../program/types.ts';
import type { Flag } from './assembly-registers.ts';
import type { Translation } from './assembly-translation.ts';

/** Sets flags; those in `undefined_` become unknown, as the manual leaves them undefined. */
export function setFlags(
  t: Translation,
  values: Readonly<Partial<Record<Flag, () => Operand>>>,
  undefined_ = '',
): void {
  const all = (Object.keys(values) as Flag[]).map((flag) => [flag, values[flag]!] as const);
  for (const [flag, value] of all) if (t.readFlags.has(flag)) t.builder.move(t.flagCell(flag), value());
  const set = all.map(([flag]) => flag);
  t.facts = {
    ...t.facts!,
    flags: [...new Set([...t.facts!.flags, ...set])].filter((f) => !undefined_.includes(f)).join(''),
  };
}

/** Z, S and P for a result. */
function resultFlags(t: Translation, type: Type, result: Operand): Record<'Z' | 'S' | 'P', () => Operand> {
  return {
    Z: () => t.compare('eq', result, int(0, type)),
    S: () => t.compare('slt', result, int(0, type)),
    P: () => {
      const byte = type === 'i8' ? result : t.cast('trunc', 'i8', result);
      const [count, odd] = [t.temporary('i8'), t.temporary('i8')];
      t.builder.unary('popcount', count, byte);
      t.builder.binary('and', odd, count, int(1, 'i8'));
      return t.compare('eq', reg(odd), int(0, 'i8'));
    },
  };
}

/** Flags of `left + right = result`. */
export function addFlags(t: Translation, type: Type, left: Operand, right: Operand, result: Operand): void {
  setFlags(t, {
    ...resultFlags(t, type, result),
    C: () => t.compare('ult', result, left),
    // The result's sign differs from the signs of both operands.
    O: () => {
      const [a, b] = [t.binary('xor', type, left, result), t.binary('xor', type, right, result)];
      return t.compare('slt', t.binary('and', type, a, b), int(0, type));
    },
  });
}

/** Flags of `left - right = result`. On ARM, a set carry means that nothing was borrowed. */
export function subtractFlags(t: Translation, type: Type, left: Operand, right: Operand, result: Operand): void {
  setFlags(t, {
    ...resultFlags(t, type, result),
    C: () => t.compare(t.architecture === 'aarch64' ? 'uge' : 'ult', left, right),
    // The operands' signs differ, and the result's sign is not that of the left one.
    O: () => {
      const [a, b] = [t.binary('xor', type, left, right), t.binary('xor', type, left, result)];
      return t.compare('slt', t.binary('and', type, a, b), int(0, type));
    },
  });
}

/** Flags of a bitwise operation. */
export function logicFlags(t: Translation, type: Type, result: Operand): void {
  const no = (): Operand => int(0, 'i1');
  setFlags(t, { ...resultFlags(t, type, result), C: no, O: no });
}

/** Flags of `inc` and `dec`, which leave the carry alone; `overflown` is the result of an overflow. */
export function stepFlags(t: Translation, type: Type, result: Operand, overflown: Operand): void {
  setFlags(t, { ...resultFlags(t, type, result), O: () => t.compare('eq', result, overflown) });
}

type Test = (t: Translation) => Operand;

const one =
  (flag: Flag): Test =>
  (t) =>
    t.flag(flag);
const some =
  (a: Test, b: Test): Test =>
  (t) =>
    t.binary('or', 'i1', a(t), b(t));
const differ: Test = (t) => t.binary('xor', 'i1', t.flag('S'), t.flag('O'));
const not =
  (test: Test): Test =>
  (t) =>
    t.compare('eq', test(t), int(0, 'i1'));

const X86_TESTS: readonly (readonly [names: string, test: Test])[] = [
  ['o', one('O')],
  ['b c nae', one('C')],
  ['e z', one('Z')],
  ['be na', some(one('C'), one('Z'))],
  ['s', one('S')],
  ['p pe', one('P')],
  ['l nge', differ],
  ['le ng', some(one('Z'), differ)],
  ['no', not(one('O'))],
  ['ae nb nc', not(one('C'))],
  ['ne nz', not(one('Z'))],
  ['a nbe', not(some(one('C'), one('Z')))],
  ['ns', not(one('S'))],
  ['np po', not(one('P'))],
  ['ge nl', not(differ)],
  ['g nle', not(some(one('Z'), differ))],
];

const ARM_TESTS: readonly (readonly [names: string, test: Test])[] = [
  ['eq', one('Z')],
  ['ne', not(one('Z'))],
  ['cs hs', one('C')],
  ['cc lo', not(one('C'))],
  ['mi', one('S')],
  ['pl', not(one('S'))],
  ['vs', one('O')],
  ['vc', not(one('O'))],
  ['hi', not(some(not(one('C')), one('Z')))],
  ['ls', some(not(one('C')), one('Z'))],
  ['ge', not(differ)],
  ['lt', differ],
  ['gt', not(some(one('Z'), differ))],
  ['le', some(one('Z'), differ)],
];

function table(tests: readonly (readonly [string, Test])[]): ReadonlyMap<string, Test> {
  return new Map(tests.flatMap(([names, test]) => names.split(' ').map((name) => [name, test] as const)));
}

const TESTS = { x86: table(X86_TESTS), aarch64: table(ARM_TESTS) };

/** The names of all conditions. */
export const CONDITION_NAMES: Readonly<Record<'x86' | 'aarch64', readonly string[]>> = {
  x86: [...TESTS.x86.keys()],
  aarch64: [...TESTS.aarch64.keys()],
};

/** A condition by its name (`nz`, `hi`), as an `i1`; `undefined` if there is none of that name. */
export function condition(t: Translation, name: string): Operand | undefined {
  const { architecture } = t;
  return architecture === 'x86' || architecture === 'aarch64' ? TESTS[architecture].get(name)?.(t) : undefined;
}
