/**
 * Random C programs with one thread and no undefined behaviour, for comparison with a native compiler.
 *
 * A program is a function `p<n>` that prints what it computes, preceded by the types, variables and functions it needs;
 * a file holds many. Nothing depends on the size of `long` or of pointers, on padding, on the order in which operands
 * are evaluated, or on the value of a NaN; signed arithmetic may wrap around (compile with -fwrapv).
 */
import { Prng } from '../../src/util/prng.ts';

interface IntegerType {
  readonly name: string;
  readonly short: string;
  readonly bits: number;
  readonly signed: boolean;
  readonly format: string;
}

const INTEGERS: readonly IntegerType[] = [
  { name: 'signed char', short: 'sc', bits: 8, signed: true, format: '%d' },
  { name: 'unsigned char', short: 'uc', bits: 8, signed: false, format: '%u' },
  { name: 'short', short: 'ss', bits: 16, signed: true, format: '%d' },
  { name: 'unsigned short', short: 'us', bits: 16, signed: false, format: '%u' },
  { name: 'int', short: 'si', bits: 32, signed: true, format: '%d' },
  { name: 'unsigned', short: 'ui', bits: 32, signed: false, format: '%u' },
  { name: 'long long', short: 'sl', bits: 64, signed: true, format: '%lld' },
  { name: 'unsigned long long', short: 'ul', bits: 64, signed: false, format: '%llu' },
];
const FLOATS = ['float', 'double'] as const;

/** What every file starts with: divisions that are always defined, conversions that are always in range. */
export const PRELUDE: string = `#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
${INTEGERS.map(({ name, short, bits, signed }) => {
  const bad = signed ? 'b == 0 || b == -1' : 'b == 0';
  // The truncated value is in range.
  const low = signed ? `v >= -${BigInt(2 ** (bits - 1))}.0` : 'v > -1';
  return `static ${name} div_${short}(${name} a, ${name} b) { return ${bad} ? a : a / b; }
static ${name} rem_${short}(${name} a, ${name} b) { return ${bad} ? b : a % b; }
static ${name} of_${short}(double v) { return ${low} && v < ${BigInt(2 ** (signed ? bits - 1 : bits))}.0 ? (${name})v : 7; }`;
}).join('\n')}
static double sane(double v) { return v != v || v > 1e15 || v < -1e15 ? 1.5 : v; }
static void show_float(float v) { unsigned bits; memcpy(&bits, &v, 4); if (v != v) printf(" nan"); else printf(" %08x", bits); }
static void show_double(double v) { unsigned long long bits; memcpy(&bits, &v, 8); if (v != v) printf(" nan"); else printf(" %016llx", bits); }
static long long sum_of(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  long long sum = 0;
  for (; *kinds; kinds++) switch (*kinds) {
    case 'i': sum = sum * 3 + va_arg(list, int); break;
    case 'l': sum = sum * 5 + va_arg(list, long long); break;
    case 'd': sum = sum * 7 + of_sl(va_arg(list, double)); break;
    case 'p': sum = sum * 11 + *va_arg(list, int *); break;
    case 's': sum = sum * 13 + (long long)strlen(va_arg(list, char *)); break;
  }
  va_end(list);
  return sum;
}
`;

export interface GeneratedProgram {
  readonly name: string;
  /** Its declarations and the function itself. */
  readonly source: string;
}

/** `bitFields`: some members of its structure are bit-fields; otherwise they are plain ones. */
export function generateProgram(name: string, seed: number, index: number, bitFields: boolean): GeneratedProgram {
  return new Generator(name, new Prng(seed, index), bitFields).program();
}

/** A file of programs, each announced by a line with its name. */
export function programFile(programs: readonly GeneratedProgram[]): string {
  const calls = programs.map(({ name }) => `  printf("== ${name}\\n");\n  ${name}();\n`).join('');
  return `${PRELUDE}\n${programs.map(({ source }) => source).join('\n')}\nint main(void) {\n${calls}  return 0;\n}\n`;
}

interface Variable {
  readonly text: string;
  readonly type: IntegerType | 'float' | 'double';
  /** How to read it where compilers disagree about the type of the plain name. */
  readonly read?: string;
  /** A bit-field has no address. */
  readonly isBitField?: boolean;
}

class Generator {
  private readonly name: string;
  private readonly prng: Prng;
  private readonly bitFields: boolean;
  private readonly declarations: string[] = [];
  private variables: Variable[] = [];
  private readonly body: string[] = [];
  private fresh = 0;
  private indent = 1;
  /** Number of loops around the statement being generated; limited so that programs run briefly. */
  private loops = 0;
  private readonly texts: string[] = [];
  private arrays: { readonly name: string; readonly type: IntegerType; readonly size: number }[] = [];
  private structName = '';
  private readonly structs: string[] = [];
  private readonly functions: { readonly name: string; readonly parameters: number }[] = [];
  private table = '';

  constructor(name: string, prng: Prng, bitFields: boolean) {
    this.name = name;
    this.prng = prng;
    this.bitFields = bitFields;
  }

  private below(n: number): number {
    return this.prng.below(n);
  }
  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
  private chance(percent: number): boolean {
    return this.below(100) < percent;
  }
  private unique(base: string): string {
    return `${base}${this.fresh++}`;
  }
  private line(text: string): void {
    this.body.push(`${'  '.repeat(this.indent)}${text}`);
  }

  program(): GeneratedProgram {
    this.makeStruct();
    this.makeGlobals();
    for (let i = this.below(3); i >= 0; i--) this.makeFunction();
    this.makeTable();
    this.makeLocals();
    for (let i = 4 + this.below(8); i > 0; i--) this.statement(0);
    this.showAll();
    const source = `${this.declarations.join('\n')}\nstatic void ${this.name}(void) {\n${this.body.join('\n')}\n}\n`;
    return { name: this.name, source };
  }

  // ---- values

  private integer(type: IntegerType): string {
    const interesting = [
      0n,
      1n,
      2n,
      7n,
      -1n,
      -2n,
      100n,
      127n,
      128n,
      255n,
      256n,
      32767n,
      65535n,
      0x7fffffffn,
      0xdeadbeefn,
    ];
    let value = this.chance(50)
      ? this.pick(interesting)
      : (BigInt(this.below(2 ** 31)) << 33n) ^ BigInt(this.below(2 ** 31)) ^ (this.chance(50) ? -1n : 0n);
    value = type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value);
    if (type.bits < 64)
      return type.bits === 32 && !type.signed ? `${value}u` : value === -0x80000000n ? '(-2147483647 - 1)' : `${value}`;
    if (!type.signed) return `${value}ull`;
    return value === -(2n ** 63n) ? '(-9223372036854775807ll - 1)' : `${value}ll`;
  }

  private real(): string {
    const value = this.pick([0, 1, -1, 0.5, 0.1, 3.25, -2.75, 1e10, 1e-5, 123456.789, 16777217, 1 / 3, -0, 2.5, 1e300]);
    const text = Object.is(value, -0) ? '-0.0' : String(value).replace('+', '');
    return /[.e]/.test(text) ? text : `${text}.0`;
  }

  private intVariables(): Variable[] {
    return this.variables.filter((v) => typeof v.type !== 'string');
  }
  private floatVariables(): Variable[] {
    return this.variables.filter((v) => typeof v.type === 'string');
  }

  /** An expression of some integer type, without side effects. */
  private int(depth: number): string {
    if (depth <= 0 || this.chance(15)) {
      const variables = this.intVariables();
      if (variables.length > 0 && this.chance(80)) {
        const variable = this.pick(variables);
        return variable.read ?? variable.text;
      }
      return this.integer(this.pick(INTEGERS));
    }
    const a = (): string => this.int(depth - 1);
    const type = this.pick(INTEGERS);
    switch (this.below(18)) {
      case 0:
      case 1:
      case 2:
        return `(${a()} ${this.pick(['+', '-', '*'])} ${a()})`;
      case 3:
        return `(${a()} ${this.pick(['&', '|', '^'])} ${a()})`;
      case 4:
        return `div_${type.short}(${a()}, ${a()})`;
      case 5:
        return `rem_${type.short}(${a()}, ${a()})`;
      case 6: {
        const wide = this.chance(40);
        const cast = wide
          ? `(${this.pick(['long long', 'unsigned long long'])})`
          : `(${this.pick(['int', 'unsigned'])})`;
        return `(${cast}${a()} ${this.pick(['<<', '>>'])} (${a()} & ${wide ? 63 : 31}))`;
      }
      case 7:
        return `(${a()} ${this.pick(['==', '!=', '<', '>', '<=', '>='])} ${a()})`;
      case 8:
        return `(${a()} ${this.pick(['&&', '||'])} ${a()})`;
      case 9:
        return `(${a()} ? ${a()} : ${a()})`;
      case 10:
        return `${this.pick(['~', '-', '!', '+'])}(${a()})`;
      case 11:
      case 12:
        return `(${type.name})${a()}`;
      case 13:
        return `of_${type.short}(${this.float(depth - 1)})`;
      case 14:
        return `(${this.float(depth - 1)} ${this.pick(['==', '!=', '<', '>', '<=', '>='])} ${this.float(depth - 1)})`;
      case 15:
        return this.element() ?? a();
      case 16:
        return this.call(depth) ?? a();
      default:
        return this.builtin(depth);
    }
  }

  private builtin(depth: number): string {
    const a = this.int(depth - 1);
    switch (this.below(7)) {
      case 0:
        return `__builtin_popcount((unsigned)${a})`;
      case 1:
        return `__builtin_clz((unsigned)${a} | 1)`;
      case 2:
        return `__builtin_ctzll((unsigned long long)${a} | 0x100)`;
      case 3:
        return `__builtin_bswap32((unsigned)${a})`;
      case 4:
        return `__builtin_bswap64((unsigned long long)${a})`;
      case 5:
        return `abs((int)(${a} & 0xffff) - 0x8000)`;
      default:
        return `(int)sizeof(${this.pick(INTEGERS).name})`;
    }
  }

  private element(): string | undefined {
    if (this.arrays.length === 0) return undefined;
    const { name, size } = this.pick(this.arrays);
    return `${name}[(unsigned)${this.int(1)} % ${size}]`;
  }

  private call(depth: number): string | undefined {
    if (this.functions.length === 0) return undefined;
    if (this.table !== '' && this.chance(40)) {
      return `${this.table}[(unsigned)${this.int(depth - 1)} % 3](${this.int(depth - 1)}, ${this.int(depth - 1)})`;
    }
    const { name, parameters } = this.pick(this.functions);
    return `${name}(${Array.from({ length: parameters }, () => this.int(depth - 1)).join(', ')})`;
  }

  private float(depth: number): string {
    if (depth <= 0 || this.chance(20)) {
      const variables = this.floatVariables();
      return variables.length > 0 && this.chance(80)
        ? this.pick(variables).text
        : `${this.real()}${this.chance(20) ? 'f' : ''}`.replace('1e300f', '1e30f');
    }
    const a = (): string => this.float(depth - 1);
    switch (this.below(8)) {
      case 0:
      case 1:
      case 2:
        return `(${a()} ${this.pick(['+', '-', '*', '/'])} ${a()})`;
      case 3:
        return `-(${a()})`;
      case 4:
        return `(${this.pick(FLOATS)})${this.int(depth - 1)}`;
      case 5:
        return `(${this.pick(FLOATS)})${a()}`;
      case 6:
        return `(${this.int(depth - 1)} ? ${a()} : ${a()})`;
      default:
        return `(${a()} + ${this.int(depth - 1)})`;
    }
  }

  // ---- declarations

  private makeStruct(): void {
    const name = `struct ${this.name}_s`;
    this.structName = name;
    const inner = `struct ${this.name}_i`;
    const [a, b, c, d] = Array.from({ length: 4 }, () => this.pick(INTEGERS));
    const width = (least: number, most: number): string =>
      this.bitFields ? ` : ${least + this.below(most - least + 1)}` : '';
    this.declarations.push(
      `${inner} { ${a!.name} a; ${this.pick(FLOATS)} f; ${b!.name} b[2]; };`,
      `${name} { ${c!.name} c; ${inner} in; unsigned u3${width(1, 7)}; int s5${width(2, 30)}; ` +
        `unsigned u9${width(1, 32)}; ${this.bitFields ? 'unsigned long long : 0; ' : ''}unsigned long long w${width(33, 52)}; ${d!.name} d; ` +
        'union { unsigned long long l; unsigned i[2]; unsigned short s[4]; unsigned char c[8]; } u; };',
    );
    this.structFields = (text) => [
      { text: `${text}.c`, type: c! },
      { text: `${text}.in.a`, type: a! },
      { text: `${text}.in.b[0]`, type: b! },
      { text: `${text}.in.b[1]`, type: b! },
      { text: `${text}.u3`, type: INTEGERS[5]!, isBitField: true },
      { text: `${text}.s5`, type: INTEGERS[4]!, isBitField: true },
      { text: `${text}.u9`, type: INTEGERS[5]!, isBitField: true },
      // gcc computes with 40-bit numbers here, clang with 64-bit ones.
      { text: `${text}.w`, type: INTEGERS[7]!, read: `(unsigned long long)${text}.w`, isBitField: true },
      { text: `${text}.d`, type: d! },
      { text: `${text}.u.l`, type: INTEGERS[7]! },
      { text: `${text}.u.i[${this.below(2)}]`, type: INTEGERS[5]! },
      { text: `${text}.u.s[${this.below(4)}]`, type: INTEGERS[3]! },
      { text: `${text}.u.c[${this.below(8)}]`, type: INTEGERS[1]! },
    ];
  }
  private structFields: (text: string) => Variable[] = () => [];

  private makeGlobals(): void {
    for (let i = this.below(3); i > 0; i--) {
      const type = this.pick(INTEGERS);
      const name = this.unique(`${this.name}_g`);
      this.declarations.push(
        `static ${this.chance(20) ? 'volatile ' : ''}${type.name} ${name} = ${this.integer(type)};`,
      );
      this.variables.push({ text: name, type });
    }
    if (this.chance(70)) {
      const type = this.pick(INTEGERS);
      const name = this.unique(`${this.name}_a`);
      const size = 2 + this.below(6);
      const values = Array.from({ length: 1 + this.below(size) }, () => this.integer(type));
      this.declarations.push(`static ${type.name} ${name}[${size}] = {${values.join(', ')}};`);
      this.arrays.push({ name, type, size });
      const pointer = this.unique(`${this.name}_p`);
      this.declarations.push(`static ${type.name} *${pointer} = &${name}[${this.below(size)}];`);
      this.variables.push({ text: `*${pointer}`, type });
    }
    if (this.chance(60)) {
      const name = this.unique(`${this.name}_gs`);
      this.declarations.push(
        `static ${this.structName} ${name} = {.c = ${this.below(100)}, .in = {1, 2.5, {3}}, .u = {.i = {5, 6}}};`,
      );
      this.structs.push(name);
    }
  }

  private makeFunction(): void {
    const name = this.unique(`${this.name}_f`);
    const parameters = 1 + this.below(6);
    const types = Array.from({ length: parameters }, () => this.pick(INTEGERS));
    const result = this.pick(INTEGERS);
    const outer = this.variables;
    this.variables = types.map((type, i) => ({ text: `x${i}`, type }));
    const list = types.map((type, i) => `${type.name} x${i}`).join(', ');
    let text: string;
    if (this.chance(35)) {
      // Recursion: the first parameter counts down.
      const others = types.slice(1).map(() => this.int(2));
      const ends = this.int(2);
      text =
        `static ${result.name} ${name}_r(int n${types.map((type, i) => `, ${type.name} x${i}`).join('')}) {\n` +
        `  if (n <= 0) return ${ends};\n  ${result.name} r = ${name}_r(n - 1, x0 + n${others.map((o) => `, ${o}`).join('')});\n` +
        `  return r ${this.pick(['+', '^', '-'])} ${this.int(2)};\n}\n` +
        `static ${result.name} ${name}(${list}) { return ${name}_r((int)(x0 & 7)${types.map((_, i) => `, x${i}`).join('')}); }`;
    } else {
      text = `static ${result.name} ${name}(${list}) { return ${this.int(3)}; }`;
    }
    this.variables = outer;
    this.declarations.push(text);
    this.functions.push({ name, parameters });
  }

  private makeTable(): void {
    if (!this.chance(60)) return;
    const outer = this.variables;
    const names: string[] = [];
    const result = this.pick(INTEGERS);
    const [left, right] = [this.pick(INTEGERS), this.pick(INTEGERS)];
    this.variables = [
      { text: 'a', type: left },
      { text: 'b', type: right },
    ];
    for (let i = 0; i < 3; i++) {
      const name = this.unique(`${this.name}_t`);
      names.push(name);
      this.declarations.push(
        `static ${result.name} ${name}(${left.name} a, ${right.name} b) { return ${this.int(2)}; }`,
      );
    }
    this.variables = outer;
    this.table = `${this.name}_table`;
    this.declarations.push(
      `static ${result.name} (*const ${this.table}[])(${left.name}, ${right.name}) = {${names.join(', ')}};`,
    );
  }

  private makeLocals(): void {
    for (let i = 2 + this.below(5); i > 0; i--) {
      const type = this.pick(INTEGERS);
      const name = this.unique('v');
      this.line(`${type.name} ${name} = ${this.integer(type)};`);
      this.variables.push({ text: name, type });
    }
    for (let i = this.below(3); i > 0; i--) {
      const type = this.pick(FLOATS);
      const name = this.unique('r');
      this.line(`${type} ${name} = ${this.real()};`);
      this.variables.push({ text: name, type });
    }
    const addressable = this.intVariables();
    if (addressable.length > 0 && this.chance(60)) {
      const { text, type } = this.pick(addressable);
      const name = this.unique('q');
      if (text.startsWith('v')) {
        this.line(`${(type as IntegerType).name} *${name} = &${text}, **${name}p = &${name};`);
        this.variables.push({ text: `*${name}`, type }, { text: `**${name}p`, type });
      }
    }
    if (this.chance(50)) {
      const type = this.pick(INTEGERS);
      const name = this.unique('a');
      const size = 2 + this.below(6);
      this.line(`${type.name} ${name}[${size}] = {${this.integer(type)}, ${this.integer(type)}};`);
      this.arrays.push({ name, type, size });
    }
    const s = this.unique('s');
    const text = this.unique('t');
    this.line(`${this.structName} ${s} = {0}, ${s}a[2] = {{0}}, *${s}p = &${s}a[${this.below(2)}];`);
    this.structs.push(s, `${s}a[0]`, `${s}a[1]`, `(*${s}p)`);
    for (const struct of this.structs) {
      const fields = this.structFields(struct);
      this.variables.push(...Array.from({ length: 3 }, () => this.pick(fields)));
    }
    this.line(`char ${text}[64] = "${this.word()}";`);
    this.texts.push(text);
    if (this.chance(40)) {
      const heap = this.unique('h');
      this.line(`char *${heap} = calloc(64, 1);`);
      this.line(`strcpy(${heap}, "${this.word()}");`);
      this.texts.push(heap);
    }
  }

  private word(): string {
    return Array.from({ length: this.below(9) }, () => this.pick(['a', 'b', 'c', 'x', 'Z', ' ', '0'])).join('');
  }

  // ---- statements

  private statement(depth: number): void {
    const kind = this.below(22);
    if (kind < 6) return this.assign();
    if (kind < 8) return this.compound();
    if (kind === 8) return this.count();
    if (kind === 9 && depth < 2) return this.branch(depth);
    if (kind === 10 && depth < 2 && this.loops < 2) return this.loop(depth);
    if (kind === 11 && depth < 2) return this.switch(depth);
    if (kind === 12) return this.copyStruct();
    if (kind === 13) return this.memory();
    if (kind < 16) return this.string();
    if (kind === 16) return this.varargs();
    if (kind === 17) return this.show();
    if (kind === 18 && this.loops === 0) return this.computedGoto();
    if (kind === 19) return this.structCall();
    return this.assignElement();
  }

  private block(depth: number): void {
    this.indent++;
    for (let i = 1 + this.below(3); i > 0; i--) this.statement(depth);
    this.indent--;
  }

  private assign(): void {
    const target = this.pick(this.variables);
    if (typeof target.type === 'string') return this.line(`${target.text} = sane(${this.float(3)});`);
    const short = target.type.short;
    this.line(`${target.text} = ${this.chance(10) ? `of_${short}(${this.float(2)})` : this.int(4)};`);
  }

  private assignElement(): void {
    const element = this.element();
    if (element === undefined) return this.assign();
    this.line(`${element} ${this.pick(['=', '+=', '-=', '^=', '|=', '*='])} ${this.int(3)};`);
  }

  private compound(): void {
    const target = this.pick(this.variables);
    if (typeof target.type === 'string') {
      this.line(
        `${target.text} ${this.pick(['+=', '-=', '*=', '/='])} ${this.chance(50) ? this.float(2) : this.int(2)};`,
      );
      return this.line(`${target.text} = sane(${target.text});`);
    }
    const operator = this.pick(['+', '-', '*', '&', '|', '^', '<<', '>>', '/', '%']);
    const value = this.int(2);
    if (operator === '<<' || operator === '>>')
      return this.line(`${target.text} ${operator}= (${value} & ${target.type.bits === 64 ? 63 : 31});`);
    if (operator === '/' || operator === '%')
      return this.line(`${target.text} ${operator}= (int)(${value} & 0x7e) + 1;`);
    this.line(`${target.text} ${operator}= ${value};`);
  }

  private count(): void {
    const target = this.pick(this.intVariables());
    const text = target.text.startsWith('*') ? `(${target.text})` : target.text;
    const operator = this.pick(['++', '--']);
    this.line(this.chance(50) ? `${text}${operator};` : `${operator}${text};`);
  }

  private branch(depth: number): void {
    this.line(`if (${this.int(2)}) {`);
    this.block(depth + 1);
    if (this.chance(50)) {
      this.line('} else {');
      this.block(depth + 1);
    }
    this.line('}');
  }

  private loop(depth: number): void {
    const i = this.unique('i');
    const count = 1 + this.below(6);
    this.loops++;
    const outer = this.variables;
    this.variables = [...outer];
    const counter: Variable = { text: i, type: INTEGERS[4]!, read: `(${i} + 0)` };
    switch (this.below(3)) {
      case 0:
        this.line(`for (int ${i} = 0; ${i} < ${count}; ${i}++) {`);
        this.exits(i);
        this.readable(counter, () => this.block(depth + 1));
        this.line('}');
        break;
      case 1:
        this.line(`{ int ${i} = ${count}; while (${i}-- > 0) {`);
        this.readable(counter, () => this.block(depth + 1));
        this.line('} }');
        break;
      default:
        this.line(`{ int ${i} = 0; do {`);
        this.readable(counter, () => this.block(depth + 1));
        this.line(`} while (++${i} < ${count}); }`);
    }
    this.variables = outer;
    this.loops--;
  }

  /** The body may read the counter, but not write it: it gets a copy. */
  private readable(counter: Variable, make: () => void): void {
    const copy = this.unique('k');
    this.line(`  int ${copy} = ${counter.text};`);
    this.variables.push({ text: copy, type: INTEGERS[4]! });
    make();
  }

  private exits(i: string): void {
    if (this.chance(30)) this.line(`  if (${i} == ${this.below(5)}) ${this.pick(['break', 'continue'])};`);
  }

  private switch(depth: number): void {
    const type = this.pick(INTEGERS);
    this.line(`switch ((${type.name})(${this.int(2)} % 5)) {`);
    const values = new Set(Array.from({ length: 1 + this.below(4) }, () => this.below(5)));
    for (const value of values) {
      this.line(`case ${value}: {`);
      this.block(depth + 1);
      this.line(this.chance(70) ? '} break;' : '} /* falls through */');
    }
    if (this.chance(70)) {
      this.line('default: {');
      this.block(depth + 1);
      this.line('}');
    } else this.line('default:;');
    this.line('}');
  }

  private computedGoto(): void {
    const label = this.unique('L');
    const target = this.pick(this.intVariables()).text;
    this.line(`{ static void *const ${label}[] = {&&${label}_0, &&${label}_1, &&${label}_2}; unsigned n = 0;`);
    this.line(`goto *${label}[(unsigned)${this.int(2)} % 3];`);
    this.line(`${label}_0: ${target} += 1; if (++n < 4) goto *${label}[(unsigned)${this.int(2)} % 3];`);
    this.line(`${label}_1: ${target} ^= ${this.below(50)}; if (++n < 4) goto *${label}[n % 3];`);
    this.line(`${label}_2:; }`);
  }

  private copyStruct(): void {
    const [to, from] = [this.pick(this.structs), this.pick(this.structs)];
    switch (this.below(3)) {
      case 0:
        return this.line(`${to} = ${from};`);
      case 1:
        return this.line(`memmove(&${to}, &${from}, sizeof ${to});`);
      default:
        return this.line(`${to}.in = ${from}.in;`);
    }
  }

  private structCall(): void {
    const f = `${this.name}_by${this.fresh++}`;
    const [outer, arrays] = [this.variables, this.arrays];
    this.arrays = arrays.filter(({ name }) => name.startsWith(this.name));
    this.variables = this.structFields('s').filter((v) => typeof v.type !== 'string');
    const change = `${this.pick(this.variables).text} = ${this.int(2)};`;
    [this.variables, this.arrays] = [outer, arrays];
    this.declarations.push(
      `static ${this.structName} ${f}(int n, ${this.structName} s) { if (n > 0) return ${f}(n - 1, s); ${change} return s; }`,
    );
    this.line(`${this.pick(this.structs)} = ${f}(${this.below(3)}, ${this.pick(this.structs)});`);
  }

  private memory(): void {
    if (this.arrays.length === 0) return this.copyStruct();
    const { name, size, type } = this.pick(this.arrays);
    const bytes = type.bits / 8;
    const count = this.below(size + 1);
    switch (this.below(4)) {
      case 0:
        return this.line(
          `memset(${name}, ${this.chance(50) ? this.below(256) : `(int)${this.int(1)}`}, ${this.chance(50) ? count * bytes : `(unsigned)${this.int(1)} % ${size * bytes + 1}`});`,
        );
      case 1: {
        const [to, from] = [this.below(size), this.below(size)];
        const most = size - Math.max(to, from);
        return this.line(
          `memmove(${name} + ${to}, ${name} + ${from}, ${this.chance(50) ? most * bytes : `(unsigned)${this.int(1)} % ${most * bytes + 1}`});`,
        );
      }
      case 2: {
        const copy = this.unique('c');
        this.line(
          `{ ${type.name} ${copy}[${size}]; memcpy(${copy}, ${name}, sizeof ${copy}); ${copy}[${this.below(size)}] ^= ${this.below(200)};`,
        );
        this.line(
          `printf(" %d", memcmp(${copy}, ${name}, sizeof ${copy}) < 0); memcpy(${name}, ${copy}, sizeof ${copy}); }`,
        );
        return;
      }
      default:
        return this.line(`printf(" %d", memchr(${name}, ${this.below(256)}, ${count * bytes}) != NULL);`);
    }
  }

  /** Texts have 64 bytes and at most 8 are added at a time. */
  private string(): void {
    const t = this.pick(this.texts);
    const other = this.chance(50) ? this.pick(this.texts) : `"${this.word()}"`;
    const guard = `if (strlen(${t}) < 40)`;
    switch (this.below(10)) {
      case 0:
        return this.line(`strcpy(${t}, "${this.word()}");`);
      case 1:
        return this.line(`${guard} strncat(${t}, ${other === t ? '"self"' : other}, ${this.below(9)});`);
      case 2:
        return this.line(`${guard} strcat(${t}, "${this.word()}");`);
      case 3:
        return this.line(`strncpy(${t}, "${this.word()}", ${1 + this.below(12)}); ${t}[12] = 0;`);
      case 4:
        return this.line(`printf(" %d", strcmp(${t}, ${other}) < 0);`);
      case 5:
        return this.line(`printf(" %d", strncmp(${t}, ${other}, ${this.below(9)}) > 0);`);
      case 6: {
        const p = this.unique('c');
        return this.line(
          `{ char *${p} = str${this.chance(50) ? 'r' : ''}chr(${t}, '${this.pick(['a', 'b', ' ', 'q'])}'); printf(" %d", ${p} ? (int)(${p} - ${t}) : -1); }`,
        );
      }
      case 7:
        return this.line(
          `snprintf(${t}, ${8 + this.below(40)}, "%d:%s:%x", (int)${this.int(1)}, "${this.word()}", (unsigned)${this.int(1)});`,
        );
      case 8:
        return this.line(`printf(" %d", atoi("${this.pick(['12', '-7', ' 99x', '', '2147483647'])}"));`);
      default:
        return this.line(`printf(" [%s] %d", ${t}, (int)strlen(${t}));`);
    }
  }

  private varargs(): void {
    const pointed = this.intVariables().find((v) => v.type === INTEGERS[4] && v.isBitField !== true);
    const kinds = Array.from({ length: this.below(6) }, () =>
      this.pick(pointed === undefined ? ['i', 'l', 'd', 's'] : ['i', 'l', 'd', 's', 'p']),
    );
    const values = kinds.map((kind) => {
      switch (kind) {
        case 'i':
          return `(int)${this.int(2)}`;
        case 'l':
          return `(long long)${this.int(2)}`;
        case 'd':
          return `(double)${this.float(2)}`;
        case 's':
          return `"${this.word()}"`;
        default:
          return `&${pointed!.text}`;
      }
    });
    this.line(`printf(" %lld", sum_of("${kinds.join('')}"${values.map((v) => `, ${v}`).join('')}));`);
  }

  /** Through printf, in all its forms. */
  private show(): void {
    const width = this.pick(['', '5', '-6', '08', '+', ' ', '#', '.3', '9.4', '-#10']);
    switch (this.below(5)) {
      case 0:
        return this.line(
          `printf(" |%${width.replace('#', '')}d|%${width.replace(/[+ ]/, '')}x|", (int)${this.int(2)}, (unsigned)${this.int(2)});`,
        );
      case 1:
        return this.line(
          `printf(" |%${width.replace('#', '')}lld|%${width.replace(/[+ ]/, '')}llo|", (long long)${this.int(2)}, (unsigned long long)${this.int(2)});`,
        );
      case 2: {
        const conversion = this.pick(['f', 'e', 'g', 'E', 'G']);
        const precision = this.pick(['', '.0', '.1', '.3', '.10']);
        return this.line(
          `printf(" |%${this.pick(['', '12', '-12', '+', '012', ' '])}${precision}${conversion}|", sane(${this.float(2)}));`,
        );
      }
      case 3:
        return this.line(
          `printf(" |%hhd %hu %c %5s %-5.2s %%|", (int)${this.int(2)}, (int)${this.int(2)}, 'a' + (int)((unsigned)${this.int(1)} % 26), "${this.word()}", "${this.word()}");`,
        );
      default:
        return this.line(
          `printf(" |%*d %.*s|", (int)((unsigned)${this.int(1)} % 9) - 4, (int)${this.int(1)}, ${this.below(5)}, "${this.word()}");`,
        );
    }
  }

  private showAll(): void {
    for (const { text, type, read } of this.variables) {
      if (type === 'float') this.line(`show_float(${text});`);
      else if (type === 'double') this.line(`show_double(${text});`);
      else this.line(`printf(" ${type.format}", ${read ?? text});`);
    }
    for (const { name, type, size } of this.arrays)
      this.line(`for (int i = 0; i < ${size}; i++) printf(" ${type.format}", ${name}[i]);`);
    const show = `${this.name}_show`;
    const fields = this.structFields('(*s)');
    const formats = fields.map(({ type }) => (type as IntegerType).format).join(' ');
    const values = fields.map(({ text, read }) => read ?? text).join(', ');
    this.declarations.push(`static void ${show}(const ${this.structName} *s) { printf(" ${formats}", ${values}); }`);
    for (const struct of this.structs) this.line(`${show}(&${struct});`);
    for (const text of this.texts) this.line(`printf(" <%s>", ${text});`);
    this.line('printf("\\n");');
  }
}
