import { describe, expect, it } from 'vitest';
import { SEED } from '../../../../test/support/tier.ts';
import { Prng } from '../../../util/prng.ts';
import { LlvmError } from './error.ts';
import type { DType, LFunction, LInstruction, LOperation, LValue, Module } from './module.ts';
import { readModule } from './reader.ts';

const MUTANTS = 2_000;

const read = (text: string): Module => readModule(text, 'test.ll');

/** The instructions of a function whose body is `body`; `%a` and `%b` are i32, `%p` is a pointer, `%x` a double. */
function body(text: string): readonly LInstruction[] {
  const module = read(`
    @g = global [4 x i32] zeroinitializer
    declare i32 @callee(i32, ...)
    %struct.s = type { i32, i8 }
    define i32 @f(i32 %a, i32 %b, ptr %p, double %x) {
      ${text}
      ret i32 0
    }`);
  const instructions = module.functions.get('f')!.blocks.flatMap((b) => b.body);
  return instructions.slice(0, -1);
}

/** What one instruction does, without its result, place and line. */
function operation(text: string): LOperation {
  const { result: _result, place: _place, textLine: _textLine, ...rest } = body(text)[0]!;
  return rest as LOperation;
}

function initial(text: string): LValue | undefined {
  return read(`@x = global ${text}`).globals.get('x')!.init;
}

const i8 = { kind: 'int', bits: 8 } as const;
const i32 = { kind: 'int', bits: 32 } as const;
const ptr = { kind: 'ptr' } as const;
const a = { kind: 'local', name: 'a' } as const;
const b = { kind: 'local', name: 'b' } as const;
const p = { kind: 'local', name: 'p' } as const;
const g = { kind: 'global', name: 'g' } as const;
const int = (value: number) => ({ kind: 'int', value: BigInt(value) }) as const;

describe('instructions', () => {
  const cases: readonly (readonly [string, object])[] = [
    ['%r = alloca i32, align 4', { op: 'alloca', type: i32, align: 4 }],
    ['%r = alloca i8, i32 %a', { op: 'alloca', type: i8, count: { type: i32, value: a }, align: 0 }],
    ['%r = load i32, ptr %p, align 4', { op: 'load', type: i32, address: p, volatile: false, align: 4 }],
    [
      '%r = load atomic volatile i32, ptr %p acquire, align 4, !tbaa !{}',
      { op: 'load', type: i32, address: p, volatile: true, order: 'acquire', align: 4 },
    ],
    [
      'store i32 -1, ptr @g',
      { op: 'store', value: { type: i32, value: int(-1) }, address: g, volatile: false, align: 0 },
    ],
    [
      'store atomic i32 %a, ptr %p seq_cst, align 4',
      { op: 'store', value: { type: i32, value: a }, address: p, volatile: false, order: 'seq_cst', align: 4 },
    ],
    ['fence release', { op: 'fence', order: 'release', singleThread: false }],
    ['fence syncscope("singlethread") seq_cst', { op: 'fence', order: 'seq_cst', singleThread: true }],
    [
      '%r = cmpxchg weak volatile ptr %p, i32 %a, i32 %b acq_rel monotonic, align 4',
      {
        op: 'cmpxchg',
        weak: true,
        volatile: true,
        address: p,
        expected: { type: i32, value: a },
        desired: { type: i32, value: b },
        order: 'acq_rel',
        failureOrder: 'monotonic',
      },
    ],
    [
      '%r = atomicrmw umax ptr %p, i32 1 monotonic, align 4',
      {
        op: 'atomicrmw',
        operator: 'umax',
        volatile: false,
        address: p,
        value: { type: i32, value: int(1) },
        order: 'monotonic',
      },
    ],
    [
      '%r = getelementptr inbounds nuw %struct.s, ptr %p, i32 0, i32 1',
      {
        op: 'gep',
        source: { kind: 'named', name: 'struct.s' },
        base: { type: ptr, value: p },
        indices: [
          { type: i32, value: int(0) },
          { type: i32, value: int(1) },
        ],
      },
    ],
    ['%r = add nuw nsw i32 %a, 1', { op: 'binary', operator: 'add', type: i32, left: a, right: int(1) }],
    ['%r = or disjoint i32 %a, %b', { op: 'binary', operator: 'or', type: i32, left: a, right: b }],
    [
      '%r = fmul fast double %x, 5.000000e-01',
      {
        op: 'binary',
        operator: 'fmul',
        type: { kind: 'double' },
        left: { kind: 'local', name: 'x' },
        right: { kind: 'float', value: 0.5 },
      },
    ],
    ['%r = fneg nnan double %x', { op: 'fneg', type: { kind: 'double' }, value: { kind: 'local', name: 'x' } }],
    ['%r = icmp samesign ult i32 %a, %b', { op: 'icmp', predicate: 'ult', type: i32, left: a, right: b }],
    [
      '%r = fcmp ninf une double %x, 0x7FF0000000000000',
      {
        op: 'fcmp',
        predicate: 'une',
        type: { kind: 'double' },
        left: { kind: 'local', name: 'x' },
        right: { kind: 'float', value: Infinity },
      },
    ],
    [
      '%r = zext nneg i32 %a to i64',
      { op: 'cast', operator: 'zext', from: i32, value: a, to: { kind: 'int', bits: 64 } },
    ],
    ['%r = ptrtoint ptr %p to i32', { op: 'cast', operator: 'ptrtoint', from: ptr, value: p, to: i32 }],
    [
      '%r = select i1 true, i32 %a, i32 %b',
      {
        op: 'select',
        condition: { type: { kind: 'int', bits: 1 }, value: int(1) },
        ifTrue: { type: i32, value: a },
        ifFalse: { type: i32, value: b },
      },
    ],
    ['%r = freeze i32 %a', { op: 'freeze', type: i32, value: a }],
    [
      '%r = extractvalue { i32, [2 x i8] } undef, 1, 0',
      {
        op: 'extractvalue',
        aggregate: {
          type: { kind: 'struct', fields: [i32, { kind: 'array', count: 2, element: i8 }], packed: false },
          value: { kind: 'undef' },
        },
        indices: [1, 0],
      },
    ],
    [
      '%r = insertvalue [2 x i32] poison, i32 %a, 1',
      {
        op: 'insertvalue',
        aggregate: { type: { kind: 'array', count: 2, element: i32 }, value: { kind: 'poison' } },
        value: { type: i32, value: a },
        indices: [1],
      },
    ],
    ['%r = va_arg ptr %p, i32', { op: 'va_arg', list: { type: ptr, value: p }, type: i32 }],
    [
      '%r = musttail call fastcc noundef zeroext range(i32 0, 5) i32 @callee(i32 noundef signext 3, ptr nonnull align 4 dereferenceable(8) byval(%struct.s) captures(none) %p) nounwind #1 [ "align"(ptr %p, i32 8), "deopt"() ], !srcloc !3, !range !{i32 0, i32 2}',
      {
        op: 'call',
        type: i32,
        variadic: false,
        callee: { kind: 'global', name: 'callee' },
        arguments: [
          { type: i32, value: int(3) },
          { type: ptr, value: p, align: 4, byval: { kind: 'named', name: 'struct.s' } },
        ],
      },
    ],
    [
      '%r = call i32 (i32, ...) %p(i32 %a, metadata !"text")',
      {
        op: 'call',
        type: i32,
        variadic: true,
        fixedParameters: 1,
        callee: p,
        arguments: [
          { type: i32, value: a },
          { type: { kind: 'metadata' }, value: { kind: 'unsupported', text: '!"text"' } },
        ],
      },
    ],
    [
      'call void asm sideeffect inteldialect "mov\\09$0", "~{memory}"()',
      {
        op: 'call',
        type: { kind: 'void' },
        variadic: false,
        callee: { kind: 'asm', text: 'mov\t$0', constraints: '~{memory}', sideEffect: true, isIntel: true },
        arguments: [],
      },
    ],
  ];
  it.each(cases)('are read: %s', (text, expected) => {
    expect(operation(text)).toEqual(expected);
  });

  it('are read where they end a block', () => {
    const { blocks } = read(`define i32 @f(i32 %a, ptr %p) {
      br i1 false, label %one, label %"two words"
    one:
      switch i32 %a, label %loop [
        i32 1, label %one
        i32 -7, label %loop
      ], !prof !0
    "two words":
      indirectbr ptr %p, [label %one, label %loop]
    loop:                      ; preds = %loop
      %i = phi i32 [ 0, %one ], [ %a, %"two words" ], [ 1, %loop ]
      br label %loop
    $end-1.2_:
      ret i32 %i
    }`).functions.get('f')!;
    expect(blocks.map((block) => block.name)).toEqual(['0', 'one', 'two words', 'loop', '$end-1.2_']);
    const last = blocks.map((block) => {
      const { textLine: _, ...rest } = block.body.at(-1)!;
      return rest;
    });
    expect(last).toEqual([
      { op: 'condbr', condition: int(0), ifTrue: 'one', ifFalse: 'two words' },
      {
        op: 'switch',
        value: { type: i32, value: a },
        default: 'loop',
        cases: [
          { value: 1n, target: 'one' },
          { value: -7n, target: 'loop' },
        ],
      },
      { op: 'indirectbr', address: p, targets: ['one', 'loop'] },
      { op: 'br', target: 'loop' },
      { op: 'ret', value: { type: i32, value: { kind: 'local', name: 'i' } } },
    ]);
    expect(blocks[3]!.body[0]).toMatchObject({
      op: 'phi',
      incoming: [
        { value: int(0), block: 'one' },
        { value: a, block: 'two words' },
        { value: int(1), block: 'loop' },
      ],
    });
  });

  it('are kept as unsupported, with text and place, if they are not known', () => {
    const instructions = body(`
      %v = future.shuffle <2 x i32> <i32 1, i32 2>, <2 x i32> poison, <2 x i32> zeroinitializer, !dbg !DILocation(line: 3, column: 4, scope: !DILexicalBlock(file: !DIFile(filename: "a.c", directory: "/"), line: 1))
      %w = future.op splat (i32 %a) { [ 7 ] },
         !dbg !3
      %q = load i32, ptr addrspace(256) null, align 4
      %s = load atomic i32, ptr %p syncscope("singlethread") monotonic, align 4
      %t = alloca i32, addrspace(5)
      %u = atomicrmw elementwise add ptr %p, <2 x i32> splat (i32 1) seq_cst
      %c = callbr i32 asm "", ""()
              to label %next [label %pad]
    pad:
      %lp = catchpad within %c [ptr null]
      cleanupret from %lp unwind to caller
    next:`);
    expect(instructions.map((i) => [i.result, i.op, i.textLine, 'text' in i ? i.text : ''])).toEqual([
      [
        'v',
        'unsupported',
        7,
        '%v = future.shuffle <2 x i32> <i32 1, i32 2>, <2 x i32> poison, <2 x i32> zeroinitializer',
      ],
      ['w', 'unsupported', 8, '%w = future.op splat (i32 %a) { [ 7 ] }'],
      ['q', 'unsupported', 10, '%q = load i32, ptr addrspace(256) null, align 4'],
      ['s', 'unsupported', 11, '%s = load atomic i32, ptr %p syncscope("singlethread") monotonic, align 4'],
      ['t', 'unsupported', 12, '%t = alloca i32, addrspace(5)'],
      ['u', 'unsupported', 13, '%u = atomicrmw elementwise add ptr %p, <2 x i32> splat (i32 1) seq_cst'],
      ['c', 'unsupported', 14, '%c = callbr i32 asm "", ""() to label %next [label %pad]'],
      ['lp', 'unsupported', 17, '%lp = catchpad within %c [ptr null]'],
      [undefined, 'unsupported', 18, 'cleanupret from %lp unwind to caller'],
    ]);
    expect(instructions[0]!.place).toEqual({ file: 'a.c', line: 3, column: 4 });
  });

  it('are read that exceptions are made of', () => {
    const instructions = body(`
      %r = invoke i32 @callee(i32 1) #3
              to label %next unwind label %pad, !dbg !3
    pad:
      %lp = landingpad { ptr, i32 }
              cleanup
              catch ptr null
              catch ptr @g
              filter [1 x ptr] [ptr @g]
      resume { ptr, i32 } %lp
    next:`);
    const global = { kind: 'global', name: 'g' };
    expect(instructions).toMatchObject([
      { op: 'invoke', result: 'r', callee: { name: 'callee' }, normal: 'next', unwind: 'pad' },
      {
        op: 'landingpad',
        result: 'lp',
        isCleanup: true,
        clauses: [
          { kind: 'catch', value: { kind: 'null' } },
          { kind: 'catch', value: global },
          { kind: 'filter', values: [global] },
        ],
      },
      { op: 'resume', value: { value: { name: 'lp' } } },
    ]);
  });

  it('numbers what has no name as LLVM does', () => {
    const f = read(`declare i32 @c()
    define i32 @f(i32, i32 %x, ptr %1) {
      call i32 @c()
      %4 = call i32 @c()
      br label %5
      %6 = add i32 %3, %4
      ret i32 %6
    }`).functions.get('f')!;
    expect(f.parameters.map((parameter) => parameter.name)).toEqual(['0', 'x', '1']);
    expect(f.blocks.map((block) => [block.name, block.body.map((i) => i.result)])).toEqual([
      ['2', ['3', '4', undefined]],
      ['5', ['6', undefined]],
    ]);
  });
});

describe('values', () => {
  const cases: readonly (readonly [string, object])[] = [
    ['i1 true', int(1)],
    ['i8 -1', int(-1)],
    ['i128 170141183460469231731687303715884105727', { kind: 'int', value: 2n ** 127n - 1n }],
    ['ptr null', { kind: 'null' }],
    ['%t zeroinitializer\n%t = type opaque', { kind: 'zero' }],
    ['double -0.000000e+00', { kind: 'float', value: -0 }],
    ['double 0x3FB999999999999A', { kind: 'float', value: 0.1 }],
    ['double 0x0000000000000001', { kind: 'float', value: 5e-324 }],
    ['double 0x7FF8000000000000', { kind: 'float', value: NaN }],
    ['float 0x3FB99999A0000000', { kind: 'float', value: Math.fround(0.1) }],
    ['half 0xHC000', { kind: 'float', value: -2 }],
    ['bfloat 0xR3FC0', { kind: 'float', value: 1.5 }],
    ['x86_fp80 0xK3FFFC000000000000000', { kind: 'float', value: 1.5 }],
    ['fp128 0xL00000000000000003FFF800000000000', { kind: 'float', value: 1.5 }],
    ['[4 x i8] c"a\\5C\\\\\\0A"', { kind: 'string', bytes: new Uint8Array([97, 92, 92, 10]) }],
    [
      '[2 x i32] [i32 1, i32 undef]',
      {
        kind: 'aggregate',
        elements: [
          { type: i32, value: int(1) },
          { type: i32, value: { kind: 'undef' } },
        ],
      },
    ],
    [
      '<{ i8, i32 }> <{ i8 1, i32 2 }>',
      {
        kind: 'aggregate',
        elements: [
          { type: i8, value: int(1) },
          { type: i32, value: int(2) },
        ],
      },
    ],
    ['{} {}', { kind: 'aggregate', elements: [] }],
    [
      '<2 x i8> <i8 1, i8 2>',
      {
        kind: 'aggregate',
        elements: [
          { type: i8, value: int(1) },
          { type: i8, value: int(2) },
        ],
      },
    ],
    [
      '<2 x i32> splat (i32 3)',
      {
        kind: 'aggregate',
        elements: [
          { type: i32, value: int(3) },
          { type: i32, value: int(3) },
        ],
      },
    ],
    [
      'ptr getelementptr inbounds nuw (i8, ptr @x, i32 12)',
      {
        kind: 'gep',
        source: i8,
        operands: [
          { type: ptr, value: { kind: 'global', name: 'x' } },
          { type: i32, value: int(12) },
        ],
      },
    ],
    [
      'ptr getelementptr inrange(-8, 16) ([2 x i8], ptr @x, i32 0, inrange i32 1)',
      {
        kind: 'gep',
        source: { kind: 'array', count: 2, element: i8 },
        operands: [
          { type: ptr, value: { kind: 'global', name: 'x' } },
          { type: i32, value: int(0) },
          { type: i32, value: int(1) },
        ],
      },
    ],
    [
      'i32 sub nsw (i32 ptrtoint (ptr @x to i32), i32 1)',
      {
        kind: 'binary',
        operator: 'sub',
        left: {
          type: i32,
          value: {
            kind: 'cast',
            operator: 'ptrtoint',
            operand: { type: ptr, value: { kind: 'global', name: 'x' } },
            to: i32,
          },
        },
        right: { type: i32, value: int(1) },
      },
    ],
    [
      'i1 icmp ne (ptr @x, ptr null)',
      {
        kind: 'compare',
        predicate: 'ne',
        left: { type: ptr, value: { kind: 'global', name: 'x' } },
        right: { type: ptr, value: { kind: 'null' } },
      },
    ],
    ['i32 select (i1 true, i32 1, i32 2)', { kind: 'unsupported', text: 'select (i1 true, i32 1, i32 2)' }],
    ['double 0x7FF8000000000000', { kind: 'float', value: Number.NaN }],
    ['double 0x7FF8000000000123', { kind: 'unsupported', text: '0x7FF8000000000123' }],
    ['float 0xFFF8000000000000', { kind: 'float', value: Number.NaN }],
    ['ptr no_cfi @x', { kind: 'global', name: 'x' }],
    [
      'ptr blockaddress(@f, %1)\ndefine void @f() {\nbr label %1\n1:\nret void\n}',
      { kind: 'blockaddress', function: 'f', block: '1' },
    ],
  ];
  it.each(cases)('are read: %s', (text, expected) => {
    expect(initial(text)).toEqual(expected);
  });
});

describe('names that begin with a byte 1', () => {
  const text = (layout: string): string => `target datalayout = "${layout}"
declare void @"\\01_pthread_join$NOCANCEL$UNIX2003"()
declare void @"\\01_x"()
declare void @"\\01y"()
declare void @"\\01_a$b"()
define void @f() {
call void @"\\01_x"()
ret void
}
`;
  it('on macOS are those of C with an underscore before them', () => {
    const apple = text('e').replace('target', 'target triple = "arm64-apple-macosx14.0.0"\ntarget');
    expect([...read(apple).functions.keys()]).toEqual([...read(text('e-m:o-i64:64')).functions.keys()]);
    expect([...read(text('e-m:o-i64:64')).functions.keys()]).toEqual(['pthread_join', 'x', '\u0001y', 'a$b', 'f']);
  });

  it('elsewhere are the names themselves', () => {
    const names = ['_pthread_join$NOCANCEL$UNIX2003', '_x', 'y', '_a$b', 'f'];
    expect([...read(text('e-m:e-i64:64')).functions.keys()]).toEqual(names);
  });
});

describe('the module level', () => {
  it('reads settings, types, variables and aliases', () => {
    const module = read(`; ModuleID = 'x'
source_filename = "dir/a b.c"
target datalayout = "e-p:32:32"
target triple = "i386-unknown-linux-gnu"
module asm ".globl x"
module asm "\\22y\\22"
$c = comdat any
%"struct.a b" = type { i32, ptr, %0 }
%0 = type <{ [3 x i8], i1942652 }>
%o = type opaque
@"a b" = dso_local local_unnamed_addr global i32 1, section "x", comdat($c), align 4, !dbg !0, !other !{}
@"caf\\C3\\A9" = internal thread_local(localexec) constant i32 2, no_sanitize_address, code_model "large"
@e = external dso_local global %o, align 1
@c = common hidden global i32 0, comdat #0
@w = extern_weak addrspace(1) global ptr addrspace(1)
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @f, ptr null }]
@al = weak alias i32, ptr @"a b", partition "p"
@al2 = alias i8, getelementptr inbounds (i8, ptr @"a b", i32 2)
@if = ifunc void (), ptr @f
define available_externally x86_stdcallcc cc 10 void @f() unnamed_addr #0 align 16 section "s" comdat gc "g" prefix i32 1 personality ptr @f "k"="v" memory(argmem: readwrite) { ret void }
declare !dbg !5 noundef align 4 dereferenceable(4) ptr @d(ptr noalias captures(none) sret(%o), i8 range(i8 0, 5), metadata, ...) nounwind
attributes #0 = { noinline "frame-pointer"="all" "no-value" memory(none) align=8 allocsize(0,1) }
!llvm.ident = !{!1}
!0 = distinct !{!0, !"x }"}
!1 = !{!"clang", i32 1, null, ptr @f, !2}
uselistorder ptr @f, { 1, 0 }
^0 = module: (path: "x", hash: (1, 2))
`);
    expect(module).toMatchObject({
      sourceFile: 'dir/a b.c',
      dataLayout: 'e-p:32:32',
      triple: 'i386-unknown-linux-gnu',
      moduleAsm: ['.globl x', '"y"'],
    });
    expect(Array.from(module.types.keys())).toEqual(['struct.a b', '0', 'o']);
    expect(module.types.get('0')).toMatchObject({ packed: true, fields: [{ count: 3 }, { bits: 1942652 }] });
    expect(Array.from(module.globals.values())).toMatchObject([
      { name: 'a b', init: int(1), align: 4, isConstant: false, isThreadLocal: false, isLocal: false, isWeak: false },
      { name: 'café', init: int(2), align: 0, isConstant: true, isThreadLocal: true, isLocal: true, isWeak: false },
      { name: 'e', type: { kind: 'named', name: 'o' }, align: 1 },
      { name: 'c', init: int(0), isWeak: true },
      { name: 'w', type: { kind: 'other', text: 'ptr addrspace(1)' }, isWeak: true },
      { name: 'llvm.global_ctors', init: { kind: 'aggregate' } },
    ]);
    expect(module.globals.get('e')).not.toHaveProperty('init');
    expect(module.globals.get('w')).not.toHaveProperty('init');
    expect(module.aliases.get('al')).toEqual({ value: { kind: 'global', name: 'a b' }, isLocal: false, isWeak: true });
    expect(module.aliases.get('al2')).toMatchObject({ value: { kind: 'gep' }, isWeak: false });
    expect(module.aliases.get('if')).toMatchObject({ value: { kind: 'unsupported', text: 'ifunc void (), ptr @f' } });
    expect(module.functions.get('f')).toMatchObject({ isWeak: true, isLocal: false, blocks: [{ name: '0' }] });
    expect(module.functions.get('d')).toEqual({
      name: 'd',
      result: ptr,
      parameters: [
        { name: '0', type: ptr, sret: { kind: 'named', name: 'o' } },
        { name: '1', type: i8 },
        { name: '2', type: { kind: 'metadata' } },
      ],
      variadic: true,
      isLocal: false,
      isWeak: false,
      isDefinition: false,
      blocks: [],
      variables: new Map(),
    });
  });
});

const DEBUG = `
@x = internal global i32 0, !dbg !20
@.str = private constant [1 x i8] zeroinitializer, !dbg !22
define void @f(ptr %q) !dbg !3 {
  %n = alloca ptr
  %r = alloca ptr
  %h = alloca i32
  DECLARE
  store i32 1, ptr @x, !dbg !6
  store i32 2, ptr @x, !dbg !7
  store i32 3, ptr @x, !dbg !8
  store i32 4, ptr @x, !dbg !99
  ret void
}
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)
!1 = !DIFile(filename: "a.c", directory: "/home/x")
!2 = !DIFile(filename: "/usr/include/h.h", directory: "/home/x")
!3 = distinct !DISubprogram(name: "f", linkageName: "_Zf", scope: !1, file: !1, line: 5, spFlags: DISPFlagDefinition | DISPFlagLocalToUnit)
!4 = distinct !DILexicalBlock(scope: !3, file: !1, line: 6)
!5 = !DILexicalBlockFile(scope: !4, file: !2, discriminator: 0)
!6 = !DILocation(line: 7, column: 3, scope: !4)
!7 = !DILocation(line: 8, column: 4, scope: !5, inlinedAt: !6)
!8 = !DILocation(line: 0, scope: !3)
!9 = !DILocalVariable(name: "n", arg: 1, scope: !4, file: !1, line: 7, type: !10, flags: DIFlagArtificial)
!10 = !DIDerivedType(tag: DW_TAG_typedef, name: "node_t", file: !1, line: 1, baseType: !11)
!11 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !12)
!12 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !13, size: 32)
!13 = !DIDerivedType(tag: DW_TAG_typedef, name: "node", baseType: !14)
!14 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !1, line: 2, size: 96, elements: !15)
!15 = !{!16, !17, !18, !19}
!16 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !14, baseType: !12, size: 32)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "bits", scope: !14, baseType: !30, size: 3, offset: 32, flags: DIFlagBitField | DIFlagPublic, extraData: i64 32)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "grid", scope: !14, baseType: !31, size: 32, offset: 64)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "shared", baseType: !30, flags: DIFlagStaticMember)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "x", scope: !4, file: !1, line: 6, type: !34, isLocal: true, isDefinition: true)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !1, line: 6, type: !31)
!30 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!31 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 32, elements: !32)
!32 = !{!33, !DISubrange(count: -1), !DISubrange(count: !9), !DISubrange(lowerBound: 1, upperBound: 4)}
!33 = !DISubrange(count: 12)
!34 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !35)
!35 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "color", baseType: !30, size: 32)
`;
const RECORDS = `
    #dbg_declare(ptr %n, !9, !DIExpression(), !6)
    #dbg_declare(ptr %r, !9, !DIExpression(DW_OP_deref), !6)
    #dbg_declare(ptr %q, !9, !DIExpression(), !8)
    #dbg_declare(ptr poison, !9, !DIExpression(), !6)
    #dbg_value(!DIArgList(i32 0, ptr %n), !9, !DIExpression(DW_OP_LLVM_arg, 0), !6)
    #dbg_label(!9, !6)`;
const INTRINSICS = `
  call void @llvm.dbg.declare(metadata ptr %n, metadata !9, metadata !DIExpression()), !dbg !6
  call void @llvm.dbg.declare(metadata ptr %r, metadata !9, metadata !DIExpression(DW_OP_deref)), !dbg !6
  tail call void @llvm.dbg.declare(metadata ptr %q, metadata !9, metadata !DIExpression()), !dbg !8
  call void @llvm.dbg.declare(metadata !{}, metadata !9, metadata !DIExpression()), !dbg !6
  call void @llvm.dbg.value(metadata i32 0, metadata !9, metadata !DIExpression()), !dbg !6`;

describe.each([
  ['records', RECORDS],
  ['intrinsics', INTRINSICS],
])('debug info in %s', (_name, declarations) => {
  const module = read(DEBUG.replace('DECLARE', declarations));
  const f: LFunction = module.functions.get('f')!;

  it('gives places', () => {
    expect(f).toMatchObject({ sourceName: 'f', place: { file: 'a.c', line: 5, column: 0 } });
    expect(f.blocks[0]!.body.filter((i) => i.op === 'store').map((i) => i.place)).toEqual([
      { file: 'a.c', line: 7, column: 3 },
      { file: '/usr/include/h.h', line: 8, column: 4 },
      undefined,
      undefined,
    ]);
  });

  it('leaves no calls of debug intrinsics', () => {
    expect(f.blocks[0]!.body.map((i) => i.op)).not.toContain('call');
  });

  it('gives local variables', () => {
    expect(Array.from(f.variables.keys())).toEqual(['n', 'q']);
    expect(f.variables.get('n')).toMatchObject({ name: 'n', scope: 'f', place: { file: 'a.c', line: 7, column: 3 } });
    expect(f.variables.get('q')!.place).toEqual({ file: 'a.c', line: 7, column: 0 });
  });

  it('gives types', () => {
    const type = f.variables.get('n')!.type!;
    if (type.kind !== 'pointer') throw new Error(type.kind);
    const node = type.target()!;
    if (node.kind !== 'struct') throw new Error(node.kind);
    expect(node).toMatchObject({ name: 'node', bits: 96 });
    const members = node.members();
    expect(members).toMatchObject([
      { name: 'next', bitOffset: 0, bits: 32, isBitField: false },
      { name: 'bits', bitOffset: 32, bits: 3, isBitField: true },
      { name: 'grid', bitOffset: 64, bits: 32, isBitField: false },
    ]);
    expect(members[0]!.type).toMatchObject({ kind: 'pointer', bits: 32 });
    expect(members[1]!.type).toEqual({ kind: 'base', name: 'unsigned int', bits: 32, encoding: 'DW_ATE_unsigned' });
    const grid = members[2]!.type!;
    if (grid.kind !== 'array') throw new Error(grid.kind);
    expect(grid.counts).toEqual([12, undefined, undefined, 4]);
    expect(grid.element()).toBe(members[1]!.type);
  });

  it('gives global variables', () => {
    expect(module.globals.get('x')!.variable).toEqual({
      name: 'x',
      scope: 'f',
      type: { kind: 'enum', name: 'color', bits: 32 },
      place: { file: 'a.c', line: 6, column: 0 },
    });
    expect(module.globals.get('.str')).not.toHaveProperty('variable');
  });
});

it('follows cycles of types and scopes only to a limit', () => {
  const module = read(`@x = global i32 0, !dbg !0
define void @f() { ret void, !dbg !3 }
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = !DIGlobalVariable(name: "x", scope: !4, type: !2)
!2 = !DIDerivedType(tag: DW_TAG_typedef, name: "t", baseType: !2)
!3 = !DILocation(line: 1, scope: !4)
!4 = !DILexicalBlock(scope: !4)`);
  expect(module.globals.get('x')!.variable).toEqual({ name: 'x' });
  expect(module.functions.get('f')!.blocks[0]!.body[0]!.place).toBeUndefined();
});

describe('errors', () => {
  const inFunction = (text: string) => `define void @f(i32 %a) {\n${text}\n}`;
  const cases: readonly (readonly [text: string, line: number, column: number, found: string, expected: string])[] = [
    ['hello', 1, 1, 'hello', 'a function, a variable, a type or metadata'],
    ['@x = global i32* null', 1, 16, '*', 'pointers written "ptr", as clang does since version 15'],
    ['@x = global i32', 1, 16, 'end of file', 'a value'],
    ['@x = global i32 1.0', 1, 17, '1.0', 'a value of another type'],
    ['@x = global [2 x i32] [i32 1]', 1, 23, '[i32 1]', 'another number of elements'],
    ['@x = global [2 x i8] c"abc"', 1, 22, 'c"abc"', 'a value of another type'],
    ['@x = global i32 0\n@x = global i32 0', 2, 1, '@x', 'a name that is not defined yet'],
    ['@x = global ptr @y', 1, 17, '@y', 'a variable or function of this module'],
    ['@x = global %t zeroinitializer', 1, 13, '%t', 'a type of this module'],
    ['@x = global ptr %y', 1, 17, '%y', 'a value of this function'],
    ['@x = global ptr blockaddress(@f, %b)\ndeclare void @f()', 1, 34, '%b', 'a block of @f'],
    ['source_filename = "x', 1, 19, '"x', 'a string that is closed'],
    ['source_filename = \u0001', 1, 19, '\\u0001', 'LLVM IR'],
    ['define void @f() {\n ret void', 1, 18, '{', 'a bracket that is closed'],
    [inFunction(''), 3, 1, '}', 'a block'],
    [inFunction('b:'), 3, 1, '}', 'an instruction that ends the block'],
    [inFunction('%a = add i32 1, 2\nret void'), 2, 1, '%a', 'another name for this value'],
    [inFunction('%b = add i32 %c, 2\nret void'), 2, 14, '%c', 'a value of this function'],
    [inFunction('br label %a'), 2, 10, '%a', 'a block of this function'],
    [inFunction('load atomic i32, ptr null, align 4\nret void'), 2, 26, ',', 'a memory order'],
    [inFunction('store i32 0, i32 %a\nret void'), 2, 18, '%a', 'an address'],
    [inFunction('switch i32 %a, label %b [ i32 undef, label %b ]'), 2, 27, 'i32 undef', 'an integer'],
    ['@x = global [[', 1, 14, '[', 'a count'],
    [`@x = global ${'[1 x '.repeat(300)}`, 1, 1293, '[', 'a nesting of at most 256 levels'],
    [`@x = global i32 ${'9'.repeat(1001)}`, 1, 17, `${'9'.repeat(57)}...`, 'an integer of at most 1000 digits'],
    ['@x = global <99999 x i8> splat (i8 1)', 1, 32, '(', 'a vector'],
  ];
  it.each(cases)('have a place, and say what was expected: %j', (text, line, column, found, expected) => {
    const error = catchError(() => read(text));
    expect(error).toBeInstanceOf(LlvmError);
    expect(error).toMatchObject({ file: 'test.ll', line, column, found, expected });
  });
});

describe('mutants', () => {
  const samples = [DEBUG.replace('DECLARE', RECORDS), DEBUG.replace('DECLARE', INTRINSICS), everything()];

  it(`gives nothing but LlvmErrors for ${MUTANTS} mutated texts`, () => {
    const random = new Prng(SEED);
    let errors = 0;
    for (let i = 0; i < MUTANTS; i++) {
      const text = mutate(samples[i % samples.length]!, random);
      const error = catchError(() => visit(read(text)));
      if (error === undefined) continue;
      errors++;
      if (!(error instanceof LlvmError))
        throw new Error(`seed ${SEED}, mutant ${i}: ${error}\n${text}`, { cause: error });
      expect(error.line).toBeGreaterThan(0);
      expect(error.column).toBeGreaterThan(0);
    }
    // If all mutants were harmless, or all were hopeless, they would test nothing.
    expect(errors).toBeGreaterThan(MUTANTS / 10);
    expect(errors).toBeLessThan(MUTANTS);
  });

  it('gives an LlvmError, or a module, for every prefix of a text', () => {
    for (const sample of samples) {
      for (let length = 0; length < sample.length; length += 7) {
        const error = catchError(() => visit(read(sample.slice(0, length))));
        if (error !== undefined) expect(error).toBeInstanceOf(LlvmError);
      }
    }
  });
});

it('reads 150,000 lines', () => {
  const lines = Array.from(
    { length: 50_000 },
    (_, i) =>
      `  %x${i} = load i32, ptr %p, align 4, !dbg !${i + 10}\n  store i32 %x${i}, ptr %p, align 4, !dbg !${i + 10}`,
  );
  const locations = lines.map((_, i) => `!${i + 10} = !DILocation(line: ${i + 1}, column: 3, scope: !1)`);
  const text = `define void @f(ptr %p) {\n${lines.join('\n')}\n  ret void\n}
!0 = !DIFile(filename: "a.c", directory: "/")
!1 = !DISubprogram(name: "f", file: !0, line: 1)\n${locations.join('\n')}\n`;
  const module = read(text);
  expect(module.functions.get('f')!.blocks[0]!.body).toHaveLength(100_001);
});

function everything(): string {
  return `target datalayout = "e"
%struct.s = type { i32, [2 x i8], ptr }
@g = internal global [2 x %struct.s] [%struct.s { i32 1, [2 x i8] c"a\\00", ptr getelementptr (i8, ptr @g, i32 8) }, %struct.s zeroinitializer], align 4
@h = constant <2 x double> <double 1.000000e+00, double 0x7FF0000000000000>
@l = global ptr blockaddress(@f, %3)
@al = alias i32, ptr @g
declare i32 @callee(ptr noundef, ...) #0
define i32 @f(i32 noundef %0, ptr byval(%struct.s) align 4 %1) #0 {
  %3 = alloca [2 x i32], align 4
  switch i32 %0, label %6 [
    i32 1, label %4
    i32 -2, label %6
  ]
4:                                                ; preds = %2
  %5 = cmpxchg weak ptr %3, i32 %0, i32 2 acq_rel monotonic, align 4
  br label %6
6:
  %7 = phi i32 [ 0, %2 ], [ 1, %2 ], [ %0, %4 ]
  %8 = call i32 (ptr, ...) @callee(ptr noundef @g, i32 %7, double 5.000000e-01) #0
  %9 = icmp slt i32 %8, 4
  %10 = select i1 %9, i32 %8, i32 ptrtoint (ptr @g to i32)
  %11 = invoke i32 @callee(ptr null)
          to label %12 unwind label %12
12:
  store atomic volatile i32 %10, ptr %1 release, align 4
  fence syncscope("singlethread") seq_cst
  call void asm sideeffect "mfence", "~{memory}"()
  ret i32 %10
}
attributes #0 = { nounwind "a"="b" }
`.replace('blockaddress(@f, %3)', 'blockaddress(@f, %4)');
}

const PIECES =
  '( ) [ ] { } < > , = * | : ; ! !0 !dbg # #0 % %0 @ @g $ " "" \\ \\5 ... c" i32 ptr void label to x - 1 99999999999999999999 1.5 0x 0xK null undef\n\n\u0000\u00e9'.split(
    ' ',
  );

function mutate(text: string, random: Prng): string {
  const rounds = 1 + random.below(3);
  for (let i = 0; i < rounds; i++) text = mutateOnce(text, random);
  return text;
}

function mutateOnce(text: string, random: Prng): string {
  const at = random.below(text.length + 1);
  const lines = text.split('\n');
  const line = random.below(lines.length);
  switch (random.below(8)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random.below(4));
    case 2:
      return text.slice(0, at) + PIECES[random.below(PIECES.length)]! + text.slice(at);
    case 3:
      return text.slice(0, at) + PIECES[random.below(PIECES.length)]! + text.slice(at + 1);
    case 4:
      return lines.toSpliced(line, 1).join('\n');
    case 5:
      return lines.toSpliced(random.below(lines.length), 0, lines[line]!).join('\n');
    case 6: {
      // Replace one word by another from the same text.
      const words = text.split(/(\s+)/);
      words[random.below(words.length)] = words[random.below(words.length)]!;
      return words.join('');
    }
    default: {
      const digits = Array.from(text.matchAll(/\d+/g));
      const digit = digits[random.below(digits.length)];
      if (digit === undefined) return text;
      return `${text.slice(0, digit.index)}${random.below(40)}${text.slice(digit.index + digit[0].length)}`;
    }
  }
}

function catchError(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Forces everything that is computed lazily. */
function visit(module: Module): void {
  const seen = new Set<DType>();
  const visitType = (type: DType | undefined): void => {
    if (type === undefined || seen.has(type)) return;
    seen.add(type);
    if (type.kind === 'pointer') visitType(type.target());
    if (type.kind === 'array') visitType(type.element());
    if (type.kind === 'struct' || type.kind === 'union') for (const member of type.members()) visitType(member.type);
  };
  for (const global of module.globals.values()) visitType(global.variable?.type);
  for (const f of module.functions.values()) for (const variable of f.variables.values()) visitType(variable.type);
}
