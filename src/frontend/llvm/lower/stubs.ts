/** Definitions that the user requests with `--stub name=value` for functions that are not defined. */
import { FrontendError } from '../ir/frontend-error.ts';
import type { LFunction, LType, LValue, Module } from '../ir/module.ts';

/** Values by name; without one, zero is returned. */
export type Stubs = ReadonlyMap<string, number | bigint>;

/** Reads `name` or `name=value`; `undefined` if the text is neither. */
export function readStub(text: string): readonly [name: string, value: number | bigint] | undefined {
  const [, name, value = '0'] = /^([A-Za-z_$][\w$]*)(?:=(.*))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  if (/^-?(?:0[xX][\da-fA-F]+|\d+)$/.test(value)) {
    const magnitude = BigInt(value.replace('-', ''));
    return [name, value.startsWith('-') ? -magnitude : magnitude];
  }
  return /^-?(?:\d+\.\d*|\.?\d+)(?:e[+-]?\d+)?$/i.test(value) ? [name, Number(value)] : undefined;
}

/** The definition of a declared function that only returns the value. */
export function stubOf(declared: LFunction, value: number | bigint, { sourceFile }: Module): LFunction {
  const { result, parameters, name } = declared;
  const isOther = parameters[0]?.sret !== undefined || !RETURNED.includes(result.kind);
  if (isOther) {
    throw new FrontendError(
      { file: sourceFile, line: 1, column: 1 },
      `--stub ${name}: it does not return a number or pointer`,
    );
  }
  if (isCut(result, value)) {
    throw new FrontendError(
      { file: sourceFile, line: 1, column: 1 },
      `--stub ${name}=${value}: it does not return such a number`,
    );
  }
  const returned = returnedValue(result, value);
  const ends = { op: 'ret', textLine: 0 } as const;
  const body = [returned === undefined ? ends : { ...ends, value: { type: result, value: returned } }];
  return { ...declared, isWeak: false, isDefinition: true, blocks: [{ name: 'stub', body }], variables: new Map() };
}

const RETURNED: readonly string[] = ['void', 'int', 'float', 'double', 'ptr'];

/** Whether the type cannot represent the value, neither signed nor unsigned. */
function isCut(type: LType, value: number | bigint): boolean {
  const bits = type.kind === 'int' ? type.bits : type.kind === 'ptr' ? 64 : 0;
  if (bits === 0) return false;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return true;
  const exact = BigInt(value);
  return BigInt.asIntN(bits, exact) !== exact && BigInt.asUintN(bits, exact) !== exact;
}

function returnedValue(type: LType, value: number | bigint): LValue | undefined {
  if (type.kind === 'void') return undefined;
  if (type.kind === 'ptr' && BigInt(Math.trunc(Number(value))) === 0n) return { kind: 'null' };
  if (type.kind === 'int')
    return {
      kind: 'int',
      value: BigInt.asIntN(type.bits, BigInt(typeof value === 'bigint' ? value : Math.trunc(value))),
    };
  if (type.kind === 'ptr') {
    const operand = { type: { kind: 'int', bits: 64 } as const, value: { kind: 'int', value: BigInt(value) } as const };
    return { kind: 'cast', operator: 'inttoptr', operand, to: type };
  }
  return { kind: 'float', value: Number(value) };
}
