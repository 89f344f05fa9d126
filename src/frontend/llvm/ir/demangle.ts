/**
 * Turns linker symbols into C++ names, by the Itanium C++ ABI (section 5.1). Parameters and results of functions are
 * left out, as by `c++filt -p`. Expressions in template arguments are skipped; a symbol that refers into one is not
 * read.
 */
import { BUILTIN, OPERATORS, SPECIAL, STANDARD, SUFFIX } from './demangle-tables.ts';

/** The C++ name; `undefined` if the symbol is not a C++ one or cannot be read. */
export function demangle(symbol: string): string | undefined {
  if (!symbol.startsWith('_Z')) return undefined;
  try {
    return new Demangler(symbol.slice(2)).run();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

/** A type: the text before and after a name declared with it. */
interface Declarator {
  readonly left: string;
  readonly right: string;
  /** `*` must go into parentheses: a pointer to a function or an array. */
  readonly isWrapped?: boolean;
}

interface Name {
  readonly text: string;
  /** Whether it is a function template: its type then includes the result. */
  readonly isTemplate: boolean;
  /** Constructors, destructors and conversions have no result. */
  readonly hasResult: boolean;
}

class Demangler {
  private readonly text: string;
  private at = 0;
  private readonly substitutions: Declarator[] = [];
  /** The template arguments of the function whose parameters are being read. */
  private templateArguments: string[] = [];
  /** How many substitutions are numbered correctly: a skipped expression may add some that are not recorded. */
  private known = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    this.text = text;
  }

  run(): string {
    const name = this.encoding(true);
    if (this.hasSkipped) return name;
    // The compiler appends suffixes to clones: `.cold`, `.1`.
    if (this.at < this.text.length && this.peek() !== '.') this.fail();
    return name;
  }

  private get hasSkipped(): boolean {
    return this.known !== Number.POSITIVE_INFINITY;
  }

  private fail(): never {
    throw new Unreadable();
  }

  private peek(): string {
    return this.text[this.at] ?? '';
  }

  private accept(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private expect(text: string): void {
    if (!this.accept(text)) this.fail();
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private encoding(isWhole = false): string {
    const special = SPECIAL[this.text.slice(this.at, this.at + 2)];
    if (special !== undefined) {
      this.at += 2;
      const isType = special.startsWith('v') || special.startsWith('V') || special.startsWith('typeinfo');
      return special + (isType ? whole(this.type()) : this.name().text);
    }
    if (this.match(/Th[^_]*_/y) !== undefined) return `non-virtual thunk to ${this.encoding()}`;
    if (this.match(/Tv[^_]*_[^_]*_/y) !== undefined) return `virtual thunk to ${this.encoding()}`;
    if (this.accept('GR')) {
      const { text } = this.name();
      return `reference temporary #${this.sequence()} for ${text}`;
    }
    const { text, isTemplate, hasResult } = this.name();
    // Parameters are not shown, so they need not be read.
    if (isWhole && this.hasSkipped) return text;
    if (isTemplate && hasResult && !this.isAtEnd()) this.type();
    while (!this.isAtEnd()) this.type();
    return text;
  }

  private isAtEnd(): boolean {
    return this.at >= this.text.length || this.peek() === 'E' || this.peek() === '.';
  }

  /** Reads a number in base 36: `_` is 0, `0_` is 1. */
  private sequence(): number {
    const digits = this.match(/[0-9A-Z]*_/y) ?? this.fail();
    return digits === '_' ? 0 : Number.parseInt(digits.slice(0, -1), 36) + 1;
  }

  private name(): Name {
    if (this.accept('N')) return this.nested();
    if (this.accept('Z')) return this.local();
    if (this.peek() === 'S' && this.text[this.at + 1] !== 't') {
      const text = whole(this.substitution());
      return { text: this.withArguments(text), isTemplate: true, hasResult: true };
    }
    const scope = this.accept('St') ? 'std::' : '';
    const part = this.unqualified('');
    const text = scope + part.text;
    if (this.peek() !== 'I') return { ...part, text, isTemplate: false };
    this.remember(text);
    return { ...part, text: this.withArguments(text), isTemplate: true };
  }

  private nested(): Name {
    // Qualifiers of the function, which are not shown either.
    this.match(/[rVK]*[RO]?/y);
    let text = '';
    let last = '';
    let isTemplate = false;
    let hasResult = true;
    while (!this.accept('E')) {
      const next = this.peek();
      if (next === 'I') {
        text = this.withArguments(text);
        isTemplate = true;
        this.remember(text);
        continue;
      }
      isTemplate = false;
      if (next === 'S' && this.text[this.at + 1] !== 't') {
        text = whole(this.substitution());
        last = lastPart(text);
        continue;
      }
      if (this.accept('St')) {
        text = 'std';
        continue;
      }
      if (next === 'T') {
        text = this.templateParameter();
        last = lastPart(text);
      } else if (next === 'D' && /[tT]/.test(this.text[this.at + 1] ?? '')) {
        this.fail();
      } else {
        const part = this.unqualified(last);
        last = part.text;
        hasResult = part.hasResult;
        text = text === '' ? part.text : `${text}::${part.text}`;
      }
      if (this.peek() !== 'E') this.remember(text);
    }
    return { text, isTemplate, hasResult };
  }

  private local(): Name {
    const outer = this.encoding();
    this.expect('E');
    if (this.accept('s')) {
      this.discriminator();
      return { text: `${outer}::string literal`, isTemplate: false, hasResult: true };
    }
    if (this.accept('d')) this.match(/\d*_/y);
    const inner = this.name();
    this.discriminator();
    return { ...inner, text: `${outer}::${inner.text}` };
  }

  private discriminator(): void {
    this.match(/_\d|__\d+_/y);
  }

  /** `scope`: the name for constructors. */
  private unqualified(scope: string): Omit<Name, 'isTemplate'> {
    const part = this.unqualifiedPart(scope);
    while (this.accept('B')) this.sourceName();
    return part;
  }

  private unqualifiedPart(scope: string): Omit<Name, 'isTemplate'> {
    const named = (text: string): Omit<Name, 'isTemplate'> => ({ text, hasResult: true });
    this.accept('L');
    if (/\d/.test(this.peek())) return named(this.sourceName());
    if (this.match(/C[1-5]|CI[12]/y) !== undefined) {
      if (this.text[this.at - 2] === 'I') this.type();
      return { text: scope.replace(/<.*$/, ''), hasResult: false };
    }
    if (this.match(/D[0-5]/y) !== undefined) return { text: `~${scope.replace(/<.*$/, '')}`, hasResult: false };
    if (this.accept('Ul')) return named(this.closure());
    if (this.match(/Ut\d*_/y) !== undefined) return named('{unnamed type}');
    if (this.accept('cv')) return { text: `operator ${whole(this.type())}`, hasResult: false };
    if (this.accept('li')) return named(`operator""${this.sourceName()}`);
    const operator = OPERATORS[this.text.slice(this.at, this.at + 2)];
    if (operator === undefined) return this.fail();
    this.at += 2;
    return named(`operator${operator}`);
  }

  private closure(): string {
    while (!this.accept('E')) this.type();
    this.match(/\d*_/y);
    return LAMBDA;
  }

  private sourceName(): string {
    const length = Number(this.match(/\d+/y) ?? this.fail());
    const name = this.text.slice(this.at, this.at + length);
    if (name.length < length) this.fail();
    this.at += length;
    if (name.startsWith('_GLOBAL__N')) return '(anonymous namespace)';
    return /^\$_\d+$/.test(name) ? LAMBDA : name;
  }

  private remember(text: string | Declarator): void {
    this.substitutions.push(typeof text === 'string' ? plain(text) : text);
  }

  private substitution(): Declarator {
    this.expect('S');
    const standard = STANDARD[this.peek()];
    if (standard !== undefined) {
      this.at++;
      return plain(standard);
    }
    const index = this.sequence();
    return (index < this.known ? this.substitutions[index] : undefined) ?? this.fail();
  }

  private templateParameter(): string {
    this.expect('T');
    return this.templateArguments[this.sequence()] ?? 'auto';
  }

  private withArguments(text: string): string {
    if (!this.accept('I')) return text;
    const all = this.argumentsUpToEnd();
    this.templateArguments = all;
    return `${text}<${all.filter((each) => each !== '').join(', ')}>`;
  }

  private argumentsUpToEnd(): string[] {
    const all: string[] = [];
    while (!this.accept('E')) all.push(this.templateArgument());
    return all;
  }

  private templateArgument(): string {
    if (this.accept('J')) return this.argumentsUpToEnd().join(', ');
    if (this.accept('L')) return this.literal();
    if (this.accept('X')) return this.expression();
    if (this.accept('Tn')) {
      // The type of a parameter that only constrains the other arguments; users never pass the argument itself.
      this.type();
      this.templateArgument();
      return '';
    }
    // Template arguments of an inner name are not those of the function.
    const outer = this.templateArguments;
    const type = whole(this.type());
    this.templateArguments = outer;
    return type;
  }

  /** Skips an expression, which is not shown. */
  private expression(): string {
    this.known = Math.min(this.known, this.substitutions.length);
    for (let depth = 0; depth >= 0; ) {
      const length = this.match(/\d+/y);
      if (length !== undefined) this.at += Number(length);
      else if (
        this.match(/L[a-z]n?\d*E|S[0-9A-Z]*_|S[tabsiod]|T[0-9A-Z]*_|Dp|sr(?!\d)|nt|(?!sr)[abd-z]|[KPROV]/y) ===
        undefined
      ) {
        if (this.match(/[INJXF]|cl|sr|D[tTO]/y) !== undefined) depth++;
        else if (this.accept('E')) depth--;
        else if (!this.accept('c')) this.fail();
      }
      if (this.at > this.text.length) this.fail();
    }
    return '…';
  }

  private literal(): string {
    if (this.accept('_Z')) {
      const name = this.encoding();
      this.expect('E');
      return name;
    }
    const letter = this.peek();
    const type = whole(this.type());
    const value = this.match(/n?\d*/y)!.replace('n', '-');
    this.expect('E');
    if (letter === 'b') return value === '1' ? 'true' : 'false';
    const suffix = SUFFIX[letter];
    return suffix === undefined ? `(${type})${value}` : value + suffix;
  }

  private type(): Declarator {
    const qualifiers = this.match(/[rVK]+/y);
    if (qualifiers !== undefined) {
      const words = [...qualifiers].reverse().map((letter) => ({ r: 'restrict', V: 'volatile', K: 'const' })[letter]);
      const inner = this.type();
      const { left, right, isWrapped } = inner;
      const text = words.map((word) => ` ${word}`).join('');
      const made: Declarator =
        isWrapped && right.startsWith('(') ? { ...inner, right: right + text } : { ...inner, left: left + text };
      this.remember(made);
      return made;
    }
    const builtin = this.builtin();
    if (builtin !== undefined) return plain(builtin);
    const made = this.compound();
    if (made.isNew) this.remember(made.type);
    return made.type;
  }

  private builtin(): string | undefined {
    const two = BUILTIN[this.text.slice(this.at, this.at + 2)];
    const found = two ?? BUILTIN[this.peek()];
    if (found === undefined) return undefined;
    this.at += two === undefined ? 1 : 2;
    return found;
  }

  /** `isNew`: it is a substitution candidate that has not been remembered yet. */
  private compound(): { readonly type: Declarator; readonly isNew: boolean } {
    const fresh = (type: Declarator): { type: Declarator; isNew: boolean } => ({ type, isNew: true });
    switch (this.peek()) {
      case 'P':
      case 'R':
      case 'O': {
        const sign = { P: '*', R: '&', O: '&&' }[this.peek()]!;
        this.at++;
        return fresh(pointer(this.type(), sign));
      }
      case 'F':
        return fresh(this.functionType());
      case 'A': {
        this.at++;
        const count = this.match(/\d*/y)!;
        this.expect('_');
        const { left, right } = this.type();
        return fresh({ left, right: ` [${count}]${right}`, isWrapped: true });
      }
      case 'M': {
        this.at++;
        const scope = whole(this.type());
        return fresh(pointer(this.type(), `${scope}::*`));
      }
      case 'D':
        return fresh(this.other());
      case 'T': {
        if (/[sue]/.test(this.text[this.at + 1] ?? '')) this.fail();
        const text = this.templateParameter();
        if (this.peek() !== 'I') return fresh(plain(text));
        this.remember(text);
        return fresh(plain(this.withArguments(text)));
      }
      case 'S':
        if (this.text[this.at + 1] !== 't') {
          const found = this.substitution();
          if (this.peek() !== 'I') return { type: found, isNew: false };
          return fresh(plain(this.withArguments(whole(found))));
        }
        return fresh(plain(this.className()));
      case 'u':
        this.at++;
        return fresh(plain(this.sourceName()));
      default:
        return fresh(plain(this.className()));
    }
  }

  private className(): string {
    const { at } = this;
    const isNested = this.peek() === 'N';
    const { text } = this.name();
    if (this.at === at) this.fail();
    // A nested name that ends in a template must be a substitution only once: the type adds it again.
    if (isNested && this.text[this.at - 2] === 'E') this.substitutions.pop();
    return text;
  }

  private functionType(): Declarator {
    this.expect('F');
    this.accept('Y');
    const result = this.type();
    const parameters: string[] = [];
    while (!/[ERO]/.test(this.peek()) || this.isReferenceType()) parameters.push(whole(this.type()));
    const reference = this.match(/[RO]/y);
    this.expect('E');
    const list = parameters.join() === 'void' ? '' : parameters.join(', ');
    const suffix = reference === undefined ? '' : reference === 'R' ? ' &' : ' &&';
    return { left: result.left, right: `(${list})${suffix}${result.right}`, isWrapped: true };
  }

  /** `R` and `O` before `E` are qualifiers of the function. */
  private isReferenceType(): boolean {
    return /[RO]/.test(this.peek()) && this.text[this.at + 1] !== 'E';
  }

  private other(): Declarator {
    if (this.accept('Dp')) return this.type();
    if (this.accept('Do')) {
      const func = this.functionType();
      return { ...func, right: `${func.right} noexcept` };
    }
    return this.fail();
  }
}

/** A closure: reports show its place instead. */
export const LAMBDA = '{lambda}';

function plain(text: string): Declarator {
  return { left: text, right: '' };
}

function whole({ left, right, isWrapped }: Declarator): string {
  return isWrapped && right.startsWith('(') ? `${left} ${right}` : left + right;
}

function pointer({ left, right, isWrapped }: Declarator, sign: string): Declarator {
  // `T& &&` is `T&`.
  if (!isWrapped && /&$/.test(left) && sign.startsWith('&'))
    return plain(left.endsWith('&&') && sign === '&' ? left.slice(0, -1) : left);
  if (isWrapped) return { left: `${left} (${sign}`, right: `)${right}` };
  const space = sign.endsWith('::*') && right === '' ? ' ' : '';
  return { left: `${left}${space}${sign}`, right };
}

function lastPart(name: string): string {
  let depth = 0;
  for (let at = name.length - 1; at > 0; at--) {
    if (name[at] === '>') depth++;
    else if (name[at] === '<') depth--;
    else if (depth === 0 && name[at] === ':' && name[at - 1] === ':') return name.slice(at + 1);
  }
  return name;
}
