import { describe, expect, it } from 'vitest';
import type { Instruction } from '../../program/ir.ts';
import { validate } from '../../program/validate.ts';
import { type LitmusTest, parseLitmus } from './litmus.ts';

function parse(text: string): LitmusTest {
  const test = parseLitmus(text, 'test.litmus');
  expect(validate(test.program)).toEqual([]);
  return test;
}

const SB = `X86 SB
"Fre PodWR Fre PodWR"
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
`;

/** The instructions of a thread, without their locations. */
function code(test: LitmusTest, thread = 0): readonly Instruction[] {
  return test.program.functions[thread]!.blocks.flatMap(({ body }) => body).map(({ location: _, ...rest }) => rest);
}

describe('parseLitmus', () => {
  it('makes a program', () => {
    const test = parse(SB);
    expect(test).toMatchObject({ file: 'test.litmus', name: 'SB', arch: 'X86', info: ['Fre PodWR Fre PodWR'] });
    expect(test.program.globals).toMatchObject([
      { name: 'x', size: 4, align: 4, init: new Uint8Array(4), location: { line: 3, column: 3, text: 'x' } },
      { name: 'y', size: 4, align: 4 },
    ]);
    expect(test.program.roots).toMatchObject([
      { name: 'P0', function: 0 },
      { name: 'P1', function: 1 },
    ]);
    expect(test.program.functions[1]!.registers).toEqual([{ name: 'EAX', type: 'i32' }]);
    expect(code(test, 1)).toEqual([
      {
        op: 'store',
        address: { kind: 'global', index: 1, offset: 0 },
        value: { kind: 'constant', type: 'i32', value: 1 },
        order: 'plain',
      },
      { op: 'load', dest: 0, address: { kind: 'global', index: 0, offset: 0 }, order: 'plain' },
      { op: 'return' },
    ]);
  });

  it('gives the places of instructions', () => {
    const body = parse(SB).program.functions[1]!.blocks[0]!.body;
    expect(body[0]!.location).toEqual({ file: 'test.litmus', line: 5, column: 16, text: 'MOV [y],$1' });
    expect(body[1]!.location).toEqual({ file: 'test.litmus', line: 6, column: 16, text: 'MOV EAX,[x]' });
    const locked = parse('X86 T\n{}\nP0;\n L: LOCK   INC\t[x] ;').program.functions[0]!.blocks[1]!.body[0]!;
    expect(locked.location).toEqual({ file: 'test.litmus', line: 4, column: 5, text: 'LOCK INC [x]' });
  });

  it('keeps the condition as written', () => {
    expect(parse(SB.replace('exists (', 'exists\n   (')).condition).toEqual({
      quantifier: 'exists',
      text: 'exists (0:EAX=0 /\\ 1:EAX=0)',
      location: { file: 'test.litmus', line: 7, column: 1, text: 'exists (0:EAX=0 /\\ 1:EAX=0)' },
      proposition: {
        kind: 'and',
        operands: [
          { kind: 'value', observed: 0, value: 0 },
          { kind: 'value', observed: 1, value: 0 },
        ],
      },
    });
  });

  it('lowers fences and atomics as the design says', () => {
    const test = parse('X86 T\n{}\nP0;\nMFENCE; LFENCE; SFENCE; XCHG EAX,[x]; LOCK INC [x]; LOCK CMPXCHG [x],EBX;');
    const visible = code(test).filter(({ op }) => ['fence', 'rmw', 'cmpxchg'].includes(op));
    expect(visible).toMatchObject([
      { op: 'fence', order: 'seq_cst' },
      { op: 'fence', order: 'acquire' },
      { op: 'fence', order: 'release' },
      { op: 'rmw', operator: 'xchg', order: 'seq_cst' },
      { op: 'rmw', operator: 'add', order: 'seq_cst' },
      { op: 'cmpxchg', order: 'seq_cst', failureOrder: 'seq_cst' },
    ]);
  });
});

describe('headers', () => {
  const body = '{}\nP0;\nMFENCE;\n';

  it.each([
    ['X86 a', 'a', []],
    ['X86 iwp2.3.a/amd4 (iwpTwo) "Loads, and more"\n', 'iwp2.3.a/amd4', ['(iwpTwo)', 'Loads, and more']],
    ['X86 2+2W "doc\nover lines" ;\n', '2+2W', ['doc\nover lines']],
    [
      'X86 a\n"doc"\nCycle=Rfi {PodRR}\nHash = 00ff\n# a {note}\nfree text\n',
      'a',
      ['doc', 'Cycle=Rfi {PodRR}', 'Hash = 00ff', '# a {note}', 'free text'],
    ],
    ['\ufeff(* (* nested *) {} *)\r\n\r\nX86   a (* not a name *)\r\nCom=Fr\r\n', 'a', ['Com=Fr']],
    ['x86_64 a', 'a', []],
  ])('are read: %j', (header, name, info) => {
    expect(parse(`${header} ${body}`)).toMatchObject({ name, info });
  });
});

describe('initial states', () => {
  const init = (state: string, arch = 'X86', rest = '') => parse(`${arch} T\n{${state}}\nP0;\n;\n${rest}`).program;
  const words = (program: LitmusTest['program']) =>
    program.globals.map(({ name, size, init: bytes }) => {
      const hex = Buffer.from(bytes!).reverse().toString('hex');
      return `${name}:${size}=${BigInt(`0x${hex}`)}`;
    });

  it.each([
    ['', []],
    [';', []],
    ['x', ['x:4=0']],
    ['x=1; [y]=2', ['x:4=1', 'y:4=2']],
    ['x = -1;; y=0x10;', ['x:4=4294967295', 'y:4=16']],
    [
      'int x=1; int8_t b=-1; uint16_t s; int64_t l=18446744073709551615;',
      ['x:4=1', 'b:1=255', 's:2=0', 'l:8=18446744073709551615'],
    ],
    ['int x; x=3;', ['x:4=3']],
    [
      'unsigned long long x; _Atomic int y=2; volatile char z; long w; int [v]=4',
      ['x:8=0', 'y:4=2', 'z:1=0', 'w:4=0', 'v:4=4'],
    ],
  ])('are read: "%s"', (state, expected) => {
    expect(words(init(state))).toEqual(expected);
    expect(words(init(state, 'X86', 'exists true'))).toEqual(expected);
  });

  it('may have arrays', () => {
    expect(init('int a[2]={1,-1}; uint8_t b[3];').globals).toMatchObject([
      { name: 'a', size: 8, align: 4, element: 4, init: Uint8Array.of(1, 0, 0, 0, 255, 255, 255, 255) },
      { name: 'b', size: 3, align: 1, element: 1 },
    ]);
  });

  it('may have pointers', () => {
    const state = 'int32_t *p=&x; q=x; *r=y; int a[2]; int *s=a[1]; int *t;';
    expect(init(state).globals.map(({ name, size, relocations }) => ({ name, size, relocations }))).toEqual([
      // A location exists from its first mention, here as the target of p.
      { name: 'x', size: 4, relocations: undefined },
      { name: 'p', size: 4, relocations: [{ offset: 0, target: { kind: 'global', index: 0, offset: 0 } }] },
      { name: 'q', size: 4, relocations: [{ offset: 0, target: { kind: 'global', index: 0, offset: 0 } }] },
      { name: 'y', size: 4, relocations: undefined },
      { name: 'r', size: 4, relocations: [{ offset: 0, target: { kind: 'global', index: 3, offset: 0 } }] },
      { name: 'a', size: 8, relocations: undefined },
      { name: 's', size: 4, relocations: [{ offset: 0, target: { kind: 'global', index: 5, offset: 4 } }] },
      { name: 't', size: 4, relocations: undefined },
    ]);
    expect(init(state, 'X86_64').globals.map(({ size }) => size)).toEqual([4, 8, 8, 4, 8, 8, 8, 8]);
  });

  it('set registers before the code runs', () => {
    const test = parse('X86_64 T\n{0:rax=x; P0:ebx=-1; 0:ch=1; uint64_t 0:rdx; 0:%rsi=2}\nP0;\nnop;');
    const names = test.program.functions[0]!.registers.map(({ name }) => name);
    const [address, ...rest] = code(test);
    expect(address).toMatchObject({ op: 'cast', operator: 'zext', value: { kind: 'global', index: 0 } });
    const moves = rest.flatMap((i) =>
      i.op === 'move' ? [[names[i.dest], 'value' in i.value ? i.value.value : 'address']] : [],
    );
    expect(moves).toEqual([
      ['rax', 'address'],
      ['rbx', 0xffffffffn],
      ['rcx', 256n],
      ['rsi', 2n],
    ]);
    expect(test.program.functions[0]!.blocks[0]!.body[1]!.location?.text).toBe('0:rax=x');
  });

  it('take sizes from accesses in X86_64 tests', () => {
    const sizes = (state: string, ...cells: string[]) => {
      const { globals } = parse(`X86_64 T\n{${state}}\nP0;\n${cells.join(';')};`).program;
      return Object.fromEntries(globals.map(({ name, size }) => [name, size]));
    };
    expect(sizes('x=1', 'movq $1,(x)', 'movl (x),%eax')).toEqual({ x: 8 });
    expect(sizes('', 'movb $1,(x)', 'mov $1,(x)')).toEqual({ x: 1 });
    expect(sizes('y;', 'mov $1,(x)', 'mov %ax,(z)')).toEqual({ y: 4, x: 4, z: 2 });
    expect(sizes('0:rax=x', 'movq $1,(%rax)')).toEqual({ x: 8 });
    expect(sizes('int x', 'movb $1,(x)')).toEqual({ x: 4 });
    expect(sizes('', 'movzbl (x),%eax', 'leaq (y),%rax')).toEqual({ x: 1, y: 4 });
  });
});

describe('what is observed', () => {
  const observed = (ending: string, init = '', arch = 'X86') =>
    parse(`${arch} T\n{${init}}\nP0 | P1;\nMOV EAX,EAX | ;\n${ending}`).observed;
  const labels = (...args: Parameters<typeof observed>) => observed(...args).map(({ label }) => label);

  it('is listed without repeats: registers by thread and name, then locations', () => {
    expect(labels('locations [y; x; 1:EAX; x] filter z=1 exists (x=1 /\\ 0:EBX=1 /\\ P0:EAX=2 /\\ 1:EAX=y)')).toEqual([
      '0:EAX',
      '0:EBX',
      '1:EAX',
      'x',
      'y',
      'z',
    ]);
    expect(labels('')).toEqual([]);
    expect(labels('locations []')).toEqual([]);
    expect(labels('locations [a; x]', 'int a[12];')).toEqual([...Array.from({ length: 12 }, (_, i) => `a[${i}]`), 'x']);
    expect(labels('exists a[1]=2', 'int a[2]')).toEqual(['a[1]']);
    expect(labels('exists a={1,2}', 'int a[2]')).toEqual(['a[0]', 'a[1]']);
  });

  it('may be a register or a part of it', () => {
    expect(observed('exists 1:EBX=1 /\\ 1:bh=1')).toEqual([
      { kind: 'register', label: '1:BH', root: 1, register: 0, type: 'i8', shift: 8, pointer: false },
      { kind: 'register', label: '1:EBX', root: 1, register: 0, type: 'i32', shift: 0, pointer: false },
    ]);
    expect(observed('exists 0:RAX=1 /\\ 0:eax=1 /\\ 0:al=1', '', 'X86_64')).toMatchObject([
      { label: '0:al', register: 0, type: 'i8' },
      { label: '0:eax', register: 0, type: 'i32' },
      { label: '0:rax', register: 0, type: 'i64' },
    ]);
  });

  it('has the declared type of a register', () => {
    expect(observed('exists 0:rax=-1', 'int 0:rax', 'X86_64')).toMatchObject([{ label: '0:rax', type: 'i32' }]);
    expect(observed('locations [0:rax char]', 'int 0:rax', 'X86_64')).toMatchObject([{ label: '0:rax', type: 'i8' }]);
  });

  it('may be a location', () => {
    expect(observed('locations [x; a[1]; y uint64_t; z int*]', 'int8_t x; short a[2];')).toEqual([
      { kind: 'location', label: 'a[1]', global: 1, offset: 2, type: 'i16', pointer: false },
      { kind: 'location', label: 'x', global: 0, offset: 0, type: 'i8', pointer: false },
      { kind: 'location', label: 'y', global: 2, offset: 0, type: 'i64', pointer: false },
      { kind: 'location', label: 'z', global: 3, offset: 0, type: 'i32', pointer: true },
    ]);
  });

  it('may be a pointer, and is known to be one', () => {
    const pointers = (...args: Parameters<typeof observed>) =>
      observed(...args).flatMap(({ label, pointer }) => (pointer ? [label] : []));
    expect(pointers('exists (0:EAX=x /\\ 0:EBX=1 /\\ y=1)')).toEqual(['0:EAX']);
    expect(pointers('locations [0:EAX; 0:AX; p; q; r]', '0:EAX=x; p=x; int *q; r=1')).toEqual(['0:EAX', 'p', 'q']);
    expect(pointers('exists (y=[z] /\\ 0:EAX=*y /\\ z=&x)')).toEqual(['0:EAX', 'y', 'z']);
    expect(pointers('exists (0:EAX=1:EAX)')).toEqual([]);
  });
});

describe('endings', () => {
  const ending = (text: string) => parse(`X86 T\n{}\nP0;\nMFENCE;\n${text}`);

  it.each([
    ['exists x=1', 'exists'],
    ['exists(x=1);', 'exists'],
    ['~exists x=1', '~exists'],
    ['~ exists x=1', '~exists'],
    ['not exists x=1', '~exists'],
    ['forall x=1', 'forall'],
    ['final (P0:EAX = 0);\nwith\ntso: ~exists;\ncc: exists;\ndefault: forall', 'exists'],
    ['locations [x;] (x=1)', 'exists'],
    ['exists x=1\n<<\nshow 0 $$ \\ "\n>>\n<< >> (* << *)', 'exists'],
    ['locations [x]\nlocations [y;]\nfilter true\nexists x=1 (* end *)', 'exists'],
    ['', undefined],
    ['locations [x;]', undefined],
    ['<< show 0 >>', undefined],
  ])('are read: %j', (text, quantifier) => {
    expect(ending(text).condition?.quantifier).toBe(quantifier);
  });

  it('may be old verdicts, which are kept as information', () => {
    expect(ending('final x=1; with tso: ~ exists; default: exists;').info).toEqual([
      'tso: ~ exists',
      'default: exists',
    ]);
  });
});

describe('notations beyond the basic ones', () => {
  it.each([
    ['blank lines and spaces around =', 'X86_64 T\n\n(* first *)\n\n{}\n\nP0;\n  nop;\n\nforall 0:rbx = 0\n'],
    ['padding', 'X86_64 T\n{}\nP0;\n  nopw 8(%rbx,%ebx,0);\n  endbr64;\nforall 0:RBX = 0\n'],
    [
      'returning early, labels alone',
      'X86_64 T\n{ [P0_out]=7; }\nP0;\njne Lx2;\nLx1: ;\nmov %ebx,(P0_out);\nret;\nLx2: ;\njmp Lx1;\nexists [P0_out]=0',
    ],
    ['upper case', 'X86_64 T\n{ uint64_t z; 0:RCX=0x123456789ab; }\nP0;\nMOVQ %RCX,(z);\nforall [z] = 0x123456789ab\n'],
    [
      'locations that look like rare registers',
      'X86 T\n{ flags=1; k1=2; }\nP0;\nMOV EAX,[flags]; MOV EBX,[k1];\nexists true',
    ],
  ])('are read: %s', (_, text) => {
    parse(text);
  });
});
