/** The table of instructions by opcode, and the readers of those that only compute. Calls are in `calls.ts`. */
import {
  readBranch,
  readIndirectBranch,
  readInvoke,
  readLandingPad,
  readPhi,
  readResume,
  readReturn,
  readSwitch,
  readUnreachable,
} from './control-instructions.ts';
import { type Lexer, WORD } from './lexer.ts';
import {
  readAlloca,
  readCompareExchange,
  readElementAddress,
  readFence,
  readLoad,
  readModify,
  readStore,
} from './memory-instructions.ts';
import type { LOperation } from './module.ts';
import type { Names } from './names.ts';
import { BINARY, CASTS } from './operators.ts';
import { readType } from './types.ts';
import { readTypedValue, readValue, skipFlags } from './values.ts';

/** Reads what follows the opcode, up to metadata; `undefined` if `module.ts` has no such operation. */
type Read = (lexer: Lexer, names: Names, opcode: string) => LOperation | undefined;

/** `add nsw i32 %a, 1` */
const readBinary: Read = (lexer, names, operator) => {
  skipFlags(lexer);
  const type = readType(lexer, names);
  const left = readValue(lexer, names, type);
  lexer.expectSign(',');
  return { op: 'binary', operator, type, left, right: readValue(lexer, names, type) };
};

/** `zext nneg i8 %a to i32` */
const readCast: Read = (lexer, names, operator) => {
  skipFlags(lexer);
  const { type: from, value } = readTypedValue(lexer, names);
  lexer.expect('to');
  return { op: 'cast', operator, from, value, to: readType(lexer, names) };
};

/** `icmp samesign slt i32 %a, %b` */
const readCompare: Read = (lexer, names, opcode) => {
  skipFlags(lexer);
  const predicate = lexer.takeName(WORD, 'a predicate');
  const type = readType(lexer, names);
  const left = readValue(lexer, names, type);
  lexer.expectSign(',');
  const right = readValue(lexer, names, type);
  return { op: opcode === 'icmp' ? 'icmp' : 'fcmp', predicate, type, left, right };
};

const readNegate: Read = (lexer, names) => {
  skipFlags(lexer);
  return { op: 'fneg', ...readTypedValue(lexer, names) };
};

const readFreeze: Read = (lexer, names) => ({ op: 'freeze', ...readTypedValue(lexer, names) });

/** `select i1 %c, i32 1, i32 2` */
const readSelect: Read = (lexer, names) => {
  skipFlags(lexer);
  const condition = readTypedValue(lexer, names);
  lexer.expectSign(',');
  const ifTrue = readTypedValue(lexer, names);
  lexer.expectSign(',');
  return { op: 'select', condition, ifTrue, ifFalse: readTypedValue(lexer, names) };
};

/** `extractvalue { i32, i1 } %a, 0` */
const readExtract: Read = (lexer, names) => {
  const aggregate = readTypedValue(lexer, names);
  return { op: 'extractvalue', aggregate, indices: readIndices(lexer) };
};

/** `insertvalue { i32, i1 } %a, i32 1, 0` */
const readInsert: Read = (lexer, names) => {
  const aggregate = readTypedValue(lexer, names);
  lexer.expectSign(',');
  const value = readTypedValue(lexer, names);
  return { op: 'insertvalue', aggregate, value, indices: readIndices(lexer) };
};

/** `extractelement <4 x i32> %a, i64 0` */
const readExtractElement: Read = (lexer, names) => {
  const vector = readTypedValue(lexer, names);
  lexer.expectSign(',');
  return { op: 'extractelement', vector, index: readTypedValue(lexer, names) };
};

/** `insertelement <4 x i32> %a, i32 1, i64 0` */
const readInsertElement: Read = (lexer, names) => {
  const vector = readTypedValue(lexer, names);
  lexer.expectSign(',');
  const value = readTypedValue(lexer, names);
  lexer.expectSign(',');
  return { op: 'insertelement', vector, value, index: readTypedValue(lexer, names) };
};

/** `shufflevector <2 x i32> %a, <2 x i32> %b, <2 x i32> <i32 0, i32 3>` */
const readShuffle: Read = (lexer, names) => {
  const left = readTypedValue(lexer, names);
  lexer.expectSign(',');
  const right = readTypedValue(lexer, names);
  lexer.expectSign(',');
  return { op: 'shufflevector', left, right, mask: readTypedValue(lexer, names) };
};

function readIndices(lexer: Lexer): number[] {
  const indices: number[] = [];
  while (lexer.acceptComma()) indices.push(lexer.takeCount());
  if (indices.length === 0) lexer.fail('an index');
  return indices;
}

/** `va_arg ptr %list, i32` */
const readVariadicArgument: Read = (lexer, names) => {
  const list = readTypedValue(lexer, names);
  lexer.expectSign(',');
  return { op: 'va_arg', list, type: readType(lexer, names) };
};

export const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ...Array.from(BINARY, (opcode): [string, Read] => [opcode, readBinary]),
  ...Array.from(CASTS, (opcode): [string, Read] => [opcode, readCast]),
  ['fneg', readNegate],
  ['icmp', readCompare],
  ['fcmp', readCompare],
  ['select', readSelect],
  ['freeze', readFreeze],
  ['extractvalue', readExtract],
  ['insertvalue', readInsert],
  ['extractelement', readExtractElement],
  ['insertelement', readInsertElement],
  ['shufflevector', readShuffle],
  ['va_arg', readVariadicArgument],
  ['alloca', readAlloca],
  ['load', readLoad],
  ['store', readStore],
  ['fence', readFence],
  ['cmpxchg', readCompareExchange],
  ['atomicrmw', readModify],
  ['getelementptr', readElementAddress],
  ['phi', readPhi],
  ['ret', readReturn],
  ['br', readBranch],
  ['switch', readSwitch],
  ['indirectbr', readIndirectBranch],
  ['unreachable', readUnreachable],
  ['invoke', readInvoke],
  ['landingpad', readLandingPad],
  ['resume', readResume],
]);

/** Instructions that end a block, including those of other platforms, which we do not read. */
const TERMINATORS: ReadonlySet<string> = new Set(
  ('ret br switch indirectbr unreachable ' + 'invoke callbr resume catchswitch catchret cleanupret').split(' '),
);

export function isTerminator(opcode: string): boolean {
  return TERMINATORS.has(opcode);
}

/** Whether the instruction has a result: LLVM then numbers it even if the text does not name it. */
export function hasResult(operation: LOperation): boolean {
  switch (operation.op) {
    case 'store':
    case 'fence':
    case 'ret':
    case 'br':
    case 'condbr':
    case 'switch':
    case 'indirectbr':
    case 'unreachable':
    case 'resume':
    case 'unsupported':
      return false;
    case 'call':
    case 'invoke':
      return operation.type.kind !== 'void';
    default:
      return true;
  }
}
