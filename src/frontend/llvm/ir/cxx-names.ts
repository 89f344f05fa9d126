/** Names of C++ functions and types in reports: `Queue<int>::push`, not `_ZN5QueueIiE4pushEi`. */
import { demangle, LAMBDA } from './demangle.ts';

/** In longer names, template arguments are left out, the innermost first. */
const LONG = 60;

/** Template arguments that are nearly always defaults. */
const DEFAULTS = ['allocator', 'char_traits', 'default_delete', 'less', 'hash', 'equal_to'];

/** The type that a type description (`_ZTI…`) describes, from the symbol of the description. */
export function nameOfType(symbol: string): string {
  return shortened(demangle(symbol)?.replace(/^typeinfo for /, '') ?? symbol);
}

/** A function's name. `line` is where it begins, which tells closures apart; `sourceName` is its name in the source. */
export function nameOfFunction(symbol: string, sourceName?: string, line?: number): string | undefined {
  if (!symbol.startsWith('_Z')) return undefined;
  const name = demangle(symbol);
  if (name === undefined) return sourceName;
  const where = line === undefined ? 'lambda' : `lambda in line ${line}`;
  return shortened(name.replace(`${LAMBDA}::operator()`, where).replaceAll(LAMBDA, 'lambda'));
}

/** A variable's name; the symbol itself if it has no other. */
export function nameOfVariable(symbol: string): string {
  const name = demangle(symbol);
  return name === undefined ? symbol : shortened(name.replaceAll(LAMBDA, 'lambda'));
}

/** A name without library internals. */
export function shortened(name: string): string {
  let text = name.replaceAll(/\bstd::__\w+::/g, 'std::');
  for (const template of DEFAULTS) text = withoutArgument(text, `, std::${template}<`);
  text = text.replaceAll('std::basic_string<char>', 'std::string');
  for (let depth = deepest(text); text.length > LONG && depth > 0; depth--) text = withoutDepth(text, depth);
  return text;
}

function withoutArgument(text: string, start: string): string {
  let rest = text;
  for (let at = rest.indexOf(start); at >= 0; at = rest.indexOf(start, at)) {
    rest = rest.slice(0, at) + rest.slice(closing(rest, at + start.length));
  }
  return rest;
}

/** The position after the bracket that closes the one before `at`. */
function closing(text: string, at: number): number {
  let depth = 1;
  let end = at;
  for (; end < text.length && depth > 0; end++) depth += step(text, end);
  return end;
}

/** +1 and -1 for the brackets of template arguments; those in `operator<` and `->` do not count. */
function step(text: string, at: number): number {
  if (text[at] === '<') return /operator<?$/.test(text.slice(0, at)) ? 0 : 1;
  if (text[at] !== '>') return 0;
  return text[at - 1] === '-' || /operator(?:>|<=)?$/.test(text.slice(0, at)) ? 0 : -1;
}

function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    depth += step(text, at);
    most = Math.max(most, depth);
  }
  return most;
}

/** Replaces arguments at this depth by `…`. */
function withoutDepth(text: string, limit: number): string {
  let depth = 0;
  let kept = '';
  for (let at = 0; at < text.length; at++) {
    const change = step(text, at);
    if (change < 0) depth--;
    if (depth < limit) kept += text[at];
    if (change > 0) {
      depth++;
      if (depth === limit) kept += '…';
    }
  }
  return kept;
}
