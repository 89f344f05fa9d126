/**
 * Generated code: a function of the program as JavaScript, with exactly the effects of the interpreter on the state.
 *
 * All that varies in the text is numbers; nothing comes from the program's names or strings. A function of the program
 * becomes a JavaScript function (a long one becomes several, its chunks, since engines do not optimise very long
 * functions): a loop around a `switch` over labels, which runs to the thread's next visible operation.
 *
 *   function (t, T, k, p, b)   thread, index of its words in the state, label to start at, step, instructions left
 *                              before the limit; returns the pc to continue at, in another function, or `STOPPED`, with
 *                              `T_PC` set, or `DECLINED`, with nothing done
 *   f  the frame               w  words of the state, s  State, M  Memory, V  EventLog, O  Objects, F  Frames,
 *   I  Interpreter, E  its Evaluator, L  LoopWatch, P  ProcessTable, Y  SyncObjects, r  Compiled
 *
 * A piece (`pieces.ts`) that only one jump leads to is written in place of that jump; the others have a label. Values
 * read from the frame or computed are also kept in JavaScript constants, within the piece and those nested in it. The
 * most frequent visible operations (`generate-access.ts`, `generate-operations.ts`) have a label too, and run together
 * with the piece that follows them; `Operations` runs all others. Rare or lengthy cases are left to the interpreter,
 * which continues from a given instruction as if it had run everything before.
 *
 * Before a run of instructions, the old values of all registers that it writes go to the journal at once, except those
 * already saved in the same step, on the only path to here.
 */

import { delaysStores, type ModelDescription } from '../../models/model.ts';
import { isDivision } from '../code/arithmetic.ts';
import { type Code, type FunctionCode, functionAt } from '../code/code.ts';
import * as op from '../code/opcodes.ts';
import { BITS, FLOAT, I1, I64, WIDE } from '../code/type-codes.ts';
import { toBigint } from '../run/evaluate.ts';
import { accepts, STOPPED } from '../run/frames.ts';
import type { LoopOptions } from '../run/loop-watch.ts';
import { type Layout, T_FRAME, T_PC } from '../state/layout.ts';
import { CodeText } from './code-text.ts';
import { accessText } from './generate-access.ts';
import { loopText, writtenByLoop } from './generate-loops.ts';
import { hasOperationText, operationText } from './generate-operations.ts';
import { peekText, pokeText } from './generate-private.ts';
import { binary32, compare32, division32, normalise, unsigned } from './generate-text.ts';
import { addressText, binary64, compare64, type Words } from './generate-text-64.ts';
import { cutIntoPieces, endsPiece, type Pieces } from './pieces.ts';

/**
 * A JavaScript function body: it takes an object `m` with everything that it refers to, and returns one function per
 * chunk.
 */
interface Generated {
  readonly source: string;
  /** Per chunk: the pc of each label. */
  readonly chunks: readonly (readonly number[])[];
}

/** Instructions after which a new chunk begins. Up to 160 bytes of bytecode each; V8 optimises up to 60 KB. */
const CHUNK_SIZE = 300;
/** How deeply pieces may be nested; parsers are recursive. */
const MAX_DEPTH = 20;

export function generate(
  code: Code,
  layout: Layout,
  model: ModelDescription,
  loops: LoopOptions,
  countsWrites: boolean,
  func: number,
): Generated {
  return new Generator(code, layout, model, loops, countsWrites, func).run();
}

class Generator extends CodeText {
  private readonly hasStaleLoads: boolean;
  private readonly watchesLoops: boolean;
  private readonly func: FunctionCode;
  private readonly pieces: Pieces;
  /** The chunk that is being written, and the pc of each of its labels. */
  private chunk = 0;
  private labels: number[] = [];

  constructor(
    code: Code,
    layout: Layout,
    model: ModelDescription,
    loops: LoopOptions,
    countsWrites: boolean,
    func: number,
  ) {
    super(code, layout, delaysStores(model), countsWrites);
    this.hasStaleLoads = model.loadsMayBeStale;
    this.watchesLoops = loops.spin && loops.unroll === 0;
    this.func = code.functions[func]!;
    this.pieces = cutIntoPieces(code.words, this.func, CHUNK_SIZE, (pc) => this.runsOn(pc));
  }

  /** Whether generated code runs the visible operation at `pc`. Stale loads are too rare to be worth it. */
  private runsOn(pc: number): boolean {
    const operation = this.words[pc];
    return !this.hasStaleLoads && (operation === op.LOAD || operation === op.STORE || hasOperationText(this.words, pc));
  }

  run(): Generated {
    this.line("'use strict';");
    this.line('const { w, s, M, V, O, F, I, E, L, P, Y, r } = m;');
    this.line('return [');
    const chunks: number[][] = [];
    for (this.chunk = 0; this.chunk < this.pieces.chunks; this.chunk++) {
      this.labels = this.findLabels();
      this.writeChunk();
      chunks.push(this.labels);
    }
    this.line('];');
    return { source: this.text, chunks };
  }

  /** Labelled pieces of this chunk that have instructions, and operations whose next piece is in this chunk. */
  private findLabels(): number[] {
    const { words, func, pieces } = this;
    const labels: number[] = [];
    for (const piece of pieces.byStart.values()) {
      const hasLabel = pieces.labelled.has(piece.start) && piece.instructions.length > 0;
      if (hasLabel && piece.chunk === this.chunk) labels.push(piece.start);
    }
    for (let pc = func.entry; pc < func.end; pc += op.lengthAt(words, pc)) {
      const next = pieces.byStart.get(pc + op.lengthAt(words, pc));
      if (words[pc]! >= op.VISIBLE && this.runsOn(pc) && next!.chunk === this.chunk) labels.push(pc);
    }
    return labels;
  }

  private writeChunk(): void {
    this.line('function (t, T, k, p, b) {');
    this.line(`const f = w[T + ${T_FRAME}];`);
    this.line('for (;;) switch (k) {');
    // Writing a piece may add labels.
    for (let label = 0; label < this.labels.length; label++) {
      const pc = this.labels[label]!;
      this.line(`case ${label}: {`);
      this.known = { values: new Map(), saved: this.savedAt(pc) };
      if (this.words[pc]! < op.VISIBLE) this.stretch(pc, 0);
      else {
        if (this.words[pc] === op.LOAD || this.words[pc] === op.STORE) accessText(this, pc);
        else operationText(this, pc);
        this.jump(pc + op.lengthAt(this.words, pc), 0);
      }
      this.line('}');
    }
    this.line("default: throw new Error('no such label: ' + k);");
    this.line('}');
    this.line('},');
  }

  /** At the entry the whole frame is new, and in the journal, unless a jump leads there or a step starts there. */
  private savedAt(pc: number): Set<number> {
    const isNew = pc === this.func.entry && this.words[pc]! < op.VISIBLE && !this.pieces.entryIsTarget;
    return new Set(isNew ? Array.from({ length: this.func.frameWords }, (_, offset) => offset) : []);
  }

  /** Writes the piece at `start`, and those that follow it without a branch. */
  private stretch(start: number, depth: number): void {
    const pcs: number[] = [];
    for (let at = start; ; ) {
      const { instructions } = this.pieces.byStart.get(at)!;
      pcs.push(...instructions);
      const last = pcs.at(-1)!;
      at = this.words[last + op.JUMP_TARGET]!;
      if (this.words[last] !== op.JUMP || !this.isInside(at)) break;
    }
    this.line(`if ((b -= ${pcs.length}) < 0) return r.interpret(t, ${start}, b + ${pcs.length});`);
    this.save(
      [],
      pcs.flatMap((pc) => this.writtenBy(pc)),
    );
    pcs.forEach((pc, i) => {
      const isLast = i === pcs.length - 1;
      if (isLast || this.words[pc] !== op.JUMP) this.instruction(pc, pcs.length - i, depth);
    });
    const last = pcs.at(-1)!;
    if (!endsPiece(this.words[last]!)) this.stop(last + op.lengthAt(this.words, last));
  }

  /** The words of the frame that an instruction writes, if generated code may write them itself. */
  private writtenBy(pc: number): number[] {
    const { words } = this;
    const register = (type: number, dest: number): number[] => (WIDE[type] === 1 ? [dest, dest + 1] : [dest]);
    switch (words[pc]) {
      case op.MOVE:
      case op.SELECT:
      case op.PEEK:
      case op.GLANCE:
        return register(words[pc + op.GLANCE_TYPE]!, words[pc + op.GLANCE_DEST]!);
      case op.BINARY:
        return register(words[pc + op.BINARY_TYPE]!, words[pc + op.BINARY_DEST]!);
      case op.COMPARE:
        return register(I1, words[pc + op.COMPARE_DEST]!);
      case op.CAST:
        return register(words[pc + op.CAST_TO]!, words[pc + op.CAST_DEST]!);
      case op.SELF:
        return words[pc + op.SELF_WHAT] === op.OWN_HANDLE ? [words[pc + op.SELF_DEST]!] : [];
      case op.ISCONSTANT:
        return [words[pc + op.ISCONSTANT_DEST]!];
      case op.ISSTATIC:
        return [words[pc + op.ISSTATIC_DEST]!];
      case op.LOOPENTER:
      case op.LOOPBACK:
        return this.watchesLoops ? writtenByLoop(words, pc) : [];
      default:
        return [];
    }
  }

  /** Whether the piece at `pc` has instructions and is written in place of the jump to it. */
  private isInside(pc: number): boolean {
    const piece = this.pieces.byStart.get(pc)!;
    return piece.instructions.length > 0 && piece.chunk === this.chunk && !this.pieces.labelled.has(pc);
  }

  /** Continues at a pc in another function or chunk. */
  private leave(pc: number): void {
    this.line(`r.budget = b; return ${pc};`);
  }

  private jump(pc: number, depth: number): void {
    const piece = this.pieces.byStart.get(pc)!;
    if (piece.instructions.length === 0) this.stop(pc);
    else if (piece.chunk !== this.chunk) this.leave(pc);
    else if (this.isInside(pc) && depth < MAX_DEPTH) this.stretch(pc, depth + 1);
    else {
      let label = this.labels.indexOf(pc);
      if (label < 0) label = this.labels.push(pc) - 1;
      this.line(`k = ${label}; continue;`);
    }
  }

  /** Writes one of several branches; what becomes known in it is not known in the others. */
  private way(pc: number, depth: number): void {
    const before = this.known;
    this.known = { values: new Map(before.values), saved: new Set(before.saved) };
    this.jump(pc, depth);
    this.known = before;
  }

  // ---- instructions

  /** `left`: how many instructions of the run are left, including this one. */
  private instruction(pc: number, left: number, depth: number): void {
    const field = (n: number): number => this.words[pc + n]!;
    const operation = this.words[pc]!;
    switch (operation) {
      case op.MOVE:
        return this.move(field(op.MOVE_TYPE), field(op.MOVE_DEST), field(op.MOVE_VALUE));
      case op.SELECT:
        return this.select(
          field(op.SELECT_TYPE),
          field(op.SELECT_DEST),
          field(op.SELECT_CONDITION),
          field(op.SELECT_IF_TRUE),
          field(op.SELECT_IF_FALSE),
        );
      case op.BINARY:
        return this.binary(
          pc,
          field(op.BINARY_OPERATOR),
          field(op.BINARY_TYPE),
          field(op.BINARY_DEST),
          field(op.BINARY_LEFT),
          field(op.BINARY_RIGHT),
        );
      case op.COMPARE:
        return this.compare(
          pc,
          field(op.COMPARE_PREDICATE),
          field(op.COMPARE_TYPE),
          field(op.COMPARE_DEST),
          field(op.COMPARE_LEFT),
          field(op.COMPARE_RIGHT),
        );
      case op.CAST:
        return this.cast(
          pc,
          field(op.CAST_OPERATOR),
          field(op.CAST_FROM),
          field(op.CAST_TO),
          field(op.CAST_DEST),
          field(op.CAST_VALUE),
        );
      case op.UNARY:
        this.line(`E.unary(f, ${pc});`);
        return this.forget(field(op.UNARY_TYPE), field(op.UNARY_DEST));
      case op.PEEK:
      case op.GLANCE:
        return peekText(this, pc, left);
      case op.POKE:
        return pokeText(this, pc);
      case op.SELF:
        if (field(op.SELF_WHAT) === op.OWN_HANDLE) return this.set(field(op.SELF_DEST), 'P.handle(t)');
        return this.delegate(`I.other(t, f, ${pc})`, pc, I1, field(op.SELF_DEST));
      case op.ALLOCA:
      case op.THREADLOCAL:
      case op.PRINT:
      case op.CONVERT:
        return this.delegate(`I.other(t, f, ${pc})`, pc, I1, field(op.CONVERT_DEST));
      case op.ISCONSTANT:
        return this.set(field(op.ISCONSTANT_DEST), `O.isOwn(t, ${this.low(field(op.ISCONSTANT_ADDRESS))}) ? 1 : 0`);
      case op.ISSTATIC: {
        const address = this.low(field(op.ISSTATIC_ADDRESS));
        return this.set(field(op.ISSTATIC_DEST), `${address} >>> 0 < ${this.layout.stacks} ? 1 : 0`);
      }
      case op.EXTENT:
      case op.OLDERLOCAL:
        return this.delegate(`I.other(t, f, ${pc})`, pc, I1, field(op.OLDERLOCAL_DEST));
      case op.LOOPENTER:
      case op.LOOPBACK:
        if (this.watchesLoops) return loopText(this, pc, left);
        return this.delegate(`I.other(t, f, ${pc})`, pc, I1, -1);
      case op.PROGRESS:
        return this.delegate(`I.other(t, f, ${pc})`, pc, I1, field(op.PROGRESS_DEST));
      case op.REFRESH:
      case op.SUSPEND:
      case op.DETACH:
      case op.ENDPRINT:
      case op.MARK:
      case op.ENDMARK:
      case op.IDLEPOKE:
        return this.delegate(`I.other(t, f, ${pc})`, pc, I1, -1);
      case op.ALLOCATE:
        return this.delegate(`I.other(t, f, ${pc})`, pc, I1, field(op.ALLOCATE_DEST));
      case op.ASSERT:
      case op.ASSUME:
        return this.line(
          `if (${this.low(field(op.ASSUME_CONDITION))} === 0) return r.interpret(t, ${pc}, b + ${left});`,
        );
      case op.UNDEFINE:
      case op.UNREACHABLE:
      case op.EXITTHREAD:
        return this.line(`return r.interpret(t, ${pc}, b + ${left});`);
      case op.JUMP:
        return this.jump(field(op.JUMP_TARGET), depth);
      case op.BRANCH:
        return this.branch(field(op.BRANCH_CONDITION), field(op.BRANCH_IF_TRUE), field(op.BRANCH_IF_FALSE), depth);
      case op.SWITCH:
        return this.switch(pc, depth);
      case op.CALL:
        return this.call(pc);
      case op.RETURN: {
        const [type, value] = [field(op.RETURN_TYPE), field(op.RETURN_VALUE)];
        const low = type < 0 ? '0' : this.low(value);
        const high = type < 0 || WIDE[type] === 0 ? '0' : this.high(value);
        return this.line(`w[T + ${T_PC}] = ${pc}; r.budget = b; return F.leave(t, f, ${type}, ${low}, ${high});`);
      }
      default:
        throw new Error(`no such operation: ${operation}`);
    }
  }

  private select(type: number, dest: number, condition: number, ifTrue: number, ifFalse: number): void {
    const test = this.name(`${this.low(condition)} !== 0`);
    const words = [this.name(`${test} ? ${this.low(ifTrue)} : ${this.low(ifFalse)}`)];
    if (WIDE[type] === 1) words.push(this.name(`${test} ? ${this.high(ifTrue)} : ${this.high(ifFalse)}`));
    for (const [i, word] of words.entries()) this.set(dest + i, word);
  }

  private binary(pc: number, operator: number, type: number, dest: number, left: number, right: number): void {
    const wide = type === I64 ? this.binaryText64(operator, left, right) : undefined;
    if (wide !== undefined) {
      const [low, high] = wide;
      this.set(dest, low);
      return this.set(dest + 1, high);
    }
    const text = this.binaryText(operator, type, left, right);
    if (text === undefined) this.delegate(`E.binary(t, f, ${pc})`, pc, type, dest);
    else this.set(dest, text);
  }

  private binaryText(operator: number, type: number, left: number, right: number): string | undefined {
    if (FLOAT[type] === 1 || type === I64) return undefined;
    const name = op.BINARY_OPERATORS[operator]!;
    const [bits, a, b] = [BITS[type]!, this.low(left), this.low(right)];
    if (!isDivision(operator)) return binary32(name, bits, a, b);
    const isSafe = right < 0 && ![0, -1].includes(this.code.pool[~right]!);
    return isSafe ? division32(name, bits, a, b) : undefined;
  }

  private binaryText64(operator: number, left: number, right: number): readonly [string, string] | undefined {
    const [a, b] = [this.both(left), this.both(right)];
    const constant = right < 0 ? toBigint(this.code.pool[~right]!, this.code.pool[~right + 1]!) : undefined;
    return binary64(op.BINARY_OPERATORS[operator]!, a, b, constant, (text) => this.name(text));
  }

  /** The words of a 64-bit value. */
  private both(value: number): Words {
    return { low: this.low(value), high: this.high(value) };
  }

  private compare(pc: number, predicate: number, type: number, dest: number, left: number, right: number): void {
    if (type === I64) return this.set(dest, `${compare64(predicate, this.both(left), this.both(right))} ? 1 : 0`);
    if (FLOAT[type] === 1) {
      this.line(`E.compare(f, ${pc});`);
      return this.forget(I1, dest);
    }
    this.set(dest, `${compare32(predicate, BITS[type]!, this.low(left), this.low(right))} ? 1 : 0`);
  }

  private cast(pc: number, operator: number, from: number, to: number, dest: number, value: number): void {
    const low = this.low(value);
    switch (op.CAST_OPERATORS[operator]) {
      case 'trunc':
      case 'sext': {
        const extended = from === I1 ? this.name(`-${low} | 0`) : low;
        if (to !== I64) return this.set(dest, normalise(extended, BITS[to]!));
        this.set(dest, extended);
        return this.set(dest + 1, `${extended} >> 31`);
      }
      case 'address':
        return this.set(dest, addressText({ low, high: this.high(value) }));
      case 'zext':
        this.set(dest, `${unsigned(low, BITS[from]!)} | 0`);
        if (to === I64) this.set(dest + 1, '0');
        return;
      default:
        this.line(`E.cast(f, ${pc});`);
        return this.forget(to, dest);
    }
  }

  private branch(condition: number, ifTrue: number, ifFalse: number, depth: number): void {
    this.line(`if (${this.low(condition)} !== 0) {`);
    this.way(ifTrue, depth);
    this.line('} else {');
    this.way(ifFalse, depth);
    this.line('}');
  }

  private switch(pc: number, depth: number): void {
    const { words } = this;
    const wide = WIDE[words[pc + op.SWITCH_TYPE]!] === 1;
    const low = this.low(words[pc + op.SWITCH_VALUE]!);
    const high = wide ? this.high(words[pc + op.SWITCH_VALUE]!) : '';
    for (let i = 0, at = pc + op.SWITCH_LIST; i < words[pc + op.SWITCH_COUNT]!; i++, at += op.SWITCH_EACH) {
      const isHigh = wide ? ` && ${high} === ${words[at + op.SWITCH_EACH_HIGH]}` : '';
      this.line(`if (${low} === ${words[at + op.SWITCH_EACH_LOW]}${isHigh}) {`);
      this.way(words[at + op.SWITCH_EACH_TARGET]!, depth);
      this.line('}');
    }
    this.way(words[pc + op.SWITCH_OTHERWISE]!, depth);
  }

  private call(pc: number): void {
    const { code, words } = this;
    const [site, result, dest] = [words[pc + op.SITE]!, words[pc + op.CALL_TYPE]!, words[pc + op.CALL_DEST]!];
    const [callee, count] = [words[pc + op.CALL_CALLEE]!, words[pc + op.CALL_COUNT]!];
    const index = callee < 0 ? functionAt(code.pool[~callee]!) : -1;
    this.line(`w[T + ${T_PC}] = ${pc}; r.budget = b;`);
    if (!accepts(code, index, pc + op.CALL_LIST, count, result)) return this.line(`return I.call(t, f, ${pc});`);
    const func = code.functions[index]!;
    const returnTo = pc + op.lengthAt(words, pc);
    const frame = this.name(`F.push(t, ${site}, ${func.frameWords}, f, ${returnTo}, ${dest})`);
    this.line(`if (${frame} === 0) return ${STOPPED};`);
    for (const [i, type] of func.parameters.entries()) {
      const value = words[pc + op.CALL_LIST + op.CALL_EACH * i + op.CALL_EACH_VALUE]!;
      this.line(`w[${frame} + ${func.offsets[i]}] = ${this.low(value)};`);
      if (WIDE[type] === 1) this.line(`w[${frame} + ${func.offsets[i]! + 1}] = ${this.high(value)};`);
    }
    this.line(`return ${func.entry};`);
  }
}
