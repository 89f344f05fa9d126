/**
 * Programs of `waiting.ts` as LLVM IR, much like unoptimised clang output, and as programs of the machine. clang does
 * not run, so thousands of them take seconds; everything in the front-end after clang is used.
 */
import { readModule } from '../../src/frontend/llvm/ir/reader.ts';
import { Linker } from '../../src/frontend/llvm/lower/link.ts';
import { lowerProgram } from '../../src/frontend/llvm/lower/lower.ts';
import { inlineLibrary } from '../../src/program/inline.ts';
import type { Program } from '../../src/program/ir.ts';
import { simplify } from '../../src/program/simplify.ts';
import { assertValid } from '../../src/program/validate.ts';
import {
  type Access,
  type Condition,
  LOCALS,
  LOCATIONS,
  type Order,
  type Part,
  type Statement,
  type Waiting,
} from './waiting.ts';

/**
 * Where local variables are: in registers; in registers, but read by functions that are passed an address; in one
 * array, which is private memory; in that array, and changed by functions that are passed their addresses; in
 * registers, with read values passing through a structure that is copied; or through one that is returned by a function
 * with its own variables.
 */
export type Style = 'registers' | 'addresses' | 'array' | 'calls' | 'structures' | 'returns';
export const STYLES: readonly Style[] = ['registers', 'addresses', 'array', 'calls', 'structures', 'returns'];

/**
 * Styles for the program. A loop that changes local variables in every round must not do so in memory: that would not
 * be waiting.
 */
export function stylesFor(waiting: Waiting): readonly Style[] {
  const counts = /"op":"(?:set|grow|count|carry)"/.test(JSON.stringify(waiting));
  return counts ? STYLES.filter((style) => style !== 'array' && style !== 'calls') : STYLES;
}

export function buildWaiting(waiting: Waiting, style: Style): Program {
  const linker = new Linker([readModule(printIr(waiting, style), 'waiting.ll')], []);
  const lowered = lowerProgram(linker, 'waiting', {
    entry: 'main',
    settings: {},
    fresh: 'zero',
    declarations: 'once',
    arguments: ['waiting'],
  });
  const program = simplify(inlineLibrary(lowered));
  assertValid(program);
  return program;
}

const HEADER = `target datalayout = "e-m:e-p:32:32-f64:32:64-f80:32-n8:16:32-S128"
target triple = "i386-unknown-linux-gnu"
${Array.from({ length: LOCATIONS }, (_, at) => `@x${at} = global i32 0, align 4`).join('\n')}
@m = global i32 0, align 4
declare i32 @__fencepost_spawn(ptr)
declare ptr @__fencepost_join(i32)
declare void @__fencepost_lock(ptr)
declare void @__fencepost_unlock(ptr)
declare i32 @__fencepost_trylock(ptr)
declare void @__fencepost_assert_fail(ptr)
declare void @__fencepost_exit(i32)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)`;

/** Functions that take addresses, by name, each with those that it calls. */
const HELPERS: readonly (readonly [name: string, text: string])[] = [
  [
    'get',
    `define internal void @get(ptr %from, ptr %to) {
  %f = alloca ptr, align 4
  %t = alloca ptr, align 4
  store ptr %from, ptr %f, align 4
  store ptr %to, ptr %t, align 4
  %p = load ptr, ptr %f, align 4
  %v = load atomic i32, ptr %p monotonic, align 4
  %q = load ptr, ptr %t, align 4
  store i32 %v, ptr %q, align 4
  ret void
}`,
  ],
  [
    'get_deeper',
    `define internal void @get_deeper(ptr %from, ptr %to) {
  call void @get(ptr %from, ptr %to)
  ret void
}`,
  ],
  [
    'fetch',
    `define internal i64 @fetch(ptr %from) {
  %s = alloca [2 x i32], align 4
  %t = alloca [2 x i32], align 4
  %v = load atomic i32, ptr %from monotonic, align 4
  %s0 = getelementptr inbounds [2 x i32], ptr %s, i32 0, i32 0
  store i32 7, ptr %s0, align 4
  %s1 = getelementptr inbounds [2 x i32], ptr %s, i32 0, i32 1
  store i32 %v, ptr %s1, align 4
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %t, ptr align 4 %s, i32 8, i1 false)
  %r = load i64, ptr %t, align 4
  ret i64 %r
}`,
  ],
  [
    'latch',
    `define internal void @latch(ptr %from, ptr %to) {
  %old = load i32, ptr %to, align 4
  %done = icmp ne i32 %old, 0
  br i1 %done, label %end, label %look
look:
  %v = load atomic i32, ptr %from monotonic, align 4
  %no = icmp eq i32 %v, 0
  br i1 %no, label %end, label %set
set:
  store i32 1, ptr %to, align 4
  br label %end
end:
  ret void
}`,
  ],
];

export function printIr({ threads, final }: Waiting, style: Style): string {
  const printer = new Printer(style);
  const starts = threads.map((body) => printer.addFunction(body));
  const end = printer.addFunction(final);
  const main = [
    'define i32 @main() {',
    ...starts.map((f, i) => `  %t${i} = call i32 @__fencepost_spawn(ptr @${f})`),
    ...starts.map((_, i) => `  %j${i} = call ptr @__fencepost_join(i32 %t${i})`),
    `  call void @${end}()`,
    '  ret i32 0',
    '}',
  ];
  const text = printer.functions.join('\n');
  const helpers = HELPERS.filter(
    ([name]) => text.includes(`@${name}(`) || (name === 'get' && text.includes('@get_deeper(')),
  );
  return [HEADER, ...printer.messages, ...helpers.map(([, helper]) => helper), text, ...main].join('\n');
}

/** LLVM's names. */
const ORDERS: Readonly<Record<Order, string>> = { relaxed: 'monotonic', release: 'release', seq_cst: 'seq_cst' };

class Printer {
  readonly functions: string[] = [];
  readonly messages: string[] = [];
  private readonly style: Style;

  constructor(style: Style) {
    this.style = style;
  }

  addFunction(body: readonly Statement[]): string {
    const text = new Body(this, this.style).print(body);
    const name = `f${this.functions.length}`;
    this.functions.push(`define internal void @${name}() {\n${text}\n}`);
    return name;
  }

  message(text: string): string {
    const name = `s${this.messages.length}`;
    this.messages.push(`@${name} = private constant [${text.length + 1} x i8] c"${text}\\00"`);
    return name;
  }
}

interface Loop {
  readonly exit: string;
  readonly next: string;
}

/** One function. Locals are `%n0`, …; values `%v0`, …; blocks `b0`, …. */
class Body {
  private readonly printer: Printer;
  private readonly inMemory: boolean;
  private readonly style: Style;
  private readonly lines: string[] = [];
  private values = 0;
  private blocks = 0;

  constructor(printer: Printer, style: Style) {
    this.printer = printer;
    this.style = style;
    this.inMemory = style === 'array' || style === 'calls';
  }

  print(body: readonly Statement[]): string {
    if (this.style === 'addresses' || this.style === 'calls') this.add('%r = alloca i32, align 4');
    if (this.style === 'structures' || this.style === 'returns')
      for (const name of ['u', 'w']) this.add(`%${name} = alloca [2 x i32], align 4`);
    if (this.inMemory) this.add(`%n = alloca [${LOCALS} x i32], align 4`);
    for (let i = 0; i < LOCALS; i++) {
      if (this.inMemory) this.add(`%n${i} = getelementptr inbounds [${LOCALS} x i32], ptr %n, i32 0, i32 ${i}`);
      else this.add(`%n${i} = alloca i32, align 4`);
      this.add(`store i32 0, ptr %n${i}, align 4`);
    }
    this.block(body, 'end', []);
    this.start('end');
    this.add('ret void');
    return this.lines.join('\n');
  }

  private add(line: string): void {
    this.lines.push(`  ${line}`);
  }

  private value(text: string): string {
    const name = `%v${this.values++}`;
    this.add(`${name} = ${text}`);
    return name;
  }

  private label(): string {
    return `b${this.blocks++}`;
  }

  private jump(label: string): void {
    this.add(`br label %${label}`);
  }

  /** Begins a block, to which the previous one leads. */
  private start(label: string): void {
    if (!/^ {2}(br|ret|unreachable)\b/.test(this.lines.at(-1)!)) this.jump(label);
    this.lines.push(`${label}:`);
  }

  private block(body: readonly Statement[], end: string, loops: readonly Loop[]): void {
    for (const statement of body) this.statement(statement, end, loops);
  }

  private statement(s: Statement, end: string, loops: readonly Loop[]): void {
    switch (s.op) {
      case 'store': {
        const type = typeOf(s.part);
        this.add(
          `store atomic ${type} ${s.value}, ptr ${this.place(s)} ${ORDERS[s.order]}, align ${type === 'i8' ? 1 : 4}`,
        );
        return;
      }
      case 'add':
        this.access(s);
        return;
      case 'fence':
        return this.add('fence seq_cst');
      case 'lock':
      case 'unlock':
        return this.add(`call void @__fencepost_${s.op}(ptr @m)`);
      case 'exit':
        return this.add('call void @__fencepost_exit(i32 0)');
      case 'set':
        return this.add(`store i32 ${s.value}, ptr %n${s.local}, align 4`);
      case 'read':
        if (this.style === 'calls') return this.add(`call void @get(ptr @x${s.at}, ptr %n${s.local})`);
        return this.add(`store i32 ${this.load(s)}, ptr %n${s.local}, align 4`);
      case 'latch':
        return this.latch(s.local, s.at);
      case 'grow': {
        const twice = this.value(`mul i32 ${this.value(`load i32, ptr %n${s.local}, align 4`)}, 2`);
        const more = this.value(`add i32 ${twice}, 1`);
        const isOver = this.value(`icmp sgt i32 ${more}, ${s.limit}`);
        const next = this.value(`select i1 ${isOver}, i32 ${s.limit}, i32 ${more}`);
        return this.add(`store i32 ${next}, ptr %n${s.local}, align 4`);
      }
      case 'count': {
        const more = this.value(`add i32 ${this.value(`load i32, ptr %n${s.local}, align 4`)}, 1`);
        const isOver = this.value(`icmp sge i32 ${more}, ${s.limit}`);
        const next = this.value(`select i1 ${isOver}, i32 0, i32 ${more}`);
        return this.add(`store i32 ${next}, ptr %n${s.local}, align 4`);
      }
      case 'while':
      case 'do': {
        const loop = { exit: this.label(), next: this.label() };
        const body = this.label();
        if (s.op === 'do') this.start(body);
        else {
          this.start(loop.next);
          this.unless(s.condition, loop.exit);
        }
        this.block(s.body, end, [...loops, loop]);
        if (s.op === 'do') {
          this.start(loop.next);
          this.unless(s.condition, loop.exit);
          this.jump(body);
        } else this.jump(loop.next);
        this.lines.push(`${loop.exit}:`);
        return;
      }
      case 'if': {
        const exit = this.label();
        this.unless(s.condition, exit);
        this.block(s.body, end, loops);
        return this.start(exit);
      }
      case 'leave':
        return this.leave(loops.at(-s.loops)!.exit);
      case 'continue':
        return this.leave(loops.at(-1)!.next);
      case 'return':
        return this.leave(end);
      case 'call':
        return this.add(`call void @${this.printer.addFunction(s.body)}()`);
      case 'assert': {
        const [fail, fine] = [this.label(), this.label()];
        const isWrong = this.value(`icmp eq i32 ${this.load(s)}, ${s.not}`);
        this.add(`br i1 ${isWrong}, label %${fail}, label %${fine}`);
        this.start(fail);
        this.add(`call void @__fencepost_assert_fail(ptr @${this.printer.message(`${s.name} != ${s.not}`)})`);
        this.add('unreachable');
        return this.start(fine);
      }
      case 'check': {
        const [fail, fine] = [this.label(), this.label()];
        const isWrong = this.value(`icmp eq i32 ${this.value(`load i32, ptr %n${s.local}, align 4`)}, ${s.not}`);
        this.add(`br i1 ${isWrong}, label %${fail}, label %${fine}`);
        this.start(fail);
        this.add(`call void @__fencepost_assert_fail(ptr @${this.printer.message(`${s.name} != ${s.not}`)})`);
        this.add('unreachable');
        return this.start(fine);
      }
    }
  }

  /** Jumps; what follows is unreachable. */
  private leave(label: string): void {
    this.jump(label);
    this.lines.push(`${this.label()}:`);
  }

  private latch(local: number, at: number): void {
    if (this.style === 'calls') return this.add(`call void @latch(ptr @x${at}, ptr %n${local})`);
    const end = this.label();
    this.unless({ local, below: 1 }, end);
    this.unless({ access: { op: 'load', at }, isZero: false }, end);
    this.add(`store i32 1, ptr %n${local}, align 4`);
    this.start(end);
  }

  private unless(condition: Condition, exit: string): void {
    if (condition === 'always') return;
    const next = this.label();
    if ('local' in condition) {
      const value = this.value(`load i32, ptr %n${condition.local}, align 4`);
      this.add(`br i1 ${this.value(`icmp slt i32 ${value}, ${condition.below}`)}, label %${next}, label %${exit}`);
    } else {
      const value = this.access(condition.access);
      const holds = this.value(`icmp ${condition.isZero ? 'eq' : 'ne'} i32 ${value}, 0`);
      this.add(`br i1 ${holds}, label %${next}, label %${exit}`);
    }
    this.start(next);
  }

  private place({ at, part }: { readonly at: number; readonly part?: Part }): string {
    if (part === undefined || part === 0) return `@x${at}`;
    return this.value(`getelementptr inbounds i8, ptr @x${at}, i32 1`);
  }

  private wide(value: string, part: Part | undefined): string {
    return part === undefined ? value : this.value(`zext i8 ${value} to i32`);
  }

  private load(a: { readonly at: number; readonly part?: Part }): string {
    const type = typeOf(a.part);
    if (a.part === undefined && (this.style === 'addresses' || this.style === 'calls')) {
      this.add(`call void @get${a.at === 2 ? '_deeper' : ''}(ptr @x${a.at}, ptr %r)`);
      return this.value('load i32, ptr %r, align 4');
    }
    if (a.part === undefined && this.style === 'returns') {
      this.add(`store i64 ${this.value(`call i64 @fetch(ptr @x${a.at})`)}, ptr %u, align 4`);
      return this.value(
        `load i32, ptr ${this.value('getelementptr inbounds [2 x i32], ptr %u, i32 0, i32 1')}, align 4`,
      );
    }
    const place = this.place(a);
    const loaded = this.value(`load atomic ${type}, ptr ${place} monotonic, align ${type === 'i8' ? 1 : 4}`);
    const value = this.wide(loaded, a.part);
    if (this.style !== 'structures') return value;
    const part = (of: string, i: number): string =>
      this.value(`getelementptr inbounds [2 x i32], ptr ${of}, i32 0, i32 ${i}`);
    this.add(`store i32 ${a.at}, ptr ${part('%u', 0)}, align 4`);
    this.add(`store i32 ${value}, ptr ${part('%u', 1)}, align 4`);
    this.add('call void @llvm.memcpy.p0.p0.i32(ptr align 4 %w, ptr align 4 %u, i32 8, i1 false)');
    return this.value(`load i32, ptr ${part('%w', 1)}, align 4`);
  }

  /** The value of the access, as described at `Access`. */
  private access(a: Access): string {
    switch (a.op) {
      case 'load':
        return this.load(a);
      case 'add':
        return this.value(`atomicrmw add ptr @x${a.at}, i32 ${a.value} ${ORDERS[a.order]}`);
      case 'trylock':
        return this.value('call i32 @__fencepost_trylock(ptr @m)');
      case 'exchange':
      case 'or': {
        const place = this.place(a);
        const how = a.op === 'or' ? 'or' : 'xchg';
        const old = this.value(`atomicrmw ${how} ptr ${place}, ${typeOf(a.part)} ${a.value} ${ORDERS[a.order]}`);
        return this.wide(old, a.part);
      }
      case 'cas': {
        const type = typeOf(a.part);
        const order = ORDERS[a.order];
        const place = this.place(a);
        const both = this.value(`cmpxchg ptr ${place}, ${type} ${a.expected}, ${type} ${a.value} ${order} ${order}`);
        return this.value(`zext i1 ${this.value(`extractvalue { ${type}, i1 } ${both}, 1`)} to i32`);
      }
      case 'carry': {
        const order = ORDERS[a.order];
        const expected = this.value(`load i32, ptr %n${a.local}, align 4`);
        const other = this.value(`xor i32 ${expected}, 1`);
        const both = this.value(`cmpxchg ptr @x${a.at}, i32 ${expected}, i32 ${other} ${order} ${order}`);
        const old = this.value(`extractvalue { i32, i1 } ${both}, 0`);
        const taken = this.value(`extractvalue { i32, i1 } ${both}, 1`);
        const [failed, done] = [this.label(), this.label()];
        this.add(`br i1 ${taken}, label %${done}, label %${failed}`);
        this.start(failed);
        this.add(`store i32 ${old}, ptr %n${a.local}, align 4`);
        this.start(done);
        return this.value(`zext i1 ${taken} to i32`);
      }
    }
  }
}

function typeOf(part: Part | undefined): 'i8' | 'i32' {
  return part === undefined ? 'i32' : 'i8';
}
