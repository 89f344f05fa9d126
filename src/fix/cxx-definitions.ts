/** Finds where functions are defined and lambdas begin in a C++ file, judging by tokens. */
import { behindGroup, WORD } from './definitions.ts';
import type { Token } from './tokens.ts';

const SCOPE = /^(?:class|struct|union|enum|namespace)$/;

/**
 * What a declaration has contained so far: the word that begins a class or namespace (`scope`), an `=` (`initialised`),
 * possible parameters, a constructor's initialisers, or none of these (`plain`).
 */
type Head = 'plain' | 'scope' | 'initialised' | 'parameters' | 'initialisers';

/** The first brace, from `start` on, that begins the body of a function; the end of the tokens if there is none. */
export function findCxxBody(tokens: readonly Token[], start: number): number {
  let head: Head = 'plain';
  let at = start;
  while (at < tokens.length) {
    const { text } = tokens[at]!;
    const before = tokens[at - 1]?.text ?? '';
    if (text === '{' && isBody(head, before)) return at;
    if (text === '{' && (head === 'scope' || before.startsWith('"'))) {
      // Functions may be inside.
      head = 'plain';
      at++;
    } else if (text === 'template' && tokens[at + 1]?.text === '<') {
      at = behindAngles(tokens, at + 1);
    } else if (text === 'operator' && tokens[at + 1]?.text !== undefined) {
      // The operator may be `=` or `()`.
      at += tokens[at + 1]!.text === '(' ? 3 : 2;
      while (/^[=<>&|+-]$/.test(tokens[at]?.text ?? '')) at++;
    } else {
      head = headWith(head, text);
      at = behindGroup(tokens, at);
    }
  }
  return at;
}

function isBody(head: Head, before: string): boolean {
  // `n{2}` initialises a member.
  if (head === 'initialisers') return before === ')' || before === '}';
  return head === 'parameters' && (before === ')' || before === ']' || before === '>' || WORD.test(before));
}

function headWith(head: Head, text: string): Head {
  if (text === ';' || text === '}') return 'plain';
  if (text === '=') return 'initialised';
  if (head === 'plain') return SCOPE.test(text) ? 'scope' : text === '(' ? 'parameters' : head;
  // A colon after `public` or a `case` has no parameters before it.
  return head === 'parameters' && text === ':' ? 'initialisers' : head;
}

function behindAngles(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; ) {
    const { text } = tokens[at]!;
    if (text === '<') depth++;
    if (text === '>' && --depth === 0) return at + 1;
    at = behindGroup(tokens, at);
  }
  return tokens.length;
}

/** Whether this bracket begins a lambda, rather than an index or an attribute. */
export function isIntroducer(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.text !== '[' || tokens[at + 1]?.text === '[') return false;
  const before = tokens[at - 1]?.text ?? '';
  if (before === '[') return false;
  return before === 'return' || !(before === ')' || before === ']' || WORD.test(before));
}
