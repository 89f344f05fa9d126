/**
 * Places inside the arguments of a macro. Older versions of clang give them the place of the outermost macro's name,
 * newer ones (from 21 on) their own. We always use the former, so that reports do not depend on the version of clang.
 *
 * Macro names are taken from `#define`s, regardless of conditions: at worst, an argument of a function with the name of
 * a macro is reported at the function's name.
 */
import { normalize } from 'node:path';
import type { Place } from './module.ts';

type ReadText = (file: string) => string | undefined;

/** From a macro's name up to its closing parenthesis, as offsets. */
interface Invocation {
  readonly name: number;
  readonly open: number;
  readonly close: number;
}

interface SourceText {
  /** The offset at which each line begins. */
  readonly lines: readonly number[];
  /** Invocations that are not nested in another, in order. */
  readonly invocations: readonly Invocation[];
}

const DEFINITION = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(\(|[ \t]+([A-Za-z_]\w*)[ \t]*$)/gm;
/** Comments, literals, directives with their continuation lines, names, parentheses. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|^[ \t]*#(?:\\\r?\n|.)*|[A-Za-z_]\w*|[()]|[^\s]/gm;
/** Macros of clang's own headers. */
const BUILT_IN =
  /^(?:va_(?:start|end|arg|copy)|offsetof|kill_dependency|ATOMIC_VAR_INIT|atomic_(?:init|is_lock_free|(?:thread|signal)_fence|(?:store|load|exchange|compare_exchange_(?:strong|weak)|fetch_\w+|flag_test_and_set|flag_clear)(?:_explicit)?))$/;

export class MacroPlaces {
  private readonly read: ReadText;
  private readonly files: ReadonlySet<string>;
  private readonly defines: readonly string[];
  private macros: ReadonlySet<string> | undefined;
  private readonly texts = new Map<string, SourceText | undefined>();

  /**
   * `files` are all files that the compiler read, `defines` the user's other definitions. Texts must have one character
   * per byte, since clang counts bytes.
   */
  constructor(files: readonly string[], defines: readonly string[], read: ReadText) {
    this.files = new Set(files.map((file) => normalize(file)));
    this.defines = defines;
    this.read = read;
  }

  /** The place of the outermost macro whose arguments contain this place, or else the place itself. */
  outermost(place: Place): Place {
    const text = this.text(place.file);
    const start = text?.lines[place.line - 1];
    if (text === undefined || start === undefined || place.column === 0) return place;
    const at = start + place.column - 1;
    const around = text.invocations[lastAtMost(text.invocations.length, (i) => text.invocations[i]!.open, at)];
    if (around === undefined || at > around.close) return place;
    const line = lastAtMost(text.lines.length, (i) => text.lines[i]!, around.name);
    return { file: place.file, line: line + 1, column: around.name - text.lines[line]! + 1 };
  }

  private text(file: string): SourceText | undefined {
    if (!this.texts.has(file)) {
      const text = this.files.has(normalize(file)) ? this.read(file) : undefined;
      this.texts.set(file, text === undefined ? undefined : this.scan(text));
    }
    return this.texts.get(file);
  }

  private scan(text: string): SourceText {
    const lines = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
    this.macros ??= this.findMacros();
    const invocations: Invocation[] = [];
    let name = -1;
    let open = -1;
    let depth = 0;
    for (const { 0: token, index } of text.matchAll(TOKEN)) {
      if (token.startsWith('/*') || token.startsWith('//') || token.trimStart().startsWith('#')) continue;
      if (depth > 0) {
        depth += token === '(' ? 1 : token === ')' ? -1 : 0;
        if (depth === 0) invocations.push({ name, open, close: index });
      } else if (token === '(' && name >= 0) {
        open = index;
        depth = 1;
        continue;
      }
      if (depth === 0) name = this.macros.has(token) || BUILT_IN.test(token) ? index : -1;
    }
    return { lines, invocations };
  }

  /** Macros with parameters, and aliases of such macros. */
  private findMacros(): ReadonlySet<string> {
    const macros = new Set(
      this.defines.filter((define) => define.includes('(')).map((define) => define.split('(')[0]!),
    );
    const aliases = new Map<string, string>();
    for (const file of this.files) {
      for (const [, name, rest, meaning] of (this.read(file) ?? '').matchAll(DEFINITION)) {
        if (rest === '(') macros.add(name!);
        else if (meaning !== undefined) aliases.set(name!, meaning);
      }
    }
    for (const name of aliases.keys()) {
      const seen = new Set<string>();
      let meaning: string | undefined = name;
      for (; meaning !== undefined && !seen.has(meaning); meaning = aliases.get(meaning)) seen.add(meaning);
      if ([...seen].some((other) => macros.has(other) || BUILT_IN.test(other))) macros.add(name);
    }
    return macros;
  }
}

/** The last of `count` ascending numbers that is at most `limit`, or -1. */
function lastAtMost(count: number, get: (index: number) => number, limit: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (get(middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
