import { describe, expect, it } from 'vitest';
import { LitmusError, shorten } from './error.ts';
import { parseLitmus } from './litmus.ts';

function failure(text: string): LitmusError {
  try {
    parseLitmus(text, 'bad.litmus');
  } catch (error) {
    if (error instanceof LitmusError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

/** ‹ and › mark the place: the error must report exactly this text, at exactly this place. */
function check(marked: string, expected: string): void {
  const at = marked.indexOf('‹');
  const text = marked.replace(/[‹›]/g, '');
  const before = text.slice(0, at).split('\n');
  const found = marked.slice(at + 1, marked.indexOf('›')) || 'end of file';
  const error = failure(text);
  expect({ line: error.line, column: error.column, found: error.found, expected: error.expected }).toEqual({
    line: before.length,
    column: before.at(-1)!.length + 1,
    found: shorten(found),
    expected,
  });
}

const x86 = (cell: string, init = '') => `X86 T\n{${init}}\nP0;\n ${cell} ;\n`;
const x64 = (cell: string, init = '') => `X86_64 T\n{${init}}\nP0;\n ${cell} ;\n`;

describe('LitmusError', () => {
  it('fits into one line', () => {
    const error = failure('X86 SB\n{ x=\n}');
    expect(error).toMatchObject({ name: 'LitmusError', file: 'bad.litmus', line: 3, column: 1, found: '}' });
    expect(error.message).toBe('bad.litmus:3:1: found "}", expected a number or a location');
  });

  it('shortens and escapes what it found', () => {
    expect(shorten('a\tb\n\u0007\u001b[31m\ud800')).toBe('a\\tb\\n\\u0007\\u001b[31m\\ud800');
    expect(shorten('x'.repeat(40))).toBe('x'.repeat(40));
    expect(shorten('x'.repeat(41))).toBe(`${'x'.repeat(39)}…`);
    expect(shorten('😀'.repeat(100))).toBe(`${'😀'.repeat(39)}…`);
  });
});

describe('errors in the header', () => {
  it.each([
    ['‹›', 'an architecture: X86, X86_64 or C'],
    [' \n‹›', 'an architecture: X86, X86_64 or C'],
    ['‹{}›', 'an architecture: X86, X86_64 or C'],
    ['‹PPC› SB\n{}', 'architecture X86, X86_64 or C; others are unsupported'],
    ['‹AArch64› SB\n{}', 'architecture X86, X86_64 or C; others are unsupported'],
    ['‹constructor› SB\n{}', 'architecture X86, X86_64 or C; others are unsupported'],
    ['X86 ‹{}›', 'the name of the test'],
    ['X86 SB\n‹"doc {}›\nP0;', 'a closing quotation mark'],
    ['X86 SB\n"doc"\nP0;\n‹›', '"{" and the initial state'],
    ['X86 SB\n‹(*› never closed (* *)\n{}', '"*)" somewhere after "(*"'],
  ])('have a place, and say what was expected: %j', check);
});

describe('errors in the initial state', () => {
  const init = (state: string) => `X86 T\n{${state}}\nP0;\nMFENCE;`;
  it.each([
    ['X86 T\n{ x=1; ‹›', 'a location, a register such as 0:EAX, a type or "}"'],
    ['X86 T\n{ x=1 ‹y›=2; }', '";" or "}"'],
    [init('x=‹$›1'), 'a number or a location'],
    [init('x=‹1x›'), 'a number or a location'],
    [init('x=‹0x10000000000000000›'), 'an integer of at most 64 bits'],
    [init(`x=‹${'9'.repeat(1000)}›`), 'an integer of at most 64 bits'],
    [init('x=‹0x100000000›'), 'a value of 4 bytes'],
    [init('int8_t x=‹-129›'), 'a value of 1 byte'],
    [init('int8_t p=‹&x›'), 'a value of 1 byte; an address is larger'],
    [init('‹float› x=1'), 'a C type such as int or uint64_t'],
    [init('x=0; ‹x›=1'), 'only one initial value'],
    [init('int x; ‹int x›').replace('‹int x›', 'int ‹x›'), 'only one declaration of it'],
    [init('‹x[2]›={1,2}'), 'a type before the name of an array'],
    [init('int x[2]=‹{1}›'), '2 values, one for each element, not 1'],
    [init('int x[‹5000›]'), 'a number of elements up to 4096'],
    [init('int ‹x›[0]'), 'at least one element'],
    [init('int x[2]; ‹x›=1'), 'the values of an array where it is declared'],
    [init('int a[2]; int *p=‹a[2]›'), 'an index below 2'],
    [init('p=‹x[1]›'), 'no index, as it is not declared as an array'],
    [init('‹EAX›=1'), 'a location; a register needs its thread, as in 0:EAX'],
    [init('0:‹foo›=1'), 'a register'],
    [init('0:‹xmm0›=1'), 'a register of X86; this one is unsupported'],
    [init('0:‹RAX›=1'), 'a register of X86; this one is unsupported'],
    [init('‹1:EAX›=1'), 'a register of thread 0, the only one'],
    [init('0:EAX=1; ‹0:AL›=2'), 'only one initial value for a register and its parts'],
    [init('0:AX=‹x›'), 'a number; an address does not fit this register'],
    [init('‹int64_t› 0:EAX'), 'a type of at most 4 bytes for this register'],
    [init('‹99999999999999999999›:EAX=1'), 'a thread number'],
    [init('‹#›x'), 'a location, a register such as 0:EAX, a type or "}"'],
    [
      `${init(Array.from({ length: 40 }, (_, i) => `int64_t a${i}[4096];`).join(' '))}`.replace('a32', '‹a32›'),
      'at most 1048576 bytes of memory in all',
    ],
  ])('have a place, and say what was expected: %j', check);
});

describe('errors in the table', () => {
  it.each([
    ['X86 T\n{}\n‹›', '"P0"'],
    ['X86 T\n{}\n‹P1› | P0;', '"P0": threads are numbered from 0, in order'],
    ['X86 T\n{}\nP0 | ‹Q1›;', '"P1"'],
    ['X86 T\n{}\nP0 ‹MOV› EAX,1;', '"|" or ";"'],
    ['X86 T\n{}\nP0 | P1;\nMFENCE ‹;›', '"|", as every row has 2 cells'],
    ['X86 T\n{}\nP0 | P1;\nMFENCE | MFENCE ‹|› ;', '";", as every row has 2 cells'],
    ['X86 T\n{}\nP0;\nMFENCE\n‹exists› x=1', '";"'],
    ['X86 T\n{}\nP0;\nMOV EAX,[x]\n‹exists› x=1', '";"'],
    [x86('‹FROB› EAX,EBX'), 'an instruction'],
    [x86('‹1›'), 'an instruction'],
    [x86('LOCK ‹|›'), 'an instruction'],
    ...[
      'CLFLUSH [x]',
      'JP L',
      'CMOVE EAX,EBX',
      'SETNB AL',
      'PUSH EAX',
      'NEG EAX',
      'MOVNTI [x],EAX',
      'REP',
      'MOVSD',
    ].map((instruction): [string, string] => [
      x86(instruction.replace(/^\w+/, '‹$&›')),
      'an instruction that is modelled; this one is unsupported',
    ]),
    [x86('‹MOV›'), '2 operands'],
    [x86('‹INC›'), '1 operand'],
    [x86('INC EAX,‹EBX›'), 'only 1 operand'],
    [x86('MFENCE ‹EAX›'), 'only 0 operands'],
    [x86('MOV EAX,‹,›'), 'an operand'],
    [x86('MOV EAX,EBX,‹;›').replace(' ;\n', '\n'), 'an operand'],
    [x86('MOV ‹$1›,EAX'), 'a register or memory'],
    [x86('MOV [x],‹[y]›'), 'at most one memory operand'],
    [x86('MOV EAX,‹x›'), '[x] for a location or $x for its address'],
    [x86('MOV EAX,‹XMM0›'), 'a register of X86; this one is unsupported'],
    [x86('MOV EAX,‹RBX›'), 'a register of X86; this one is unsupported'],
    [x64('movl ‹%xmm1›,%eax'), 'a register of X86_64; this one is unsupported'],
    [x64('movl ‹%foo›,%eax'), 'a register'],
    [x86('MOV EAX,‹BX›'), 'an operand of 4 bytes'],
    [x64('movq ‹%eax›,%rbx').replace('‹%eax›,%rbx', '‹%eax›,%rbx'), 'an operand of 8 bytes'],
    [x64('movl ‹%rax›,(x)'), 'an operand of 4 bytes'],
    [x64('movzbl ‹%bx›,%eax'), 'an operand of 1 byte'],
    [x86('MOVZX EAX,‹EBX›'), 'an operand of less than 4 bytes'],
    [x86('MOVZX EAX,‹[x]›'), 'an operand of less than 4 bytes'],
    [x86('MOV AL,‹$256›'), 'a value of 1 byte'],
    [x86('MOV AL,‹$x›'), 'a value of 1 byte; an address is larger'],
    [x86('MOV EAX,‹[x+4]›'), 'an access of 4 bytes within the location, which has 4 bytes'],
    [x86('MOV EAX,‹[x-1]›'), 'an access of 4 bytes within the location, which has 4 bytes'],
    [x64('movq ‹(x)›,%rax', 'int x'), 'an access of 8 bytes within the location, which has 4 bytes'],
    [x86('MOV EAX,‹[100]›'), 'a location or a register; absolute addresses are unsupported'],
    [x86('MOV EAX,[x+‹y›]'), 'only one location in an address'],
    [x86('MOV EAX,[EAX+EBX+‹ECX›]'), 'at most two registers in an address'],
    [x86('MOV EAX,[EBX*‹9›]'), 'a scale: 1, 2, 4 or 8'],
    [x86('MOV EAX,[‹EBX›*3]'), 'a scale of 1, 2, 4 or 8 behind it'],
    [x86('MOV EAX,[‹BX›]'), 'a register of at least 32 bits in an address'],
    [x86('MOV EAX,[x+‹99999999999›]'), 'a displacement of 32 bits'],
    [x86('MOV EAX,‹x›[1]'), 'an operand; write [x+4] for the second int of an array x'],
    [x86('MOV EAX,[x ‹y›]'), '"+", "-" or "]"'],
    [x64('movl (‹%rip›),%eax'), 'a register or a location of X86_64; this one is unsupported'],
    [x64('movl x(‹y›),%eax'), 'a register, since a location comes before it'],
    [x86('‹LOCK› MOV [x],EAX'), 'lock only before an instruction that changes memory in place'],
    [x86('‹LOCK› INC EAX'), 'lock only before an instruction that changes memory in place'],
    [x86('‹lock› MFENCE'), 'lock only before an instruction that changes memory in place'],
    [x86('XADD ‹EAX›,EBX'), 'a memory operand'],
    [x86('CMPXCHG [x],‹$1›'), 'a register'],
    [x86('XCHG [x],‹[y]›'), 'at most one memory operand'],
    [x86('LEA EAX,‹EBX›'), 'a memory operand'],
    [x86('JMP ‹L0›'), 'a label of this thread'],
    [x86('JE ‹$1›'), 'a label'],
    [x86('JE ‹EAX›'), 'a label'],
    ['X86 T\n{}\nP0 | P1;\n L: | JMP ‹L›;', 'a label of this thread'],
    ['X86 T\n{}\nP0;\n L: ;\n ‹L›: MFENCE;', 'a label that occurs only once in its thread'],
    ['X86 T\n{}\nP0;\n MOV EAX,‹é›;', 'an operand'],
    ['X86 T\n{}\nP0;\n MOV EAX,‹(*› ;', '"*)" somewhere after "(*"'],
  ])('have a place, and say what was expected: %j', check);
});

describe('errors in the ending', () => {
  const ending = (text: string, init = '') => `X86 T\n{${init}}\nP0 | P1;\n | ;\n${text}`;
  const deep = (open: string, close: string, count: number) => `exists ${open.repeat(count)}x=1${close.repeat(count)}`;
  it.each([
    [ending('exists ‹›'), 'a register such as 0:EAX or a location'],
    [ending('exists (x=1 ‹›'), '"/\\", "\\/", "=>" or ")"'],
    [ending('exists x ‹>›1'), '"=", "!=" or "in"'],
    [ending('exists x=‹›'), 'a number or a location'],
    [ending('exists ‹2:EAX›=1'), 'a register of a thread from 0 to 1'],
    [ending('locations [‹P7:EAX›;]'), 'a register of a thread from 0 to 1'],
    [ending('exists 0:‹foo›=1'), 'a register'],
    [ending('exists ‹EAX›=1'), 'a location; a register needs its thread, as in 0:EAX'],
    [ending('exists 0:EAX=‹EBX›'), 'a location; a register needs its thread, as in 0:EAX'],
    [ending('exists ‹a›=1', 'int a[2]'), 'an element of the array, such as a[0]'],
    [ending('exists ‹a[2]›=1', 'int a[2]'), 'an index below 2'],
    [ending('exists ‹x[0]›=1'), 'no index, as it is not declared as an array'],
    [ending('exists ‹a›={1}', 'int a[2]'), 'an array of 1 elements'],
    [ending('exists ‹x›={1}'), 'an array, as it is compared with a list'],
    [ending('exists 0:EAX=‹{›1}'), 'a number or a location'],
    [ending('exists 0:AL=‹x›'), 'a number; an address is larger than this'],
    [ending('exists x=‹99999999999999999999›'), 'an integer of at most 64 bits'],
    [ending('exists x=1 ‹y›=2'), 'the end of the file'],
    [ending('exists x=1;; ').replace(';; ', ';‹;› '), 'the end of the file'],
    [ending('locations [x;] ‹y›'), 'a condition'],
    [ending('locations [x ‹foo›;]'), 'a C type such as int or uint64_t'],
    [ending('locations [x ‹int›;]', 'char x'), 'a type of 1 byte, as in its declaration'],
    [ending('locations [‹›'), 'a register such as 0:EAX or a location'],
    [ending('~ ‹forall› x=1'), '"exists"'],
    [ending('‹observed› x=1;'), 'exists, ~exists or forall; this quantifier is unsupported'],
    [ending('exists ‹fault›(P0,x)'), 'a register or a location; faults are unsupported'],
    [ending('final x=1; with ‹›'), 'the name of a model'],
    [ending('final x=1; with tso: ‹maybe›'), 'exists, ~exists or forall'],
    [ending('exists x=1 ‹<<› show'), '">>" somewhere after "<<"'],
    [ending(deep('(', ')', 501)).replace('(x', '‹(›x'), 'at most 500 levels of nesting'],
    [ending(deep('~', '', 501)).replace('~x', '‹~›x'), 'at most 500 levels of nesting'],
    [ending(deep('x=1 =>', '', 501)).replace(/=>(x=1)$/, '‹=>›$1'), 'at most 500 levels of nesting'],
  ])('have a place, and say what was expected: %j', check);

  it('does not occur for deep but not too deep nesting', () => {
    for (const [open, close] of [
      ['(', ')'],
      ['~', ''],
      ['x=1 => ', ''],
      ['(~', ')'],
    ] as const) {
      const count = open === '(~' ? 250 : 500;
      expect(() => parseLitmus(ending(deep(open, close, count)), 'deep.litmus')).not.toThrow();
    }
  });

  it('does not occur for long input', () => {
    const long = Array.from({ length: 50_000 }, (_, i) => `x=${i}`).join(' \\/ ');
    expect(() => parseLitmus(ending(`exists ${long}`), 'long.litmus')).not.toThrow();
  });
});
