/** The mnemonics of x86: which ones are modelled, as what, and which operand size a suffix implies. */

export type Arithmetic = 'add' | 'sub' | 'and' | 'or' | 'xor';

/** What a mnemonic does, without its operands. */
type Action =
  | { readonly kind: 'move' | 'load address' | 'exchange' | 'plain exchange' | 'exchange-add' | 'compare-exchange' }
  | { readonly kind: 'extend'; readonly signed: boolean; readonly from?: number }
  | { readonly kind: 'arithmetic'; readonly operator: Arithmetic }
  /** Adds or subtracts 1. */
  | { readonly kind: 'step'; readonly operator: 'add' | 'sub' }
  /** Sets flags only. */
  | { readonly kind: 'compare'; readonly operator: 'sub' | 'and' }
  | { readonly kind: 'fence'; readonly order: 'acquire' | 'release' | 'seq_cst' }
  | { readonly kind: 'jump' | 'return' | 'nothing' }
  | { readonly kind: 'branch'; readonly condition: BranchCondition };

/**
 * What a conditional jump tests: a flag, or one of the combinations below-or-equal (CF or ZF), less (SF ≠ OF),
 * less-or-equal (ZF or SF ≠ OF). It is taken if the test is true, or with `negated` if it is false.
 */
export interface BranchCondition {
  readonly test: 'ZF' | 'CF' | 'SF' | 'OF' | 'below-or-equal' | 'less' | 'less-or-equal';
  readonly negated: boolean;
}

export interface Mnemonic {
  readonly action: Action;
  /** Size in bytes, if the mnemonic gives it; for `extend`, that of the destination. */
  readonly size?: number;
}

/** These take a suffix b, w, l or q. */
const SIZED: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['mov', { kind: 'move' }],
  ['movabs', { kind: 'move' }],
  ['lea', { kind: 'load address' }],
  ['xchg', { kind: 'exchange' }],
  // herd's own: an exchange that is not atomic.
  ['uxch', { kind: 'plain exchange' }],
  ['xadd', { kind: 'exchange-add' }],
  ['cmpxchg', { kind: 'compare-exchange' }],
  ['inc', { kind: 'step', operator: 'add' }],
  ['dec', { kind: 'step', operator: 'sub' }],
  ['cmp', { kind: 'compare', operator: 'sub' }],
  ['test', { kind: 'compare', operator: 'and' }],
  ...(['add', 'sub', 'and', 'or', 'xor'] as const).map((operator): [string, Action] => [
    operator,
    { kind: 'arithmetic', operator },
  ]),
  // Assemblers pad code with nops that have operands.
  ['nop', { kind: 'nothing' }],
]);

const UNSIZED: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['mfence', { kind: 'fence', order: 'seq_cst' }],
  ['lfence', { kind: 'fence', order: 'acquire' }],
  ['sfence', { kind: 'fence', order: 'release' }],
  ['pause', { kind: 'nothing' }],
  ['endbr32', { kind: 'nothing' }],
  ['endbr64', { kind: 'nothing' }],
  ['ret', { kind: 'return' }],
  ['retq', { kind: 'return' }],
  ['jmp', { kind: 'jump' }],
  ['movzx', { kind: 'extend', signed: false }],
  ['movsx', { kind: 'extend', signed: true }],
  ['movsxd', { kind: 'extend', signed: true, from: 4 }],
  ...conditions('ZF', ['e', 'z'], ['ne', 'nz']),
  ...conditions('CF', ['b', 'c', 'nae'], ['ae', 'nb', 'nc']),
  ...conditions('SF', ['s'], ['ns']),
  ...conditions('OF', ['o'], ['no']),
  ...conditions('below-or-equal', ['be', 'na'], ['a', 'nbe']),
  // jlt and jgt are herd's spelling.
  ...conditions('less', ['l', 'nge', 'lt'], ['ge', 'nl']),
  ...conditions('less-or-equal', ['le', 'ng'], ['g', 'nle', 'gt']),
]);

const SUFFIXES: Readonly<Record<string, number>> = { b: 1, w: 2, l: 4, q: 8 };

/** Instructions that exist but are not modelled: saying so is a better message than "no such instruction". */
const UNSUPPORTED: RegExp = new RegExp(
  `^(?:${[
    '(?:adc|sbb|i?mul|i?div|not|neg|sh[lr]d?|sa[lr]|ro[lr]|rc[lr]|bt[scr]?|bs[fr]|bswap|push|pop|call)[bwlq]?',
    'cmov.{1,5}|set.{1,3}|jn?p[eo]?|j[er]?cxz|loop.*',
    'clflush(?:opt)?|clwb|prefetch.*|movnt.*|cmpxchg(?:8|16)b|serialize|xbegin|xend|xabort',
    'movs[bwlqsd]?|stos.?|lods.?|scas.?|cmps.?|rep.*|v?mov(?:d|[au]p[sd]|dq[au].*)',
    'cpuid|rdtscp?|hlt|int3?|syscall|sysenter|cl[cdi]|st[cdi]|cmc|lahf|sahf|cbw|cwde?|cdqe?|cqo|leave|enter|in|out',
  ].join('|')})$`,
);

/** `undefined` if there is no such instruction, `'unsupported'` if we do not model it. Takes lower case. */
export function findMnemonic(name: string): Mnemonic | 'unsupported' | undefined {
  const exact = SIZED.get(name) ?? UNSIZED.get(name);
  if (exact !== undefined) return { action: exact };
  const extend = /^mov([sz])([bwl])([wlq])$/.exec(name);
  if (extend !== null) {
    const [from, to] = [SUFFIXES[extend[2]!]!, SUFFIXES[extend[3]!]!];
    const signed = extend[1] === 's';
    // Writing 32 bits clears the upper half anyway, so there is no movzlq.
    if (from < to && (signed || from < 4)) return { action: { kind: 'extend', signed, from }, size: to };
  }
  const sized = SIZED.get(name.slice(0, -1));
  const size = Object.hasOwn(SUFFIXES, name.slice(-1)) ? SUFFIXES[name.slice(-1)] : undefined;
  if (sized !== undefined && size !== undefined) return { action: sized, size };
  return name.length < 20 && UNSUPPORTED.test(name) ? 'unsupported' : undefined;
}

function conditions(
  test: BranchCondition['test'],
  names: readonly string[],
  negatedNames: readonly string[],
): [string, Action][] {
  const entry = (name: string, negated: boolean): [string, Action] => [
    `j${name}`,
    { kind: 'branch', condition: { test, negated } },
  ];
  return [...names.map((name) => entry(name, false)), ...negatedNames.map((name) => entry(name, true))];
}
