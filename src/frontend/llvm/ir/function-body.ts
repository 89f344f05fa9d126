/** Reads the body of a function: blocks, instructions, and the debug records between them. */
import { readCallHead, readCallRest } from './calls.ts';
import type { DebugInfo } from './debug-info.ts';
import { type FunctionHeader, numberAfter } from './function-header.ts';
import { hasResult, isTerminator, READERS } from './instructions.ts';
import { END, LABEL, type Lexer, LOCAL, METADATA_NAME, RECORD, WORD } from './lexer.ts';
import { type Meta, readMeta, skipMeta } from './metadata.ts';
import type { LBlock, LInstruction, LOperation, LValue, Place, Variable } from './module.ts';
import type { Names } from './names.ts';
import { isType } from './types.ts';
import { readTypedValue } from './values.ts';

export interface FunctionBody {
  readonly blocks: readonly LBlock[];
  readonly variables: ReadonlyMap<string, Variable>;
  /** The DILocalVariable of each declared local variable, if requested. */
  readonly declarations?: ReadonlyMap<string, Meta>;
}

/** Words that continue an unknown instruction on its next line. */
const CONTINUATIONS: ReadonlySet<string> = new Set(['to', 'unwind', 'catch', 'filter', 'cleanup']);

export class BodyReader {
  private readonly lexer: Lexer;
  private readonly names: Names;
  private readonly debug: DebugInfo;
  private readonly blocks = new Map<string, LInstruction[]>();
  private readonly variables = new Map<string, Variable>();
  /** Absent unless the caller needs source blocks. */
  private readonly declarations: Map<string, Meta> | undefined;
  private nextNumber: number;
  /** The block being read; none before a label or after a terminator. */
  private open: LInstruction[] | undefined;
  /** Variables declared since the last instruction. */
  private declared: string[] = [];

  constructor(lexer: Lexer, names: Names, debug: DebugInfo, header: FunctionHeader, keepsScopes = false) {
    this.lexer = lexer;
    this.names = names;
    this.debug = debug;
    for (const { name } of header.parameters) names.define(name, 'value');
    this.nextNumber = header.nextNumber;
    this.declarations = keepsScopes ? new Map() : undefined;
  }

  /** Reads from the opening to the closing brace. */
  read(): FunctionBody {
    const { lexer } = this;
    lexer.expectSign('{');
    while (!lexer.isSign('}')) {
      if (lexer.kind === LABEL) this.readLabel();
      else if (lexer.kind === RECORD) this.readRecord();
      else if (lexer.is('uselistorder') || lexer.is('uselistorder_bb')) this.skipLine();
      else this.readInstruction();
    }
    this.closeBlock();
    if (this.blocks.size === 0) lexer.fail('a block');
    lexer.next();
    this.names.endFunction();
    const { variables, declarations } = this;
    const blocks = Array.from(this.blocks, ([name, body]) => ({ name, body }));
    return { blocks, variables, ...(declarations && { declarations }) };
  }

  private readLabel(): void {
    this.closeBlock();
    this.openBlock(this.lexer.name);
    this.lexer.next();
  }

  private openBlock(name: string): LInstruction[] {
    this.define(name, 'block');
    this.open = [];
    this.blocks.set(name, this.open);
    return this.open;
  }

  private closeBlock(): void {
    // An unknown instruction may end the block.
    if (this.open !== undefined && this.open.at(-1)?.op !== 'unsupported') {
      this.lexer.fail('an instruction that ends the block');
    }
    this.open = undefined;
  }

  private define(name: string, as: 'value' | 'block'): void {
    if (!this.names.define(name, as)) this.lexer.fail(`another name for this ${as}`);
    this.nextNumber = numberAfter(name, this.nextNumber);
  }

  private readInstruction(): void {
    const { lexer, names } = this;
    const { start } = lexer;
    // An unlabelled block is numbered before its instructions.
    const block = this.open ?? this.openBlock(String(this.nextNumber));
    let result: string | undefined;
    if (lexer.kind === LOCAL) {
      result = lexer.name;
      this.define(result, 'value');
      lexer.next();
      lexer.expectSign('=');
    }
    if (lexer.kind !== WORD) lexer.fail('an instruction');
    const opcode = lexer.text;
    const read = READERS.get(opcode);
    let operation: LOperation | undefined;
    let attached: Attached | undefined;
    let end: number | undefined;
    if (read !== undefined) {
      lexer.next();
      operation = read(lexer, names, opcode);
    } else if (isCall(opcode)) {
      lexer.next();
      if (opcode !== 'call') lexer.expect('call');
      const head = readCallHead(lexer, names);
      if (isDebugIntrinsic(head.callee)) return this.readDebugCall(head.callee.name);
      operation = readCallRest(lexer, names, head);
    } else {
      ({ end, attached } = this.skipInstruction());
    }
    operation ??= { op: 'unsupported', text: lexer.source.quote(start, end ?? lexer.lastEnd) };
    attached ??= this.readAttachments();
    const { location, loop } = attached;
    if (result === undefined && hasResult(operation)) {
      result = String(this.nextNumber);
      this.define(result, 'value');
    }
    const place = this.debug.place(location);
    // Spreading the operation into a new object would take half of the time for reading an instruction.
    const instruction: LOperation & Common = Object.assign(operation, { textLine: lexer.source.lineAt(start) });
    if (result !== undefined) instruction.result = result;
    if (place !== undefined) instruction.place = place;
    if (this.declarations !== undefined) {
      if (typeof location === 'number') instruction.at = location;
      if (typeof loop === 'number') instruction.loop = loop;
    }
    if (this.declared.length > 0) {
      instruction.declares = this.declared;
      this.declared = [];
    }
    block.push(instruction);
    if (isTerminator(opcode)) this.open = undefined;
  }

  /** `, !dbg !12, !srcloc !13` */
  private readAttachments(): Attached {
    const { lexer } = this;
    let location: Meta | undefined;
    let loop: Meta | undefined;
    while (lexer.acceptSign(',')) {
      if (lexer.kind !== METADATA_NAME) lexer.fail('metadata');
      const { text } = lexer;
      lexer.next();
      if (text === '!dbg') location = readMeta(lexer);
      else if (text === '!llvm.loop') loop = readMeta(lexer);
      else skipMeta(lexer);
    }
    return { location, loop };
  }

  /** Skips an unknown instruction, to the end of its last line. */
  private skipInstruction(): { end: number; attached: Attached | undefined } {
    const { lexer } = this;
    let end: number | undefined;
    let attached: Attached | undefined;
    do {
      if (lexer.kind === END) lexer.fail('the end of the function');
      if (lexer.isSign('(') || lexer.isSign('[') || lexer.isSign('{')) lexer.skipBrackets();
      else if (!lexer.isSign(',')) lexer.next();
      else if (!lexer.acceptComma()) {
        end ??= lexer.lastEnd;
        attached ??= this.readAttachments();
      }
    } while (!lexer.isSign('}') && (!lexer.startsLine || this.continues()));
    return { end: end ?? lexer.lastEnd, attached };
  }

  private continues(): boolean {
    return this.lexer.kind === WORD && CONTINUATIONS.has(this.lexer.text);
  }

  private skipLine(): void {
    this.closeBlock();
    this.skipInstruction();
  }

  /** `#dbg_declare(ptr %x, !71, !DIExpression(), !72)`; other records describe values, which we do not track. */
  private readRecord(): void {
    const { lexer } = this;
    const isDeclare = lexer.text === '#dbg_declare';
    lexer.next();
    if (!lexer.isSign('(')) lexer.fail('"("');
    if (!isDeclare) return lexer.skipBrackets();
    lexer.next();
    const declared = this.readDeclaration();
    lexer.expectSign(',');
    const location = readMeta(lexer);
    lexer.expectSign(')');
    this.declare(declared, location);
  }

  /** `call void @llvm.dbg.declare(metadata ptr %x, metadata !71, metadata !DIExpression()), !dbg !72` */
  private readDebugCall(name: string): void {
    const { lexer } = this;
    if (!lexer.isSign('(')) lexer.fail('"("');
    let declared: Declaration | undefined;
    if (name === 'llvm.dbg.declare') {
      lexer.next();
      declared = this.readDeclaration();
      lexer.expectSign(')');
    } else {
      lexer.skipBrackets();
    }
    const { location } = this.readAttachments();
    if (declared !== undefined) this.declare(declared, location);
  }

  private readDeclaration(): Declaration {
    const { lexer } = this;
    lexer.accept('metadata');
    let address: LValue | undefined;
    if (isType(lexer)) address = readTypedValue(lexer, this.names).value;
    else skipMeta(lexer);
    lexer.expectSign(',');
    lexer.accept('metadata');
    const variable = readMeta(lexer);
    lexer.expectSign(',');
    lexer.accept('metadata');
    const expression = readMeta(lexer);
    const isPlain = typeof expression === 'object' && expression.kind === 'node' && expression.operands === 0;
    return { variable, ...(address?.kind === 'local' && isPlain && { local: address.name }) };
  }

  private declare({ local, variable: meta }: Declaration, location: Meta | undefined): void {
    const variable = this.debug.localVariable(meta, location);
    if (local === undefined || variable === undefined) return;
    if (!this.variables.has(local)) this.variables.set(local, variable);
    if (variable.isParameter === true || variable.isInlined === true) return;
    this.declared.push(local);
    this.declarations?.set(local, meta);
  }
}

interface Common {
  textLine: number;
  result?: string;
  place?: Place;
  at?: number;
  loop?: number;
  declares?: readonly string[];
}

/** What `!dbg` and `!llvm.loop` of an instruction refer to. */
interface Attached {
  readonly location: Meta | undefined;
  readonly loop: Meta | undefined;
}

interface Declaration {
  /** The local value that is the variable's address; absent if the address must be computed (`DW_OP_deref`). */
  readonly local?: string;
  readonly variable: Meta;
}

function isCall(opcode: string): boolean {
  return opcode === 'call' || opcode === 'tail' || opcode === 'musttail' || opcode === 'notail';
}

function isDebugIntrinsic(callee: LValue): callee is Extract<LValue, { kind: 'global' }> {
  return callee.kind === 'global' && callee.name.startsWith('llvm.dbg.');
}
