/**
 * Metadata nodes. Most of a text with debug info is metadata, and most of that is never needed. So the module's reader
 * only notes where each numbered node begins, and a node is read when it is first needed.
 */
import { END, LABEL, Lexer, METADATA_ID, METADATA_NAME, STRING } from './lexer.ts';
import type { Source } from './source.ts';

/** A number stands for a reference such as `!12`. */
export type Meta = number | MetaNode | MetaTuple | MetaText;

/** `!DILocation(line: 9, scope: !67)` */
export interface MetaNode {
  readonly kind: 'node';
  readonly tag: string;
  readonly fields: ReadonlyMap<string, Meta>;
  /** The number of operands without a field name, as in `!DIExpression(DW_OP_deref)`. */
  readonly operands: number;
}

/** `!{!1, !2}` */
interface MetaTuple {
  readonly kind: 'tuple';
  readonly elements: readonly Meta[];
}

/** `word`: anything else, as written: `9`, `DW_TAG_member`, `A | B`, `i64 88`, `null`. */
interface MetaText {
  readonly kind: 'string' | 'word';
  readonly text: string;
}

export class Metadata {
  private readonly lexer: Lexer;
  /** Offsets of the nodes. */
  private readonly offsets = new Map<number, number>();
  private readonly nodes = new Map<number, Meta>();

  constructor(source: Source) {
    this.lexer = new Lexer(source, source.text.length);
  }

  /** Notes the position of the node after `!12 =`, where `lexer` is, and skips the node. */
  define(id: number, lexer: Lexer): void {
    this.offsets.set(id, lexer.start);
    lexer.accept('distinct');
    skipMeta(lexer);
  }

  /** Follows references to the node itself, if there is one. */
  resolve(meta: Meta | undefined): MetaNode | MetaTuple | undefined {
    if (typeof meta === 'number') meta = this.get(meta);
    return typeof meta === 'object' && (meta.kind === 'node' || meta.kind === 'tuple') ? meta : undefined;
  }

  /** The node, if it has this tag or no tag is given. */
  node(meta: Meta | undefined, tag?: string): MetaNode | undefined {
    const node = this.resolve(meta);
    return node?.kind === 'node' && (tag === undefined || node.tag === tag) ? node : undefined;
  }

  private get(id: number): Meta | undefined {
    const known = this.nodes.get(id);
    if (known !== undefined) return known;
    const at = this.offsets.get(id);
    if (at === undefined) return undefined;
    const { lexer } = this;
    lexer.seek(at);
    lexer.accept('distinct');
    const meta = readMeta(lexer);
    // Locations are the most numerous nodes; they are not kept, as callers cache what they make of them.
    const isKept = typeof meta === 'number' || meta.kind !== 'node' || meta.tag !== 'DILocation';
    if (isKept) this.nodes.set(id, meta);
    return meta;
  }
}

/** A node, a reference or an operand of a node. */
export function readMeta(lexer: Lexer): Meta {
  if (lexer.kind === METADATA_ID) {
    const id = Number(lexer.rawName);
    lexer.next();
    return id;
  }
  if (lexer.kind === STRING) return { kind: 'string', text: lexer.takeName(STRING, 'a string') };
  lexer.enter();
  const meta = readComposite(lexer);
  lexer.leave();
  return meta;
}

function readComposite(lexer: Lexer): Meta {
  if (lexer.kind === METADATA_NAME) return readNode(lexer);
  if (!lexer.acceptSign('!')) return readWords(lexer);
  if (lexer.kind === STRING) return { kind: 'string', text: lexer.takeName(STRING, 'a string') };
  lexer.expectSign('{');
  const elements: Meta[] = [];
  if (!lexer.isSign('}')) {
    do elements.push(readMeta(lexer));
    while (lexer.acceptSign(','));
  }
  lexer.expectSign('}');
  return { kind: 'tuple', elements };
}

function readNode(lexer: Lexer): MetaNode {
  const tag = lexer.takeName(METADATA_NAME, 'a metadata node');
  const fields = new Map<string, Meta>();
  let operands = 0;
  lexer.expectSign('(');
  if (!lexer.isSign(')')) {
    do {
      if (lexer.kind === LABEL) {
        const field = lexer.name;
        lexer.next();
        fields.set(field, readMeta(lexer));
      } else {
        operands++;
        readMeta(lexer);
      }
    } while (lexer.acceptSign(','));
  }
  lexer.expectSign(')');
  return { kind: 'node', tag, fields, operands };
}

/** Reads up to the next comma or closing bracket. */
function readWords(lexer: Lexer): MetaText {
  const { start } = lexer;
  while (!lexer.isSign(',') && !lexer.isSign(')') && !lexer.isSign('}')) {
    if (lexer.kind === END) lexer.fail('the end of a metadata node');
    if (lexer.isSign('(') || lexer.isSign('[') || lexer.isSign('{')) lexer.skipBrackets();
    else lexer.next();
  }
  if (lexer.start === start) lexer.fail('an operand of a metadata node');
  return { kind: 'word', text: lexer.source.text.slice(start, lexer.lastEnd) };
}

/** Skips a node without building it. */
export function skipMeta(lexer: Lexer): void {
  if (lexer.kind === METADATA_ID) return lexer.next();
  const open = lexer.kind === METADATA_NAME ? '(' : '{';
  if (lexer.kind !== METADATA_NAME && !lexer.isSign('!')) lexer.fail('a metadata node');
  lexer.next();
  if (open === '{' && lexer.kind === STRING) return lexer.next();
  if (!lexer.isSign(open)) lexer.fail(`"${open}"`);
  lexer.skipBrackets();
}

export function stringField(node: MetaNode, name: string): string {
  const field = node.fields.get(name);
  return typeof field === 'object' && field.kind === 'string' ? field.text : '';
}

export function wordField(node: MetaNode, name: string): string {
  const field = node.fields.get(name);
  return typeof field === 'object' && field.kind === 'word' ? field.text : '';
}

/** `undefined` if the field is missing or refers to something computed. */
export function numberField(node: MetaNode, name: string): number | undefined {
  const text = wordField(node, name);
  const value = text === '' ? NaN : Number(text);
  return Number.isNaN(value) ? undefined : value;
}
