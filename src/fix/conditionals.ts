/**
 * Which branches of `#if` the statement reader reads: all whose conditions may be true, if their brackets are balanced,
 * since what follows then reads the same with and without them. If a branch opens a bracket that another part of the
 * file closes (`extern "C" {`, or two versions of the head of a function), only one branch is read.
 */
import type { Directive, Token } from './tokens.ts';

/** Tokens `from` … `to`-1, between two directives of one `#if`. */
interface Branch {
  readonly condition: string;
  readonly from: number;
  to: number;
}

const OPENS = '([{';
const CLOSES = ')]}';

/** The tokens to read. `isCompiled` is true for some of the tokens that are compiled. */
export function readableTokens(
  tokens: readonly Token[],
  directives: readonly Directive[],
  isCompiled: (token: Token) => boolean,
): readonly Token[] {
  const isRead = tokens.map(() => true);
  const conditions = new Conditions();
  const open: Branch[][] = [];
  for (const { text, next } of directives) {
    const [, name = '', rest = ''] = /^(?:#|%:)\s*(\w*)([\s\S]*)/.exec(text)!;
    if (name.startsWith('if')) open.push([]);
    else if (!/^(?:el|endif)/.test(name)) continue;
    const branches = open.at(-1);
    if (branches === undefined) continue;
    const last = branches.at(-1);
    if (last !== undefined) last.to = next;
    if (name !== 'endif') {
      branches.push({ condition: conditionOf(name, rest), from: next, to: next });
      continue;
    }
    open.pop();
    const read = branchesToRead(branches);
    for (const branch of branches) if (!read.includes(branch)) isRead.fill(false, branch.from, branch.to);
  }
  return tokens.filter((_, i) => isRead[i]);

  function branchesToRead(branches: readonly Branch[]): readonly Branch[] {
    const values = branches.map(({ condition }) => conditions.valueOf(condition));
    const certain = values.indexOf(true);
    const possible = branches.filter((_, i) => values[i] !== false && (certain < 0 || i <= certain));
    if (possible.every(isBalanced)) return possible;
    const chosen = possible.find(({ from, to }) => tokens.slice(from, to).some(isCompiled)) ?? possible[0]!;
    conditions.assume(chosen.condition);
    return [chosen];
  }

  function isBalanced({ from, to }: Branch): boolean {
    const pairs: number[] = [];
    for (let i = from; i < to; i++) {
      if (!isRead[i]) continue;
      const { text } = tokens[i]!;
      if (OPENS.includes(text)) pairs.push(OPENS.indexOf(text));
      else if (CLOSES.includes(text) && pairs.pop() !== CLOSES.indexOf(text)) return false;
    }
    return pairs.length === 0;
  }
}

/** The condition as it would be after `#if`, without comments; `defined` is normalised. */
function conditionOf(directive: string, text: string): string {
  if (directive === 'else') return '1';
  const bare = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|\\|\s/g, '');
  const names = bare.replace(/\bdefined(?:\((\w+)\)|(\w+))/g, 'defined:$1$2');
  if (/^(?:el)?ifdef$/.test(directive)) return `defined:${names}`;
  return /^(?:el)?ifndef$/.test(directive) ? `!defined:${names}` : names;
}

/** The values of conditions, as far as known. */
class Conditions {
  /** C has no `__cplusplus`. */
  private readonly known = new Map<string, boolean>([
    ['defined:__cplusplus', false],
    ['__cplusplus', false],
    ['0', false],
    ['1', true],
  ]);

  /** Assumes from here on that the condition holds, if it is simple. */
  assume(condition: string): void {
    const [, not, name] = /^(!?)([\w:]+)$/.exec(condition) ?? [];
    if (name !== undefined && !this.known.has(name)) this.known.set(name, not === '');
  }

  valueOf(condition: string): boolean | undefined {
    if (/[()]/.test(condition)) return undefined;
    const values = condition.split('||').map((part) => this.valueOfAll(part.split('&&')));
    if (values.includes(true)) return true;
    return values.includes(undefined) ? undefined : false;
  }

  private valueOfAll(parts: readonly string[]): boolean | undefined {
    const values = parts.map((part) => {
      const [, not, name] = /^(!?)([\w:]+)$/.exec(part.replace(/^__cplusplus>=?\d+L?$/, '0')) ?? [];
      const value = name === undefined ? undefined : this.known.get(name);
      return value === undefined ? undefined : value === (not === '');
    });
    if (values.includes(false)) return false;
    return values.includes(undefined) ? undefined : true;
  }
}
