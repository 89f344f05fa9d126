/** Finds the threads of a test in C: `P0 (atomic_int *x, int *y) { … }`. Their bodies are read by `c-thread.ts`. */
import type { CParameter, CThreadSyntax } from './ast.ts';
import { CLexer } from './c-lexer.ts';
import { sizeOfCType } from './c-types.ts';
import { isThreadName, pieceSince } from './names.ts';
import type { Source } from './source.ts';

/** The most threads that the machine supports. */
const MAX_THREADS = 64;

/** The threads, and the offset just past the last one. */
export function findCThreads(source: Source, at: number): { threads: readonly CThreadSyntax[]; end: number } {
  const lexer = new CLexer(source, at);
  const threads: CThreadSyntax[] = [];
  do {
    const expected = `"P${threads.length}"`;
    const head = lexer.expectName(expected);
    if (head.text !== `P${threads.length}`) {
      lexer.fail(isThreadName(head.text) ? `${expected}: threads are numbered from 0, in order` : expected, head);
    }
    if (threads.length === MAX_THREADS) lexer.fail(`at most ${MAX_THREADS} threads`, head);
    const parameters = parseParameters(lexer);
    lexer.expect('{');
    threads.push({ at: head.at, text: head.text, parameters, body: lexer.lastEnd });
    skipBody(lexer);
  } while (isThreadName(lexer.peek().text));
  return { threads, end: lexer.lastEnd };
}

function parseParameters(lexer: CLexer): readonly CParameter[] {
  const parameters: CParameter[] = [];
  lexer.expect('(');
  if (lexer.is('void') && lexer.is(')', 1)) lexer.next();
  while (!lexer.accept(')')) {
    const start = lexer.peek();
    const words: string[] = [];
    while (lexer.peek().kind === 'name' && !isEnd(lexer, 1)) words.push(lexer.next().text);
    if (sizeOfCType('C', words) !== 4) lexer.fail('a parameter such as atomic_int *x or int *x', start);
    lexer.expect('*', '"*": the parameters are pointers to the locations');
    while (lexer.is('volatile') || lexer.is('const')) lexer.next();
    const name = lexer.expectName('the name of a location');
    if (parameters.some((other) => other.name === name.text)) lexer.fail('another name', name);
    const piece = pieceSince(lexer, name);
    parameters.push({ kind: 'location', name: name.text, index: undefined, order: orderOf(words), ...piece });
    if (!lexer.is(')')) lexer.expect(',', '"," or ")"');
  }
  return parameters;
}

function orderOf(words: readonly string[]): CParameter['order'] {
  if (words.some((word) => word === '_Atomic' || word.startsWith('atomic_'))) return 'seq_cst';
  return words.includes('volatile') ? 'volatile' : 'plain';
}

function isEnd(lexer: CLexer, distance: number): boolean {
  return lexer.is(',', distance) || lexer.is(')', distance);
}

function skipBody(lexer: CLexer): void {
  for (let depth = 1; depth > 0; ) {
    const token = lexer.next();
    if (token.kind === 'end') lexer.fail('"}"', token);
    if (token.text === '{') depth++;
    else if (token.text === '}') depth--;
  }
}
