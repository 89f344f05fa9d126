/** Reads the instructions that end a block, and `phi`, which refers to their blocks. */
import { readCallHead, readCallRest } from './calls.ts';
import { type Lexer, LOCAL } from './lexer.ts';
import type { LandingClause, LOperation, LValue } from './module.ts';
import type { Names } from './names.ts';
import { readType } from './types.ts';
import { readTypedValue, readValue, skipFlags } from './values.ts';

type Read = (lexer: Lexer, names: Names) => LOperation;

/** `ret void`, `ret i32 0` */
export const readReturn: Read = (lexer, names) => {
  const type = readType(lexer, names);
  if (type.kind === 'void') return { op: 'ret' };
  return { op: 'ret', value: { type, value: readValue(lexer, names, type) } };
};

/** `br label %next`, `br i1 %c, label %then, label %else` */
export const readBranch: Read = (lexer, names) => {
  if (lexer.is('label')) return { op: 'br', target: readLabel(lexer, names) };
  const condition = readTypedValue(lexer, names).value;
  lexer.expectSign(',');
  const ifTrue = readLabel(lexer, names);
  lexer.expectSign(',');
  return { op: 'condbr', condition, ifTrue, ifFalse: readLabel(lexer, names) };
};

/** `switch i32 %x, label %default [ i32 1, label %one … ]` */
export const readSwitch: Read = (lexer, names) => {
  const value = readTypedValue(lexer, names);
  lexer.expectSign(',');
  const otherwise = readLabel(lexer, names);
  lexer.expectSign('[');
  const cases: { value: bigint; target: string }[] = [];
  while (!lexer.isSign(']')) {
    const { start } = lexer;
    const constant = readTypedValue(lexer, names).value;
    if (constant.kind !== 'int') {
      throw lexer.source.error(start, lexer.source.quote(start, lexer.lastEnd), 'an integer');
    }
    lexer.expectSign(',');
    cases.push({ value: constant.value, target: readLabel(lexer, names) });
  }
  lexer.expectSign(']');
  return { op: 'switch', value, default: otherwise, cases };
};

/** `indirectbr ptr %p, [label %a, label %b]` */
export const readIndirectBranch: Read = (lexer, names) => {
  const address = readTypedValue(lexer, names).value;
  lexer.expectSign(',');
  lexer.expectSign('[');
  const targets: string[] = [];
  if (!lexer.isSign(']')) {
    do targets.push(readLabel(lexer, names));
    while (lexer.acceptSign(','));
  }
  lexer.expectSign(']');
  return { op: 'indirectbr', address, targets };
};

export const readUnreachable: Read = () => ({ op: 'unreachable' });

/** `invoke void @f(ptr %x) to label %next unwind label %pad` */
export const readInvoke: Read = (lexer, names) => {
  const call = readCallRest(lexer, names, readCallHead(lexer, names)) as LOperation & { op: 'call' };
  lexer.expect('to');
  const normal = readLabel(lexer, names);
  lexer.expect('unwind');
  return { ...call, op: 'invoke', normal, unwind: readLabel(lexer, names) };
};

/** `landingpad { ptr, i32 } cleanup catch ptr @_ZTIi filter [1 x ptr] [ptr @_ZTIi]` */
export const readLandingPad: Read = (lexer, names) => {
  const type = readType(lexer, names);
  const isCleanup = lexer.accept('cleanup');
  const clauses: LandingClause[] = [];
  for (;;) {
    if (lexer.accept('catch')) clauses.push({ kind: 'catch', value: readTypedValue(lexer, names).value });
    else if (lexer.accept('filter')) {
      const { value } = readTypedValue(lexer, names);
      clauses.push({ kind: 'filter', values: value.kind === 'aggregate' ? value.elements.map((e) => e.value) : [] });
    } else return { op: 'landingpad', type, clauses, isCleanup };
  }
};

/** `resume { ptr, i32 } %exception` */
export const readResume: Read = (lexer, names) => ({ op: 'resume', value: readTypedValue(lexer, names) });

/** `phi i32 [ 0, %entry ], [ %i, %loop ]` */
export const readPhi: Read = (lexer, names) => {
  skipFlags(lexer);
  const type = readType(lexer, names);
  const incoming: { value: LValue; block: string }[] = [];
  do {
    lexer.expectSign('[');
    const value = readValue(lexer, names, type);
    lexer.expectSign(',');
    incoming.push({ value, block: readBlock(lexer, names) });
    lexer.expectSign(']');
  } while (lexer.acceptComma());
  return { op: 'phi', type, incoming };
};

function readLabel(lexer: Lexer, names: Names): string {
  lexer.expect('label');
  return readBlock(lexer, names);
}

function readBlock(lexer: Lexer, names: Names): string {
  const at = lexer.start;
  return names.block(lexer.takeName(LOCAL, 'a block'), at);
}
