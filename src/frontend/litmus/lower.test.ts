import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Func, Instruction, Operand, Program } from '../../program/ir.ts';
import { bitsOf, sizeOf, type Type } from '../../program/types.ts';
import { validate } from '../../program/validate.ts';
import { answer, evaluate, type StateValue } from './condition.ts';
import { type LitmusTest, parseLitmus } from './litmus.ts';
import { nameOfAddress, type Observed } from './observed.ts';

interface Thread {
  readonly func: Func;
  block: number;
  next: number;
  done: boolean;
  registers: bigint[];
}

/** All sequentially consistent runs, by brute force. Registers are kept as signed bigints. */
class Runs {
  private readonly program: Program;
  private readonly bases: readonly number[];
  private memory: Uint8Array;
  private threads: Thread[];

  constructor(program: Program) {
    this.program = program;
    let end = 0x40;
    this.bases = program.globals.map(({ size }) => {
      const base = end;
      end += (size + 31) & ~15;
      return base;
    });
    this.memory = new Uint8Array(end);
    program.globals.forEach(({ init, relocations }, i) => {
      this.memory.set(init ?? [], this.bases[i]!);
      for (const { offset, target } of relocations ?? []) {
        this.write(this.bases[i]! + offset, 'i32', this.value(undefined, target));
      }
    });
    this.threads = program.roots.map((root) => {
      const func = program.functions[root.function]!;
      return { func, block: 0, next: 0, done: false, registers: func.registers.map(() => 0n) };
    });
  }

  finalStates(observed: readonly Observed[]): StateValue[][] {
    const states: StateValue[][] = [];
    const seen = new Set<string>();
    const explore = () => {
      const key =
        this.threads.map((t) => `${t.block},${t.next},${t.registers}`).join(';') + String.fromCharCode(...this.memory);
      if (seen.has(key)) return;
      seen.add(key);
      const { memory, threads } = this;
      const running = threads.flatMap(({ done }, i) => (done ? [] : [i]));
      if (running.length === 0) states.push(observed.map((item) => this.observe(item)));
      for (const i of running) {
        const thread = { ...threads[i]!, registers: [...threads[i]!.registers] };
        this.memory = memory.slice();
        this.threads = threads.with(i, thread);
        this.step(thread);
        this.runLocal(thread);
        explore();
      }
      this.memory = memory;
      this.threads = threads;
    };
    for (const thread of this.threads) this.runLocal(thread);
    explore();
    return states;
  }

  private observe(item: Observed): StateValue {
    const bits =
      item.kind === 'register'
        ? this.threads[item.root]!.registers[item.register]! >> BigInt(item.shift)
        : this.read(this.bases[item.global]! + item.offset, item.type);
    const value = BigInt.asIntN(bitsOf(item.type), bits);
    const global = this.bases.findLastIndex((base) => BigInt(base) <= value);
    const name =
      global < 0 ? undefined : nameOfAddress(this.program.globals[global]!, Number(value) - this.bases[global]!);
    if (item.pointer && name !== undefined) return name;
    return item.type === 'i64' ? value : Number(value);
  }

  /** Runs the steps that no other thread can observe. */
  private runLocal(thread: Thread): void {
    const next = () => thread.func.blocks[thread.block]!.body[thread.next]!.op;
    while (!thread.done && !['load', 'store', 'rmw', 'cmpxchg', 'fence'].includes(next())) this.step(thread);
  }

  private step(thread: Thread): void {
    const i: Instruction = thread.func.blocks[thread.block]!.body[thread.next++]!;
    const value = (operand: Operand) => this.value(thread, operand);
    const unsigned = (operand: Operand) => BigInt.asUintN(bitsOf(this.typeOf(thread, operand)), value(operand));
    const set = (dest: number, result: bigint | boolean) => {
      const { type } = thread.func.registers[dest]!;
      const bits = bitsOf(type);
      thread.registers[dest] = type === 'i1' ? BigInt.asUintN(1, BigInt(result)) : BigInt.asIntN(bits, BigInt(result));
    };
    const go = (block: number) => Object.assign(thread, { block, next: 0 });
    switch (i.op) {
      case 'move':
        set(i.dest, value(i.value));
        return;
      case 'binary':
        set(i.dest, operate(i.operator, value(i.left), value(i.right), unsigned(i.left)));
        return;
      case 'compare': {
        const [a, b] = i.predicate.startsWith('u')
          ? [unsigned(i.left), unsigned(i.right)]
          : [value(i.left), value(i.right)];
        set(i.dest, i.predicate.endsWith('lt') ? a < b : a === b);
        return;
      }
      case 'cast':
        set(i.dest, i.operator === 'zext' ? unsigned(i.value) : value(i.value));
        return;
      case 'select':
        set(i.dest, value(i.condition) === 1n ? value(i.ifTrue) : value(i.ifFalse));
        return;
      case 'load':
        set(i.dest, this.read(Number(value(i.address)), thread.func.registers[i.dest]!.type));
        return;
      case 'store':
        this.write(Number(value(i.address)), this.typeOf(thread, i.value), value(i.value));
        return;
      case 'rmw': {
        const { type } = thread.func.registers[i.dest]!;
        const [address, operand] = [Number(value(i.address)), value(i.value)];
        const old = this.read(address, type);
        this.write(address, type, operate(i.operator, old, operand, old));
        set(i.dest, old);
        return;
      }
      case 'cmpxchg': {
        const { type } = thread.func.registers[i.dest]!;
        const [address, expected, desired] = [Number(value(i.address)), value(i.expected), value(i.desired)];
        const old = this.read(address, type);
        if (old === expected) this.write(address, type, desired);
        set(i.dest, old);
        set(i.success!, old === expected);
        return;
      }
      case 'fence':
        return;
      case 'jump':
        go(i.target);
        return;
      case 'branch':
        go(value(i.condition) === 1n ? i.ifTrue : i.ifFalse);
        return;
      case 'return':
        thread.done = true;
        return;
      default:
        throw new Error(`litmus tests do not use ${i.op}`);
    }
  }

  private typeOf(thread: Thread, operand: Operand): Type {
    if (operand.kind === 'register') return thread.func.registers[operand.index]!.type;
    return operand.kind === 'constant' ? operand.type : 'i32';
  }

  private value(thread: Thread | undefined, operand: Operand): bigint {
    switch (operand.kind) {
      case 'register':
        return thread!.registers[operand.index]!;
      case 'constant':
        return BigInt(operand.value);
      case 'global':
        return BigInt(this.bases[operand.index]! + operand.offset);
      default:
        throw new Error('litmus tests do not use addresses of functions');
    }
  }

  private read(address: number, type: Type): bigint {
    let value = 0n;
    for (let i = sizeOf(type) - 1; i >= 0; i--) value = (value << 8n) | BigInt(this.memory[address + i]!);
    return BigInt.asIntN(bitsOf(type), value);
  }

  private write(address: number, type: Type, value: bigint): void {
    for (let i = 0; i < sizeOf(type); i++) this.memory[address + i] = Number((value >> BigInt(8 * i)) & 0xffn);
  }
}

function operate(operator: string, a: bigint, b: bigint, unsignedA: bigint): bigint {
  switch (operator) {
    case 'xchg':
      return b;
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'mul':
      return a * b;
    case 'shl':
      return a << b;
    case 'lshr':
      return unsignedA >> b;
    default:
      throw new Error(`litmus tests do not use ${operator}`);
  }
}

function statesOf(test: LitmusTest): StateValue[][] {
  expect(validate(test.program)).toEqual([]);
  const states = new Runs(test.program).finalStates(test.observed);
  return test.filter === undefined ? states : states.filter((values) => evaluate(test.filter!, values));
}

function holds(text: string): boolean {
  const test = parseLitmus(text, 'test.litmus');
  return answerOf(test, statesOf(test));
}

function answerOf({ condition }: LitmusTest, states: readonly StateValue[][]): boolean {
  const { quantifier, proposition } = condition!;
  const holds = states.map((values) => evaluate(proposition, values));
  return answer(quantifier, holds, true)!;
}

/** One thread; the code is separated by semicolons. */
const x86 = (code: string, condition: string, init = '') => `X86 test\n{${init}}\nP0;\n${code};\n${condition}`;
const x64 = (code: string, condition: string, init = '') => `X86_64 test\n{${init}}\nP0;\n${code};\n${condition}`;

describe('X86 instructions', () => {
  it.each([
    ['MOV EAX,$1; MOV EBX,EAX; MOV [x],EBX; MOV ECX,[x]', '0:ECX=1 /\\ x=1'],
    ['mov [x],5; mov eax,[x]', '0:EAX=5'],
    ['MOV EAX,-1; MOV AL,$2; MOV AH,$3', '0:EAX=0xffff0302 /\\ 0:AL=2 /\\ 0:AH=3 /\\ 0:AX=0x302'],
    ['MOVB [x],$-1', 'x=255'],
    ['MOVW [x],$-1', 'x=65535'],
    ['MOVL [x],$-1', 'x=-1'],
    ['MOVQ [x],$-1', 'x=-1'],
    ['MOV BYTE PTR [x+1],$1; MOV EAX,dword [x]', 'x=256 /\\ 0:EAX=256'],
    ['MOV EAX,$x; MOV [EAX],$7; MOV EBX,[EAX+0]', 'x=7 /\\ 0:EBX=7'],
    ['MOV EAX,$2; XADD [x],EAX; MOV EBX,$3; LOCK XADD [x],EBX', 'x=5 /\\ 0:EAX=0 /\\ 0:EBX=2'],
    ['INC [x]; INC [x]; DEC [x]; LOCK INC [x]; lock ; dec [x]; LOCK ADD [x],$9', 'x=10'],
    ['ADD [x],$12; SUB [x],$2; AND [x],$7; OR [x],$4; XOR [x],$1', 'x=7'],
    ['LOCK ADD [x],$12; LOCK SUB [x],$2; LOCK AND [x],$7; LOCK OR [x],$4; LOCK XOR [x],$1', 'x=7'],
    ['MOV EAX,$12; SUB EAX,$2; AND EAX,$7; OR EAX,$4; XOR EAX,$1; INC EAX; DEC EAX; ADD EAX,EAX', '0:EAX=14'],
    ['MOV EAX,$1; XCHG EAX,[x]; MOV EBX,$2; XCHG [x],EBX', '0:EAX=0 /\\ 0:EBX=1 /\\ x=2'],
    ['MOV EAX,$1; MOV EBX,$2; XCHG EAX,EBX; XCHG AL,AH; XCHG EBX,EBX', '0:EAX=512 /\\ 0:EBX=1'],
    ['MOV EAX,$1; UXCH EAX,[x]', '0:EAX=0 /\\ x=1'],
    ['MOV EBX,$5; LOCK CMPXCHG [x],EBX; MOV ECX,$6; CMPXCHG [x],ECX', 'x=5 /\\ 0:EAX=5'],
    ['MOV EAX,$3; MOV EBX,$5; LOCK CMPXCHG [x],EBX', 'x=0 /\\ 0:EAX=0'],
    ['MOV EAX,$3; MOV EBX,$5; CMPXCHG [x],EBX', 'x=0 /\\ 0:EAX=0'],
    [
      'MOVB [x],$-1; MOVZX EAX,BYTE PTR [x]; MOVSX EBX,BYTE PTR [x]; MOVZX CX,AL',
      '0:EAX=255 /\\ 0:EBX=-1 /\\ 0:ECX=255',
    ],
    ['NOP; PAUSE; MFENCE; LFENCE; SFENCE', 'true'],
    ['MOV [x],$1; RET; MOV [x],$2', 'x=1'],
    ['JMP L1; L0: MOV EAX,$1; JMP L2; L1: ; JMP L0; L2:', '0:EAX=1'],
    ['L: INC EAX; CMP EAX,$5; JNE L', '0:EAX=5'],
    ['MOV ECX,$3; L: ADD EAX,$2; DEC ECX; JNZ L', '0:EAX=6'],
    ['MOV EAX,$4; LOCK DEC [x]; JS L; MOV EAX,$5; L:', '0:EAX=4 /\\ x=-1'],
    ['LOCK INC [x]; LOCK SUB [x],$1; JE L; MOV EAX,$5; L:', '0:EAX=0'],
    [
      'MOV EBX,$2; LOCK CMPXCHG [x],EBX; JE L; MOV ECX,$1; L: LOCK CMPXCHG [x],EBX; JE M; MOV EDX,$1; M:',
      '0:ECX=0 /\\ 0:EDX=1',
    ],
    ['CMP [x],$0; JE L; MOV EAX,$1; L: TEST [x],$1; JNE M; MOV EBX,$1; M:', '0:EAX=0 /\\ 0:EBX=1'],
  ])('have their effect: %s', (code, proposition) => {
    expect(holds(x86(code, `forall ${proposition}`))).toBe(true);
  });

  it('give untyped immediates the size of the declared location', () => {
    expect(
      holds(
        x86('MOV [x],$-1; INC [y]', 'forall x=255 /\\ a[0]=0 /\\ y=256', 'uint8_t x; int16_t y=255; uint8_t a[2];'),
      ),
    ).toBe(true);
  });
});

describe('X86_64 instructions', () => {
  it.each([
    ['movq $1,(x); movl (x),%eax; movw (x),%bx; movb (x),%cl', '0:rax=1 /\\ 0:rbx=1 /\\ 0:rcx=1'],
    ['movq $-1,%rax; movl $1,%eax', '0:rax=1'],
    ['movq $-1,%rax; movw $1,%ax', '0:rax=-65535 /\\ 0:eax=-65535 /\\ 0:ax=1'],
    ['movq $-1,%rax; movb $1,%al; mov %al,%ah', '0:rax=0xffffffffffff0101 /\\ 0:ah=1 /\\ 0:al=1'],
    [
      'movabsq $0x123456789abcdef0,%r8; mov %r8d,%r9d; mov %r8w,%r10w; mov %r8b,%r11b',
      '0:r8=0x123456789abcdef0 /\\ 0:r9=0x9abcdef0 /\\ 0:r10=0xdef0 /\\ 0:r11=0xf0 /\\ 0:r11b=-16',
    ],
    [
      'movl $-1,%eax; movslq %eax,%rbx; movzbl %al,%ecx; movsbw %al,%dx; movzwq %ax,%rsi',
      '0:rax=0xffffffff /\\ 0:rbx=-1 /\\ 0:rcx=255 /\\ 0:rdx=65535 /\\ 0:rsi=65535',
    ],
    ['movl $1,%eax; lock xaddl %eax,(x); lock addl $3,(x); lock; incl (x)', '0:rax=0 /\\ x=5'],
    ['movl $1,%eax; xchgl %eax,(x); xchg (x),%eax', '0:rax=1 /\\ x=0'],
    ['movl $5,%ecx; lock cmpxchgl %ecx,(x); lock cmpxchg (x),%ecx', 'x=5 /\\ 0:rax=5'],
    ['leaq x(%rip),%rax; movl $3,(%rax); addl $1,x; movl $x,%ebx', 'x=4 /\\ 0:rax=x /\\ 0:rbx=x'],
    ['movl $1,%eax; cmp $2,%eax; jl L; movl $9,%ebx; L:', '0:rbx=0'],
    ['and %eax,%eax; nopl 0(%rax,%rax,1); endbr64; ret', 'true'],
  ])('have their effect: %s', (code, proposition) => {
    expect(holds(x64(code, `forall ${proposition}`))).toBe(true);
  });

  it('keep the upper half of rax when a 32-bit compare-exchange succeeds, and clear it when that fails', () => {
    const init = '0:rax=0x700000000; int x;';
    expect(holds(x64('movl $5,%ecx; lock cmpxchgl %ecx,(x)', 'forall 0:rax=0x700000000 /\\ x=5', init))).toBe(true);
    const other = '0:rax=0x700000001; int x;';
    expect(holds(x64('movl $5,%ecx; lock cmpxchgl %ecx,(x)', 'forall 0:rax=0 /\\ x=0', other))).toBe(true);
  });

  it('compute addresses', () => {
    const init = 'int64_t t[2]={1,-1}; 0:rax=t; 0:rbx=1; int a[4]={1,2,3,4};';
    const code =
      'movq 0(%rax,%ebx,8),%rcx; movl a(,%rbx,4),%edx; movl 8+4(%rax),%esi; movl (a+12),%edi; mov a-4(%ebx,%ebx,4),%r8d';
    expect(() => holds(x64(code, 'forall true', init))).toThrow('found "+"');
    const fixed = code.replace('8+4(%rax)', '-8(%rax,%rbx,8)').replace('a-4(%ebx,%ebx,4)', 'a-1(%ebx,%ebx,4)');
    const condition = 'forall 0:rcx=-1 /\\ 0:edx=2 /\\ 0:esi=1 /\\ 0:edi=4 /\\ 0:r8=2';
    expect(holds(x64(fixed, condition, init))).toBe(true);
    expect(
      holds(
        x86(
          'MOV EBX,[EAX*4+a]; MOV ECX,[a+EAX*4+4]; MOV EDX,[4+EAX+EAX+a-2]; MOV ESI,4[EDI]',
          'forall 0:EBX=2 /\\ 0:ECX=3 /\\ 0:EDX=2 /\\ 0:ESI=4',
          'int a[4]={1,2,3,4}; 0:EAX=1; 0:EDI=a[2];',
        ),
      ),
    ).toBe(true);
  });
});

describe('flags', () => {
  const values = [0, 1, 2, 126, 127, 128, 129, 254, 255];
  const signed = (n: number) => (n << 24) >> 24;
  const carryAndOverflow: Record<
    string,
    (a: number, b: number) => [result: number, carry: boolean, overflow: boolean]
  > = {
    cmp: (a, b) => [a - b, a < b, signed(a) - signed(b) !== signed(a - b)],
    sub: (a, b) => [a - b, a < b, signed(a) - signed(b) !== signed(a - b)],
    add: (a, b) => [a + b, a + b > 255, signed(a) + signed(b) !== signed(a + b)],
    and: (a, b) => [a & b, false, false],
    test: (a, b) => [a & b, false, false],
    xor: (a, b) => [a ^ b, false, false],
  };
  const conditions = [
    ['e z ne nz', (z: boolean) => z],
    ['b c nae ae nb nc', (_z: boolean, c: boolean) => c],
    ['s ns', (_z: boolean, _c: boolean, s: boolean) => s],
    ['o no', (_z: boolean, _c: boolean, _s: boolean, o: boolean) => o],
    ['be na a nbe', (z: boolean, c: boolean) => c || z],
    ['l nge lt ge nl', (_z: boolean, _c: boolean, s: boolean, o: boolean) => s !== o],
    ['le ng g nle gt', (z: boolean, _c: boolean, s: boolean, o: boolean) => z || s !== o],
  ] as const;
  const negative = new Set(['ne', 'nz', 'ae', 'nb', 'nc', 'ns', 'no', 'a', 'nbe', 'ge', 'nl', 'g', 'nle', 'gt']);

  it.each(Object.entries(carryAndOverflow))('are those of %s', (mnemonic, model) => {
    for (const a of values) {
      for (const b of values) {
        const [result, carry, overflow] = model(a, b);
        const [zero, sign] = [(result & 255) === 0, signed(result) < 0];
        const names = conditions.flatMap(([list]) => list.split(' '));
        const jumps = names.map(
          (name, i) => `j${name} L${i}; orl $${1 << i},%ebx; L${i}: movb $${a},%al; ${mnemonic}b $${b},%al`,
        );
        const taken = conditions.flatMap(([list, test]) =>
          list.split(' ').map((name) => test(zero, carry, sign, overflow) !== negative.has(name)),
        );
        const mask = taken.reduce((sum, isTaken, i) => (isTaken ? sum : sum + 2 ** i), 0);
        const code = `movb $${a},%al; ${mnemonic}b $${b},%al; ${jumps.join('; ')}`;
        const test = parseLitmus(x64(code, 'locations [0:rbx;]'), 'flags.litmus');
        expect(statesOf(test), `${mnemonic} ${a},${b}`).toEqual([[BigInt(mask)]]);
      }
    }
  });

  it.each([
    ['stc-like: movb $255,%al; addb $1,%al; incb %bl; jc L', 'CF survives inc'],
    ['movb $127,%al; incb %al; jo L', 'inc overflows'],
    ['movb $-128,%al; decb %al; jo L', 'dec overflows'],
    ['movb $255,%al; incb %al; jz L', 'inc reaches zero'],
    ['movl $-1,%eax; lock xaddl %eax,(y); js L', 'xadd sets the sign'],
    ['movl $-1,%eax; xaddl %eax,(y); js L', 'plain xadd sets the sign'],
  ])('decide the jump: %s', (code) => {
    const text = code.replace('stc-like: ', '');
    expect(holds(x64(`${text}; movl $1,(x); L:`, 'forall x=0'))).toBe(true);
  });

  it('are computed only where a jump can see them', () => {
    const names = (code: string) => {
      const registers = parseLitmus(x86(code, ''), 'flags.litmus').program.functions[0]!.registers;
      return registers.map(({ name }) => name).filter((name) => /^[A-Z]+$/.test(name));
    };
    expect(names('CMP EAX,$1; ADD EBX,$1')).toEqual(['EAX', 'EBX']);
    expect(names('CMP EAX,$1; JE L; L:')).toEqual(['EAX', 'ZF', 'SF', 'CF', 'OF']);
  });
});

describe('threads', () => {
  it('interleave, and unlocked updates are not atomic', () => {
    const test = (cell: string) => `X86 T\n{}\nP0 | P1 ;\n${cell} | ${cell} ;\nexists x=1`;
    expect(holds(test('INC [x]'))).toBe(true);
    expect(holds(test('LOCK INC [x]'))).toBe(false);
    const swap = (cell: string) =>
      `X86 T\n{0:EAX=1; 1:EAX=2;}\nP0 | P1 ;\n${cell} | ${cell} ;\nexists (0:EAX=0 /\\ 1:EAX=0)`;
    expect(holds(swap('XCHG EAX,[x]'))).toBe(false);
    expect(holds(swap('UXCH EAX,[x]'))).toBe(true);
    const add = (lock: string) =>
      `X86 T\n{0:EBX=1; 1:EBX=2;}\nP0 | P1 ;\n${lock} XADD [x],EBX | ${lock} XADD [x],EBX ;\nexists (0:EBX=0 /\\ 1:EBX=0)`;
    expect(holds(add('LOCK'))).toBe(false);
    expect(holds(add(''))).toBe(true);
  });

  it('write back the old value when an unlocked compare-exchange fails', () => {
    const test = (lock: string) =>
      `X86 T\n{0:EAX=9; 0:EBX=5;}\nP0 | P1 ;\n${lock} CMPXCHG [x],EBX | MOV [x],$1 ;\nexists x=0`;
    expect(holds(test(''))).toBe(true);
    expect(holds(test('LOCK'))).toBe(false);
  });

  it('wait in loops', () => {
    const text = `X86 MP
{}
 P0         | P1          ;
 MOV [x],$1 | L: MOV EAX,[y] ;
 MOV [y],$1 | CMP EAX,$1  ;
            | JNE L       ;
            | MOV EBX,[x] ;
forall (1:EAX=1 /\\ 1:EBX=1)`;
    expect(holds(text)).toBe(true);
  });

  it('see pointers by name', () => {
    const text = `X86_64 pointers
{ int x=1; int y=2; int *p=&x; q=y; 0:rax=p; int a[2]={5,6}; r=a[1]; }
 P0                | P1          ;
 movq (%rax),%rbx  | movq $y,(p) ;
 movl (%rbx),%ecx  |             ;
 movq (q),%rdx     |             ;
 movq (r),%rsi     |             ;
exists (0:rbx=y /\\ 0:rcx=2 /\\ p=y /\\ 0:rdx=y /\\ q=&y /\\ 0:rax=p /\\ 0:rsi=a[1] /\\ 0:rbx=[p])`;
    expect(holds(text)).toBe(true);
    expect(holds(text.replace('exists', '~exists'))).toBe(false);
    expect(holds(text.replace(/exists.*/, 'forall (0:rbx=x /\\ 0:rcx=1 \\/ 0:rbx=y /\\ 0:rcx=2)'))).toBe(true);
  });

  it('have final states that a condition may filter', () => {
    const text = (condition: string) => `X86 T\n{}\nP0 | P1 ;\nMOV [x],$1 | MOV [x],$2 ;\n${condition}`;
    expect(holds(text('forall x=2'))).toBe(false);
    expect(holds(text('filter x=2 forall x=2'))).toBe(true);
    expect(holds(text('filter not x=2; exists x=2'))).toBe(false);
  });
});

const corpus = new URL('../../../../shared/corpora/x86-dat3m/', import.meta.url);

describe.skipIf(!existsSync(corpus))('the x86 tests of Dartagnan', () => {
  it('have the published final states and answers under SC', () => {
    const rows = readFileSync(new URL('expected.tsv', corpus), 'utf8').trimEnd().split('\n').slice(1);
    for (const row of rows) {
      const [file, , , model, expected, states] = row.split('\t');
      if (model !== 'sc') continue;
      const test = parseLitmus(readFileSync(new URL(file!, corpus), 'utf8'), file!);
      const found = statesOf(test);
      const printed = found.map((values) =>
        values
          .map((value, i) => `${test.observed[i]!.label}=${value}`)
          .sort()
          .join(),
      );
      const published = states!.split(' | ').map((state) => state.split(',').sort().join());
      expect([...new Set(printed)].sort(), file).toEqual(published.sort());
      expect(answerOf(test, found), file).toBe(expected === 'yes');
    }
  });
});
