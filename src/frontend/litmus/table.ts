/** Grammar of the program: a table with a column per thread, `|` between cells and `;` after each row. */
import type { Arch, Cell, InstructionSyntax, OperandSyntax, ThreadSyntax } from './ast.ts';
import type { Lexer } from './lexer.ts';
import { isThreadName } from './names.ts';
import { parseOperand } from './operand.ts';
import type { Piece } from './source.ts';

/** The words that begin the part after the program. No instruction looks like this. */
const ENDINGS: ReadonlySet<string> = new Set([
  ...['exists', 'forall', 'final', 'not', '~', '(', 'locations', 'filter', '<<'],
  ...['observed', 'Observed', 'cases'],
]);

export function parseTable(lexer: Lexer, arch: Arch): readonly ThreadSyntax[] {
  const columns = parseHeads(lexer).map((head) => ({ head, cells: [] as Cell[] }));
  while (!atEnding(lexer)) {
    columns.forEach(({ cells }, i) => {
      const cell = parseCell(lexer, arch);
      if (cell.labels.length > 0 || cell.instruction !== undefined) cells.push(cell);
      const [right, wrong] = i < columns.length - 1 ? ['|', ';'] : [';', '|'];
      lexer.expect(right!, lexer.is(wrong!) ? `"${right}", as every row has ${columns.length} cells` : undefined);
    });
  }
  return columns.map(({ head, cells }) => ({ at: head.at, text: head.text, cells }));
}

/** The most threads that the machine supports. */
const MAX_THREADS = 64;

function parseHeads(lexer: Lexer): readonly Piece[] {
  const heads: Piece[] = [];
  do {
    const expected = `"P${heads.length}"`;
    const head = lexer.expectName(expected);
    if (head.text !== `P${heads.length}`) {
      lexer.fail(isThreadName(head.text) ? `${expected}: threads are numbered from 0, in order` : expected, head);
    }
    if (heads.length === MAX_THREADS) lexer.fail(`at most ${MAX_THREADS} threads`, head);
    heads.push(head);
  } while (lexer.accept('|'));
  lexer.expect(';', '"|" or ";"');
  return heads;
}

function atEnding(lexer: Lexer): boolean {
  const { kind, text } = lexer.peek();
  return kind === 'end' || ENDINGS.has(text);
}

function parseCell(lexer: Lexer, arch: Arch): Cell {
  const labels: Piece[] = [];
  while (lexer.peek().kind === 'name' && lexer.is(':', 1)) {
    labels.push(lexer.next());
    lexer.next();
  }
  const empty = lexer.is('|') || lexer.is(';') || atEnding(lexer);
  return { labels, instruction: empty ? undefined : parseInstruction(lexer, arch) };
}

function parseInstruction(lexer: Lexer, arch: Arch): InstructionSyntax {
  const start = lexer.peek();
  const isLock = start.kind === 'name' && start.text.toLowerCase() === 'lock';
  if (isLock) {
    lexer.next();
    // Like assemblers, herd accepts `lock; inc …` within one cell.
    lexer.accept(';');
  }
  const mnemonic = lexer.expectName('an instruction');
  return {
    lock: isLock ? start : undefined,
    mnemonic: mnemonic.text.toLowerCase(),
    mnemonicPiece: mnemonic,
    operands: parseOperands(lexer, arch),
    at: start.at,
    text: lexer.source.quote(start.at, lexer.lastEnd),
  };
}

function parseOperands(lexer: Lexer, arch: Arch): readonly OperandSyntax[] {
  const operands: OperandSyntax[] = [];
  // A `(` here is an operand; other endings mean that the row was not ended.
  if (lexer.is('|') || lexer.is(';') || (atEnding(lexer) && !lexer.is('('))) return operands;
  do operands.push(parseOperand(lexer, arch));
  while (lexer.accept(','));
  return operands;
}
