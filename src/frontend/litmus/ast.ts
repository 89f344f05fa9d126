/** The syntax of a litmus test, before anything is known about sizes, addresses or meaning. */
import type { Arch, RegisterPart } from './registers.ts';
import type { Piece } from './source.ts';

export type { Arch };

export interface TestSyntax {
  readonly arch: Arch;
  readonly name: string;
  readonly info: readonly string[];
  readonly init: readonly InitItem[];
  /** One of the two is empty. */
  readonly threads: readonly ThreadSyntax[];
  readonly cThreads: readonly CThreadSyntax[];
  readonly locations: readonly LocationsItem[];
  readonly filter: PropositionSyntax | undefined;
  readonly condition: ConditionSyntax | undefined;
}

/** `P0 (atomic_int *x) { … }` */
export interface CThreadSyntax extends Piece {
  /** The locations that it can access, each under the name of a pointer to it. */
  readonly parameters: readonly CParameter[];
  /** Offset just past the brace that opens its body. */
  readonly body: number;
}

export interface CParameter extends LocationName {
  /** The order of `*x`: seq_cst for an atomic type, as C says. */
  readonly order: 'plain' | 'volatile' | 'seq_cst';
}

/** `0:EAX` or `P0:EAX`. */
export interface RegisterName extends Piece {
  readonly kind: 'register';
  readonly thread: number;
  readonly part: RegisterPart;
}

/** `x`, `[x]` or `a[1]`. */
export interface LocationName extends Piece {
  readonly kind: 'location';
  readonly name: string;
  readonly index: number | undefined;
}

export type Named = RegisterName | LocationName;

export interface NumberSyntax extends Piece {
  readonly kind: 'number';
  readonly value: bigint;
}

/** `x`, `&x` or `a[1]` where a value is expected. */
export interface AddressSyntax extends Piece {
  readonly kind: 'address';
  readonly name: string;
  readonly index: number | undefined;
}

export type ValueSyntax = NumberSyntax | AddressSyntax;

export interface TypeSyntax extends Piece {
  readonly size: number;
  readonly pointer: boolean;
}

export interface InitItem {
  /** A location has no index here: the number in `int a[2]` is the `count`. */
  readonly target: Named;
  readonly type: TypeSyntax | undefined;
  /** Number of elements, for arrays. */
  readonly count: number | undefined;
  /** `count` of them, or one. */
  readonly values: readonly ValueSyntax[] | undefined;
}

export interface LocationsItem {
  readonly target: Named;
  readonly type: TypeSyntax | undefined;
}

export interface ThreadSyntax extends Piece {
  /** Empty cells of the table are left out. */
  readonly cells: readonly Cell[];
}

export interface Cell {
  readonly labels: readonly Piece[];
  readonly instruction: InstructionSyntax | undefined;
}

export interface InstructionSyntax extends Piece {
  readonly lock: Piece | undefined;
  /** In lower case. */
  readonly mnemonic: string;
  /** The mnemonic alone; the instruction itself begins at its `lock` prefix, if it has one. */
  readonly mnemonicPiece: Piece;
  /** In the order written. */
  readonly operands: readonly OperandSyntax[];
}

export interface RegisterSyntax extends Piece {
  readonly kind: 'register';
  readonly part: RegisterPart;
}

/** `[symbol + base + index*scale + displacement]`; at least one of the first three is present. */
export interface MemorySyntax extends Piece {
  readonly kind: 'memory';
  readonly symbol: Piece | undefined;
  readonly base: RegisterSyntax | undefined;
  readonly index: RegisterSyntax | undefined;
  readonly scale: number;
  readonly displacement: number;
  /** Bytes, from `dword ptr` and the like. */
  readonly size: number | undefined;
}

/** A name by itself: a label, or in X86_64 tests the memory at that symbol. */
interface BareName extends Piece {
  readonly kind: 'name';
}

/** Numbers and addresses are immediates: `$1`, `$x`. */
export type OperandSyntax = RegisterSyntax | MemorySyntax | ValueSyntax | BareName;

export type PropositionSyntax =
  | { readonly kind: 'equal'; readonly left: Named; readonly right: ValueSyntax | Named }
  /** `a = {1, 2}`: all elements of an array. */
  | { readonly kind: 'elements'; readonly left: LocationName; readonly values: readonly ValueSyntax[] }
  | { readonly kind: 'not'; readonly operand: PropositionSyntax }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly PropositionSyntax[] }
  | { readonly kind: 'implies'; readonly left: PropositionSyntax; readonly right: PropositionSyntax };

export interface ConditionSyntax extends Piece {
  readonly quantifier: 'exists' | '~exists' | 'forall';
  readonly proposition: PropositionSyntax;
}
