/** From the program form to code: functions, their frames, and the marks on the loops that could wait. */
import type { Func, Program } from '../../program/ir.ts';
import { sizeOf } from '../../program/types.ts';
import { placeGlobals } from '../state/layout.ts';
import { type Code, type FunctionCode, type Site, typeCode } from './code.ts';
import { CodeWriter } from './code-writer.ts';
import { compileInstruction } from './compile-instruction.ts';
import { frameLayout } from './frame-layout.ts';
import { loopsOf, type Undoes } from './loops.ts';
import * as op from './opcodes.ts';

/**
 * Which loops that could wait have `LOOPENTER` and `LOOPBACK` on the edges to their heads: none; those with iterations
 * that may change nothing; or all, to count iterations.
 */
type MarkedLoops = 'none' | 'idle' | 'all';

/** Many machines are made for the same program, and none of them writes to its code. */
const known = new WeakMap<Program, Map<string, Code>>();

export function compile(program: Program, marked: MarkedLoops = 'none', isAxiomatic = false): Code {
  const forms = known.get(program) ?? new Map<string, Code>();
  known.set(program, forms);
  const form = `${marked} ${isAxiomatic}`;
  const code = forms.get(form) ?? new Compiler(program, marked, isAxiomatic).run();
  forms.set(form, code);
  return code;
}

/** A loop, with the place of its record in the frame, the words it copies, and the code of the edges to its head. */
interface PlacedLoop {
  readonly head: number;
  readonly tails: ReadonlySet<number>;
  readonly record: number;
  readonly undoes: Undoes;
  readonly offsets: readonly number[];
  enter: number;
  back: number;
}

class Compiler {
  private readonly program: Program;
  private readonly marked: MarkedLoops;
  private readonly writer: CodeWriter;
  private readonly functions: FunctionCode[] = [];
  private readonly sites: Site[] = [];

  constructor(program: Program, marked: MarkedLoops, isAxiomatic: boolean) {
    this.program = program;
    this.marked = marked;
    this.writer = new CodeWriter(placeGlobals(program).addresses, isAxiomatic);
  }

  run(): Code {
    this.program.functions.forEach((func, index) => {
      this.compileFunction(func, index);
    });
    const rootArguments = this.program.roots.map((root) => {
      const at = this.writer.out.length;
      // As after the count of a call.
      this.writer.each(root.arguments.length);
      this.writer.values(root.arguments);
      return at;
    });
    return {
      program: this.program,
      rootArguments,
      words: Int32Array.from(this.writer.out),
      pool: Int32Array.from(this.writer.pool),
      functions: this.functions,
      frameWords: this.functions.map(({ frameWords }) => frameWords),
      sites: this.sites,
      isLibrary: Uint8Array.from(this.sites, ({ func }) => (this.program.functions[func]!.isLibrary === true ? 1 : 0)),
      messages: this.writer.messages,
    };
  }

  private compileFunction(func: Func, index: number): void {
    const layout = frameLayout(func);
    const { writer } = this;
    writer.begin(func, layout.offsets);
    const starts: number[] = [];
    const entry = this.writer.out.length;
    const loops = this.placeLoops(func, layout);
    // A function that begins with a loop enters it.
    for (const loop of loops) if (loop.head === 0) this.enterLoop(loop);
    func.blocks.forEach((block, blockIndex) => {
      this.writer.block = blockIndex;
      starts.push(this.writer.out.length);
      block.body.forEach((instruction, i) => {
        const site = this.sites.length;
        this.sites.push({ func: index, block: blockIndex, index: i, instruction });
        compileInstruction(writer, instruction, site);
      });
    });
    for (const loop of loops) {
      if (loop.head !== 0) this.enterLoop(loop);
      loop.back = this.writer.out.length;
      this.markLoop(op.LOOPBACK, loop);
      this.jump(loop.head);
    }
    for (const { at, from, to } of this.writer.fixups) {
      const loop = from < 0 ? undefined : loops.find(({ head }) => head === to);
      this.writer.out[at] = loop === undefined ? starts[to]! : loop.tails.has(from) ? loop.back : loop.enter;
    }
    this.functions.push({
      entry,
      end: this.writer.out.length,
      ...layout,
      parameters: layout.types.slice(0, func.parameters).map(typeCode),
      result: func.result === undefined ? -1 : typeCode(func.result),
      isUndefined: func.isUndefined === true,
    });
  }

  /** Gives each loop its record at the end of the frame. */
  private placeLoops(func: Func, layout: { frameWords: number }): PlacedLoop[] {
    if (this.marked === 'none') return [];
    const loops = loopsOf(func).filter(({ isCounted }) => this.marked === 'all' || !isCounted);
    return loops.map(({ head, tails, live, undoes }) => {
      const offsets = live.flatMap((register) => {
        const offset = this.writer.offsets[register]!;
        return sizeOf(func.registers[register]!.type) === 8 ? [offset, offset + 1] : [offset];
      });
      const record = layout.frameWords;
      layout.frameWords += op.loopRecordWords(offsets.length);
      return { head, tails, record, offsets, undoes, enter: -1, back: -1 };
    });
  }

  private enterLoop(loop: PlacedLoop): void {
    loop.enter = this.writer.out.length;
    this.markLoop(op.LOOPENTER, loop);
    this.jump(loop.head);
  }

  private markLoop(operation: typeof op.LOOPENTER | typeof op.LOOPBACK, { record, offsets, undoes }: PlacedLoop): void {
    this.writer.emit(operation, Math.max(0, this.sites.length - 1), record, undoes, offsets.length);
    this.writer.each(...offsets);
  }

  /** A generated jump, directly to the block. */
  private jump(block: number): void {
    this.writer.emit(op.JUMP, Math.max(0, this.sites.length - 1), this.writer.target(op.JUMP_TARGET, block, -1));
  }
}
