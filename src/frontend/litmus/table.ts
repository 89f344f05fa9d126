/** Grammar of the program: a table with a column per thread, `|` between cells and `;` after each row. */
import type { Arch, Cell, InstructionSyntax, OperandSyntax, ThreadSyntax } from './ast.ts';
import type { Lexer } from './lexer.ts';
import { isThreadName } from './names.ts';
import { parseOperand } from './operand.ts';
import type { Piece } from './source.ts';

export function parseTable(lexer: Lexer, arch: Arch, atEnd: () => boolean): readonly ThreadSyntax[] {
  const columns: { head: Piece; cells: Cell[] }[] = [];
  do {
    const expected = `"P${columns.length}"`;
    const head = lexer.expectName(expected);
    if (head.text !== `P${columns.length}`) {
      lexer.fail(isThreadName(head.text) ? `${expected}: threads are numbered from 0, in order` : expected, head);
    }
    columns.push({ head, cells: [] });
  } while (lexer.accept('|'));
  lexer.expect(';', '"|" or ";"');
  while (!atEnd()) {
    columns.forEach(({ cells }, i) => {
      const cell = parseCell(lexer, arch);
      if (cell.labels.length > 0 || cell.instruction !== undefined) cells.push(cell);
      const last = i === columns.length - 1;
      const asked = `as every row has ${columns.length} cells`;
      lexer.expect(last ? ';' : '|', lexer.is(last ? '|' : ';') ? `"${last ? ';' : '|'}", ${asked}` : undefined);
    });
  }
  return columns.map(({ head, cells }) => ({ at: head.at, text: head.text, cells }));
}

function parseCell(lexer: Lexer, arch: Arch): Cell {
  const labels: Piece[] = [];
  while (lexer.peek().kind === 'name' && lexer.is(':', 1)) {
    labels.push(lexer.next());
    lexer.next();
  }
  const empty = lexer.is('|') || lexer.is(';');
  return { labels, instruction: empty ? undefined : parseInstruction(lexer, arch) };
}

function parseInstruction(lexer: Lexer, arch: Arch): InstructionSyntax {
  const start = lexer.peek();
  const isLock = start.kind === 'name' && start.text.toLowerCase() === 'lock';
  if (isLock) {
    lexer.next();
    // As an assembler would take it, herd takes `lock; inc …` within one cell.
    lexer.accept(';');
  }
  const mnemonic = lexer.expectName('an instruction');
  const operands: OperandSyntax[] = [];
  if (!lexer.is('|') && !lexer.is(';')) {
    do operands.push(parseOperand(lexer, arch));
    while (lexer.accept(','));
  }
  return {
    lock: isLock ? start : undefined,
    mnemonic: mnemonic.text.toLowerCase(),
    mnemonicPiece: mnemonic,
    operands,
    at: start.at,
    text: lexer.source.quote(start.at, lexer.lastEnd),
  };
}
