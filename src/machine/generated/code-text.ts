/**
 * The text of generated code while it is being written: lines, names for values, what is known about the frame and what
 * is in the journal. `generate.ts` and the files beside it, one for each kind of instruction, write to it.
 */
import type { Code } from '../code/code.ts';
import { WIDE } from '../code/type-codes.ts';
import { STOPPED } from '../run/frames.ts';
import { type Layout, T_PC } from '../state/layout.ts';
import { literal } from './generate-text.ts';

/** What is known at the place being written: it holds on every path to it. */
interface Known {
  /** By word of the frame: the text of its value. */
  readonly values: Map<number, string>;
  /** Words of the frame whose old values this step has in its journal. */
  readonly saved: Set<number>;
}

export class CodeText {
  readonly code: Code;
  readonly words: Int32Array;
  readonly layout: Layout;
  readonly isBuffered: boolean;
  /** For spin loops: count everything that the thread does except pure reads. */
  readonly countsWrites: boolean;
  /** Undefined bits are tracked: what involves any is left to the interpreter. */
  readonly tracksUndefined: boolean;
  protected known: Known = { values: new Map(), saved: new Set() };
  private readonly lines: string[] = [];
  private names = 0;

  constructor(code: Code, layout: Layout, isBuffered: boolean, countsWrites: boolean) {
    this.code = code;
    this.words = code.words;
    this.layout = layout;
    this.isBuffered = isBuffered;
    this.countsWrites = countsWrites;
    this.tracksUndefined = layout.tracksUndefined;
  }

  get text(): string {
    return this.lines.join('\n');
  }

  line(text: string): void {
    this.lines.push(text);
  }

  /** Saves the old values of words, given by their index, and of words of the frame to the journal, as `State` does. */
  save(indices: readonly string[], offsets: readonly number[]): void {
    const { saved } = this.known;
    const all = [...indices];
    for (const offset of offsets) {
      if (!saved.has(offset)) all.push(`f + ${offset}`);
      saved.add(offset);
    }
    if (all.length === 0) return;
    this.line(`{ const e = s.journalEnd, E = e + ${2 * all.length};`);
    this.line('if (E > s.journal.length) s.growJournal(E);');
    this.line('const j = s.journal; s.journalEnd = E;');
    all.forEach((index, i) => {
      this.line(`j[e + ${2 * i}] = w[${index}]; j[e + ${2 * i + 1}] = ${index};`);
    });
    this.line('}');
  }

  /** The thread stops at `pc`. */
  protected stop(pc: number): void {
    this.line(`w[T + ${T_PC}] = ${pc}; return ${STOPPED};`);
  }

  low(value: number): string {
    return value < 0 ? literal(this.code.pool[~value]!) : this.word(value);
  }

  high(value: number): string {
    return value < 0 ? literal(this.code.pool[~value + 1]!) : this.word(value + 1);
  }

  private word(offset: number): string {
    const { values } = this.known;
    let text = values.get(offset);
    if (text === undefined) {
      text = this.name(`w[f + ${offset}]`);
      values.set(offset, text);
    }
    return text;
  }

  /** The operand at this position of the instruction at `pc`. */
  operand(pc: number, place: number): number {
    return this.words[pc + place]!;
  }

  /** A name for a value that is still to be computed. */
  declare(): string {
    const name = `v${this.names++}`;
    this.line(`let ${name};`);
    return name;
  }

  /** Records that a word of the frame has the value with this name. */
  know(offset: number, name: string): void {
    this.known.values.set(offset, name);
  }

  /** Gives the value of an expression a name. */
  name(text: string): string {
    if (/^\(?-?\d+\)?$|^v\d+$/.test(text)) return text;
    const name = `v${this.names++}`;
    this.line(`const ${name} = ${text};`);
    return name;
  }

  /** Writes a word of the frame. */
  set(offset: number, text: string): void {
    const name = this.name(text);
    this.line(`w[f + ${offset}] = ${name};`);
    this.known.values.set(offset, name);
  }

  protected move(type: number, dest: number, value: number): void {
    const words = [this.low(value)];
    if (WIDE[type] === 1) words.push(this.high(value));
    for (const [i, word] of words.entries()) this.set(dest + i, word);
  }

  /** Records that a word of the frame has changed. */
  protected forget(type: number, dest: number): void {
    this.known.values.delete(dest);
    if (WIDE[type] === 1) this.known.values.delete(dest + 1);
  }

  /** Leaves an instruction to the interpreter, which returns false if the thread cannot continue. */
  delegate(call: string, pc: number, type: number, dest: number): void {
    this.line(`if (!${call}) {`);
    this.stop(pc);
    this.line('}');
    this.forget(type, dest);
  }
}
