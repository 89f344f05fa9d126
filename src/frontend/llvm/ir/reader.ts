/**
 * Reads textual LLVM IR, as clang 15 to 22 write it, into the data of `module.ts`. The reader knows the language, not
 * its meaning: the effects of a call to `pthread_create` or of an intrinsic are up to `lower.ts`. Instructions that
 * `module.ts` has no data for are kept as `unsupported`, with their text and place. Everything else it does not
 * understand, and every name that is used but not defined, is an `LlvmError`.
 *
 *   lexer.ts                 tokens
 *   types.ts, values.ts      `[4 x %struct.node]`, constants and constant expressions
 *   instructions.ts          the table of instructions; see memory-, control-instructions.ts and calls.ts
 *   function-header.ts, function-body.ts, globals.ts
 *   metadata.ts              nodes, read on demand
 *   debug-info.ts, debug-types.ts   places, variables and types of the source, from metadata
 *
 * Bodies refer to metadata, which comes after them. So there are two passes: one over the module level, which skips
 * from `{` to `}` of each function and notes where metadata begins, and one over the bodies.
 */
import { skipAttribute } from './attributes.ts';
import { withBlockMarks } from './block-marks.ts';
import { DebugInfo } from './debug-info.ts';
import { BodyReader, type FunctionBody } from './function-body.ts';
import { type FunctionHeader, readFunctionHeader } from './function-header.ts';
import { readGlobal, withVariable } from './globals.ts';
import { ATTRIBUTES, COMDAT, END, GLOBAL, Lexer, LOCAL, METADATA_ID, METADATA_NAME, STRING, WORD } from './lexer.ts';
import { LexicalScopes } from './lexical-scopes.ts';
import type { MacroPlaces } from './macro-places.ts';
import { type Meta, Metadata, skipMeta } from './metadata.ts';
import type { LAlias, LFunction, LGlobal, LType, Module } from './module.ts';
import { Names } from './names.ts';
import { withOwnExits } from './own-exits.ts';
import { Source } from './source.ts';
import { readType } from './types.ts';

/**
 * Throws an `LlvmError` with a place in the `.ll` text. The types of variables (`DType`) are read, and may throw, only
 * when they are first requested.
 */
export function readModule(text: string, file: string, macros?: MacroPlaces): Module {
  return new ModuleReader(new Source(file, text), macros).read();
}

/**
 * The same for a module that is known to be well-formed and of which only a few functions may be needed: each body is
 * read when it is first requested. `marksBlocks` adds marks where source blocks are entered and left, for variables
 * that clang does not mark.
 */
export function readModuleOnDemand(text: string, file: string, macros?: MacroPlaces, marksBlocks = false): Module {
  return new ModuleReader(new Source(file, text), macros, marksBlocks).readOnDemand();
}

interface FunctionText {
  readonly header: FunctionHeader;
  /** Offset of the opening brace; absent for a declaration. */
  readonly body?: number;
}

class ModuleReader {
  private readonly source: Source;
  private readonly lexer: Lexer;
  private readonly names: Names;
  private readonly metadata: Metadata;
  private readonly debug: DebugInfo;
  private readonly scopes: LexicalScopes | undefined;
  private readonly types = new Map<string, LType>();
  private readonly globals = new Map<string, { variable: LGlobal; debug: readonly Meta[] }>();
  private readonly functions = new Map<string, FunctionText>();
  private readonly aliases = new Map<string, LAlias>();
  private readonly moduleAsm: string[] = [];
  private isWellFormed = true;
  private sourceFile = '';
  private dataLayout = '';
  private triple = '';

  constructor(source: Source, macros: MacroPlaces | undefined, marksBlocks = false) {
    this.source = source;
    this.lexer = new Lexer(source);
    this.names = new Names(source);
    this.metadata = new Metadata(source);
    this.debug = new DebugInfo(this.metadata, macros);
    this.scopes = marksBlocks ? new LexicalScopes(this.metadata) : undefined;
  }

  read(): Module {
    this.isWellFormed = false;
    const module = this.readOnDemand();
    const { functions } = module;
    for (const { blocks: _ } of functions.values());
    this.names.endModule(
      this.types,
      (name) => this.isDefined(name),
      (name, block) => functions.get(name)?.blocks.some((b) => b.name === block) ?? false,
    );
    return module;
  }

  readOnDemand(): Module {
    while (this.lexer.kind !== END) this.readEntity();
    // No function has been read yet; forget locals in initial values, which have no definition.
    this.names.endFunction();
    const globals = new Map<string, LGlobal>();
    for (const [name, { variable, debug }] of this.globals)
      globals.set(name, withVariable(variable, debug, this.debug));
    const functions = new Map<string, LFunction>();
    for (const [name, text] of this.functions) functions.set(name, this.readFunction(text));
    const { sourceFile, dataLayout, triple, types, aliases, moduleAsm } = this;
    return { file: this.source.file, sourceFile, dataLayout, triple, types, globals, functions, aliases, moduleAsm };
  }

  private readEntity(): void {
    const { lexer } = this;
    switch (lexer.kind) {
      case WORD:
        return this.readWord();
      case GLOBAL:
        return this.readGlobal();
      case LOCAL:
        return this.readTypeDefinition();
      case METADATA_ID:
      case METADATA_NAME:
        return this.readMetadata();
      case COMDAT:
        lexer.next();
        lexer.expectSign('=');
        lexer.expect('comdat');
        lexer.takeName(WORD, 'a kind of comdat');
        return;
      default:
        // ^0 = module: (…), an index for link-time optimisation.
        if (!lexer.isSign('^')) lexer.fail('a function, a variable, a type or metadata');
        this.skipLine();
    }
  }

  private readWord(): void {
    const { lexer } = this;
    const word = lexer.text;
    lexer.next();
    switch (word) {
      case 'define':
      case 'declare':
        return this.readFunctionText(word === 'define');
      case 'source_filename':
        this.sourceFile = this.readSetting();
        return;
      case 'target':
        if (lexer.accept('datalayout')) this.dataLayout = this.readSetting();
        else {
          lexer.expect('triple');
          this.triple = this.readSetting();
        }
        return;
      case 'module':
        lexer.expect('asm');
        this.moduleAsm.push(lexer.takeName(STRING, 'a string'));
        return;
      case 'attributes':
        lexer.takeName(ATTRIBUTES, 'the number of attributes');
        lexer.expectSign('=');
        lexer.expectSign('{');
        while (skipAttribute(lexer));
        lexer.expectSign('}');
        return;
      case 'uselistorder':
      case 'uselistorder_bb':
        return this.skipLine();
      default:
        throw this.source.error(lexer.lastEnd - word.length, word, 'a function, a variable, a type or metadata');
    }
  }

  private readSetting(): string {
    this.lexer.expectSign('=');
    return this.lexer.takeName(STRING, 'a string');
  }

  private readFunctionText(isDefinition: boolean): void {
    const { lexer } = this;
    const header = readFunctionHeader(lexer, this.names);
    this.checkNew(header.name, header.at);
    if (!isDefinition) {
      this.functions.set(header.name, { header });
      return;
    }
    if (!lexer.isSign('{')) lexer.fail('"{"');
    this.functions.set(header.name, { header, body: lexer.start });
    if (this.isWellFormed) lexer.skipBody();
    else lexer.skipBrackets();
  }

  private readFunction({ header, body }: FunctionText): LFunction {
    const { debug, at: _at, nextNumber: _nextNumber, ...rest } = header;
    const subprogram = this.debug.subprogram(debug);
    const place = {
      ...(subprogram && { sourceName: subprogram.name }),
      ...(subprogram?.place && { place: subprogram.place }),
    };
    if (body === undefined) return { ...rest, ...place, isDefinition: false, blocks: [], variables: new Map() };
    let known: FunctionBody | undefined;
    const read = (): FunctionBody => {
      known ??= this.readBody(header, body);
      return known;
    };
    return {
      ...rest,
      ...place,
      isDefinition: true,
      get blocks() {
        return read().blocks;
      },
      get variables() {
        return read().variables;
      },
    };
  }

  private readBody(header: FunctionHeader, at: number): FunctionBody {
    this.lexer.seek(at);
    const body = new BodyReader(this.lexer, this.names, this.debug, header, this.scopes !== undefined).read();
    if (!this.isWellFormed) return body;
    const blocks = withOwnExits(body.blocks);
    const { scopes } = this;
    return { ...body, blocks: scopes === undefined ? blocks : withBlockMarks({ ...body, blocks }, scopes) };
  }

  private readGlobal(): void {
    const { lexer } = this;
    const { start } = lexer;
    const name = lexer.takeName(GLOBAL, 'a variable');
    this.checkNew(name, start);
    lexer.expectSign('=');
    const definition = readGlobal(lexer, this.names, name);
    if (definition.kind === 'alias') {
      const { value, isLocal, isWeak } = definition;
      this.aliases.set(name, { value, isLocal, isWeak });
    } else this.globals.set(name, definition);
  }

  private readTypeDefinition(): void {
    const { lexer } = this;
    const { name } = lexer;
    if (this.types.has(name)) lexer.fail('another name for this type');
    lexer.next();
    lexer.expectSign('=');
    lexer.expect('type');
    this.types.set(name, readType(lexer, this.names));
  }

  private readMetadata(): void {
    const { lexer } = this;
    const id = lexer.kind === METADATA_ID ? Number(lexer.rawName) : undefined;
    lexer.next();
    lexer.expectSign('=');
    if (id === undefined) skipMeta(lexer);
    else this.metadata.define(id, lexer);
  }

  /** Skips to the end of the line, including brackets that are opened on it. */
  private skipLine(): void {
    const { lexer } = this;
    do {
      if (lexer.isSign('(') || lexer.isSign('[') || lexer.isSign('{')) lexer.skipBrackets();
      else lexer.next();
    } while (lexer.kind !== END && !lexer.startsLine);
  }

  private isDefined(name: string): boolean {
    return this.globals.has(name) || this.functions.has(name) || this.aliases.has(name);
  }

  private checkNew(name: string, at: number): void {
    if (this.isDefined(name)) throw this.source.error(at, `@${name}`, 'a name that is not defined yet');
  }
}
