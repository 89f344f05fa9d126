/**
 * An LLVM module as the reader (`reader.ts`) understands it: textual IR of clang 15 or newer (opaque pointers), as
 * plain data. Names are without their sigils: local `%5` is "5", global `@flag` is "flag". What clang writes but we do
 * not need (attributes, alignment of functions, linkage details) is omitted; what we cannot model is refused by
 * `lower.ts`, with its place, not here.
 */

export type LType =
  | {
      readonly kind:
        | 'void'
        | 'ptr'
        | 'float'
        | 'double'
        | 'x86_fp80'
        | 'fp128'
        | 'half'
        | 'label'
        | 'metadata'
        | 'opaque';
    }
  | { readonly kind: 'int'; readonly bits: number }
  | { readonly kind: 'array'; readonly count: number; readonly element: LType }
  | { readonly kind: 'vector'; readonly count: number; readonly element: LType }
  | { readonly kind: 'struct'; readonly fields: readonly LType[]; readonly packed: boolean }
  /** `%struct.node`; look it up in `Module.types`. */
  | { readonly kind: 'named'; readonly name: string }
  | {
      readonly kind: 'function';
      readonly result: LType;
      readonly parameters: readonly LType[];
      readonly variadic: boolean;
    }
  /**
   * Known only by its text, for `lower.ts` to refuse: `ptr addrspace(256)`, `<vscale x 4 x i32>`, `token`, `bfloat`.
   */
  | { readonly kind: 'other'; readonly text: string };

export type LValue =
  | { readonly kind: 'local'; readonly name: string }
  | { readonly kind: 'global'; readonly name: string }
  /** As written: for `i8`, both -1 and 255 can occur. */
  | { readonly kind: 'int'; readonly value: bigint }
  /** Also for hexadecimal float constants (`0x3FF0000000000000`), decoded. */
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'null' | 'zero' | 'undef' | 'poison' }
  /** `c"ab\00"` */
  | { readonly kind: 'string'; readonly bytes: Uint8Array }
  /** Constant arrays, structs and vectors. */
  | { readonly kind: 'aggregate'; readonly elements: readonly TypedValue[] }
  | { readonly kind: 'blockaddress'; readonly function: string; readonly block: string }
  | { readonly kind: 'gep'; readonly source: LType; readonly operands: readonly TypedValue[] }
  /** Constant cast: `ptrtoint (ptr @x to i32)`, `inttoptr`, `bitcast`, `trunc`, `addrspacecast`. */
  | { readonly kind: 'cast'; readonly operator: string; readonly operand: TypedValue; readonly to: LType }
  /** Constant binary expression: `add`, `sub`, `xor`, … */
  | { readonly kind: 'binary'; readonly operator: string; readonly left: TypedValue; readonly right: TypedValue }
  | { readonly kind: 'compare'; readonly predicate: string; readonly left: TypedValue; readonly right: TypedValue }
  | {
      readonly kind: 'asm';
      readonly text: string;
      readonly constraints: string;
      readonly sideEffect: boolean;
      /** Uses Intel's syntax. */
      readonly isIntel?: true;
    }
  /** Any other constant expression, and metadata passed to an intrinsic, for `lower.ts` to refuse. */
  | { readonly kind: 'unsupported'; readonly text: string };

export interface TypedValue {
  readonly type: LType;
  readonly value: LValue;
}

/** An argument or parameter, with the attributes that affect how it is passed. */
export interface Argument extends TypedValue {
  /** A copy of the object it points to is passed. */
  readonly byval?: LType;
  readonly sret?: LType;
  /** What a pointer argument of inline assembly points to. */
  readonly elementtype?: LType;
  /** The `align 4` of a pointer argument. */
  readonly align?: number;
}

export interface Place {
  readonly file: string;
  readonly line: number;
  /** 0 if the debug info does not say. */
  readonly column: number;
}

interface Common {
  /** Name of the result, if it has one. */
  readonly result?: string;
  /**
   * The place in the source, from `!dbg`: the innermost one if inlined, except for system headers. Absent for line 0.
   */
  readonly place?: Place;
  /** Line in the .ll text, for messages about instructions without a place. */
  readonly textLine: number;
  /** The numbers of its DILocation and of what `!llvm.loop` refers to, if requested (`block-marks.ts`). */
  readonly at?: number;
  readonly loop?: number;
  /** Local variables, by the names of their allocas, that are declared immediately before it; not parameters. */
  readonly declares?: readonly string[];
}

export type LOrder = 'unordered' | 'monotonic' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst';

/** `align` is 0 if the text gives none: the data layout then decides. */
export type LOperation =
  | { readonly op: 'alloca'; readonly type: LType; readonly count?: TypedValue; readonly align: number }
  | {
      readonly op: 'load';
      readonly type: LType;
      readonly address: LValue;
      readonly volatile: boolean;
      readonly order?: LOrder;
      readonly align: number;
    }
  | {
      readonly op: 'store';
      readonly value: TypedValue;
      readonly address: LValue;
      readonly volatile: boolean;
      readonly order?: LOrder;
      readonly align: number;
    }
  | { readonly op: 'fence'; readonly order: LOrder; readonly singleThread: boolean }
  | {
      readonly op: 'cmpxchg';
      readonly weak: boolean;
      readonly volatile: boolean;
      readonly address: LValue;
      readonly expected: TypedValue;
      readonly desired: TypedValue;
      readonly order: LOrder;
      readonly failureOrder: LOrder;
    }
  | {
      readonly op: 'atomicrmw';
      readonly operator: string;
      readonly volatile: boolean;
      readonly address: LValue;
      readonly value: TypedValue;
      readonly order: LOrder;
    }
  | { readonly op: 'gep'; readonly source: LType; readonly base: TypedValue; readonly indices: readonly TypedValue[] }
  /** add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem; flags (nsw, …) are dropped. */
  | {
      readonly op: 'binary';
      readonly operator: string;
      readonly type: LType;
      readonly left: LValue;
      readonly right: LValue;
    }
  | { readonly op: 'fneg'; readonly type: LType; readonly value: LValue }
  /** icmp and fcmp; `predicate` is as written, without the family. */
  | {
      readonly op: 'icmp' | 'fcmp';
      readonly predicate: string;
      readonly type: LType;
      readonly left: LValue;
      readonly right: LValue;
    }
  | {
      readonly op: 'cast';
      readonly operator: string;
      readonly from: LType;
      readonly value: LValue;
      readonly to: LType;
    }
  | {
      readonly op: 'select';
      readonly condition: TypedValue;
      readonly ifTrue: TypedValue;
      readonly ifFalse: TypedValue;
    }
  | {
      readonly op: 'phi';
      readonly type: LType;
      readonly incoming: readonly { readonly value: LValue; readonly block: string }[];
    }
  | { readonly op: 'freeze'; readonly type: LType; readonly value: LValue }
  | { readonly op: 'extractvalue'; readonly aggregate: TypedValue; readonly indices: readonly number[] }
  | {
      readonly op: 'insertvalue';
      readonly aggregate: TypedValue;
      readonly value: TypedValue;
      readonly indices: readonly number[];
    }
  | { readonly op: 'extractelement'; readonly vector: TypedValue; readonly index: TypedValue }
  | {
      readonly op: 'insertelement';
      readonly vector: TypedValue;
      readonly value: TypedValue;
      readonly index: TypedValue;
    }
  | {
      readonly op: 'shufflevector';
      readonly left: TypedValue;
      readonly right: TypedValue;
      readonly mask: TypedValue;
    }
  | { readonly op: 'va_arg'; readonly list: TypedValue; readonly type: LType }
  | {
      readonly op: 'call';
      readonly type: LType;
      readonly variadic: boolean;
      /** The number of parameters before `...` in the type that the call is written with, if there is one. */
      readonly fixedParameters?: number;
      readonly callee: LValue;
      readonly arguments: readonly Argument[];
    }
  /** A call that continues with block `unwind` if an exception leaves the callee. */
  | {
      readonly op: 'invoke';
      readonly type: LType;
      readonly variadic: boolean;
      readonly fixedParameters?: number;
      readonly callee: LValue;
      readonly arguments: readonly Argument[];
      readonly normal: string;
      readonly unwind: string;
    }
  /** The beginning of an `unwind` block. `isCleanup`: the block runs whatever the clauses say. */
  | {
      readonly op: 'landingpad';
      readonly type: LType;
      readonly clauses: readonly LandingClause[];
      readonly isCleanup: boolean;
    }
  /** The exception leaves the function. */
  | { readonly op: 'resume'; readonly value: TypedValue }
  | { readonly op: 'ret'; readonly value?: TypedValue }
  | { readonly op: 'br'; readonly target: string }
  | { readonly op: 'condbr'; readonly condition: LValue; readonly ifTrue: string; readonly ifFalse: string }
  | {
      readonly op: 'switch';
      readonly value: TypedValue;
      readonly default: string;
      readonly cases: readonly { readonly value: bigint; readonly target: string }[];
    }
  | { readonly op: 'indirectbr'; readonly address: LValue; readonly targets: readonly string[] }
  | { readonly op: 'unreachable' }
  /** Anything else, for `lower.ts` to refuse with its place. */
  | { readonly op: 'unsupported'; readonly text: string };

/** Types that are caught (null: any), or the only types that may pass. */
export type LandingClause =
  | { readonly kind: 'catch'; readonly value: LValue }
  | { readonly kind: 'filter'; readonly values: readonly LValue[] };

export type LInstruction = Common & LOperation;

export interface LBlock {
  /** Unnamed entry blocks get the number LLVM gives them. */
  readonly name: string;
  readonly body: readonly LInstruction[];
}

export interface LParameter {
  readonly name: string;
  readonly type: LType;
  readonly byval?: LType;
  readonly sret?: LType;
}

export interface LFunction {
  readonly name: string;
  readonly result: LType;
  readonly parameters: readonly LParameter[];
  readonly variadic: boolean;
  /** `internal` or `private`: visible only in its own module. */
  readonly isLocal: boolean;
  /** `weak`, `linkonce`, `available_externally`, …: another definition takes precedence. */
  readonly isWeak: boolean;
  /** `available_externally`: the actual definition is elsewhere, perhaps in our library. */
  readonly isCopy?: true;
  /** Whether it has blocks; for functions of our library, accessing `blocks` reads them. */
  readonly isDefinition: boolean;
  /** Empty for a declaration. */
  readonly blocks: readonly LBlock[];
  /** Its name in the source and the place of its definition, from its DISubprogram. */
  readonly sourceName?: string;
  readonly place?: Place;
  /** From `llvm.dbg.declare` / `#dbg_declare`: maps a local (the name of an alloca or parameter) to its variable. */
  readonly variables: ReadonlyMap<string, Variable>;
}

/** Another name for a symbol; `unsupported` if the symbol is chosen when the program starts. */
export interface LAlias {
  readonly value: LValue;
  readonly isLocal: boolean;
  readonly isWeak: boolean;
}

export interface Variable {
  readonly name: string;
  /** The source name of the function that declares it; absent for variables at file level. */
  readonly scope?: string;
  readonly type?: DType;
  readonly place?: Place;
  /** Belongs to a function in a system header that clang has inlined. */
  readonly isInlined?: true;
  readonly isParameter?: true;
}

export interface LGlobal {
  readonly name: string;
  readonly type: LType;
  /** Absent for `external` declarations. */
  readonly init?: LValue;
  readonly align: number;
  readonly isConstant: boolean;
  readonly isThreadLocal: boolean;
  readonly isLocal: boolean;
  /** `weak`, `linkonce`, `common`, …: another definition takes precedence. */
  readonly isWeak: boolean;
  /** From its DIGlobalVariable. For a static local, `name` is the plain name and `scope` the function. */
  readonly variable?: Variable;
}

/**
 * Types from the debug info, as far as they help to name what is accessed. `members` are computed lazily, as types can
 * be recursive.
 */
export type DType =
  | { readonly kind: 'base'; readonly name: string; readonly bits: number; readonly encoding: string }
  | { readonly kind: 'pointer'; readonly bits: number; readonly target: () => DType | undefined }
  | {
      readonly kind: 'array';
      readonly element: () => DType | undefined;
      readonly counts: readonly (number | undefined)[];
    }
  | {
      readonly kind: 'struct' | 'union';
      readonly name: string;
      readonly members: () => readonly DMember[];
      readonly bits: number;
    }
  | { readonly kind: 'enum'; readonly name: string; readonly bits: number }
  | { readonly kind: 'function' | 'other'; readonly name: string };

export interface DMember {
  readonly name: string;
  readonly bitOffset: number;
  readonly bits: number;
  readonly isBitField: boolean;
  readonly type?: DType;
}

export interface Module {
  /** For C++: jumping back past a declaration ends the variable; in C it does not. */
  readonly isCxx?: true;
  readonly file: string;
  readonly sourceFile: string;
  readonly dataLayout: string;
  readonly triple: string;
  readonly types: ReadonlyMap<string, LType>;
  readonly globals: ReadonlyMap<string, LGlobal>;
  readonly functions: ReadonlyMap<string, LFunction>;
  /** `@alias = alias …` */
  readonly aliases: ReadonlyMap<string, LAlias>;
  /** Module-level inline assembly, for `lower.ts` to refuse. */
  readonly moduleAsm: readonly string[];
  /** `llvm.global_ctors` and `llvm.global_dtors` are ordinary globals here. */
}
