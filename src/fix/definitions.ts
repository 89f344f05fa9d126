/** Finds where functions are defined in a C file, judging by tokens. */
import type { Token } from './tokens.ts';

export const WORD: RegExp = /^[A-Za-z_$\x80-\xff]/;
export const TAG: RegExp = /^(?:struct|union|enum)$/;

/** What a declaration has contained so far: an `=`, or possible parameters. */
type Head = 'plain' | 'parameters' | 'initialised';

/** The first brace, from `start` on, that begins the body of a function; the end of the tokens if there is none. */
export function findBody(tokens: readonly Token[], start: number): number {
  let head: Head = 'plain';
  let at = start;
  while (at < tokens.length) {
    const before = tokens[at - 1]?.text ?? '';
    const { text } = tokens[at]!;
    if (text === '{' && isBehindHead(tokens, at, head)) return at;
    if (text === '{' && before.startsWith('"') && tokens[at - 2]?.text === 'extern') {
      // Skip the brace of `extern "C"`: functions may be inside.
      head = 'plain';
      at++;
    } else {
      head = headWith(head, tokens, at);
      at = behindGroup(tokens, at);
    }
  }
  return at;
}

function headWith(head: Head, tokens: readonly Token[], at: number): Head {
  const { text } = tokens[at]!;
  if (text === ';' || text === '}') return 'plain';
  if (text === '=') return 'initialised';
  // Parentheses of attributes: `struct __attribute__((packed)) s {`.
  if (head === 'plain' && text === '(') return isBehindTag(tokens, at - 1) ? head : 'parameters';
  // The parentheses belonged to attributes: `__attribute__((packed)) struct s {`.
  return head === 'parameters' && TAG.test(text) ? 'plain' : head;
}

function isBehindHead(tokens: readonly Token[], at: number, head: Head): boolean {
  const before = tokens[at - 1]?.text ?? '';
  if (head === 'initialised') return false;
  // After K&R-style declarations of parameters.
  if (before === ';') return true;
  if (before === ')') return !isBehindTag(tokens, at);
  // After a macro or attribute that follows the parameters.
  return head === 'parameters' && (before === ']' || WORD.test(before));
}

/** Whether only attributes precede `start`, and `struct`, `union` or `enum` precedes those. */
function isBehindTag(tokens: readonly Token[], start: number): boolean {
  let at = start - 1;
  while (tokens[at]?.text === ')') {
    for (let depth = 0; at >= 0; at--) {
      if (tokens[at]!.text === ')') depth++;
      if (tokens[at]!.text === '(' && --depth === 0) break;
    }
    // Skip the attribute's name.
    at -= 2;
  }
  return TAG.test(tokens[at]?.text ?? '');
}

/** The index after the token, or after the whole bracketed group that it opens. */
export function behindGroup(tokens: readonly Token[], start: number): number {
  const open: string[] = [];
  for (let at = start; at < tokens.length; at++) {
    const { text } = tokens[at]!;
    const close = '([{'.includes(text) ? ')]}'['([{'.indexOf(text)]! : undefined;
    if (close !== undefined) open.push(close);
    else if (text === open.at(-1)) open.pop();
    if (open.length === 0) return at + 1;
  }
  return tokens.length;
}
