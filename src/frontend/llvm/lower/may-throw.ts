/**
 * Which functions an exception may leave, over all modules of a program: functions that throw outside of a handler, and
 * functions that call such a function outside of one. Definitions of the same name in several files are treated as one,
 * and a call through a pointer may throw. Finding too many functions costs time; finding too few would be wrong.
 *
 * Nothing throws unless the runtime for throwing (`lib/cxx-throw.c`) is part of the program.
 */
import type { LBlock, LFunction, LInstruction, LValue, Module } from '../ir/module.ts';

/** Defined in `lib/cxx-throw.c`: after a call of it, an exception is pending. */
const RAISE = '__fencepost_raise';

/** Functions of our library that call functions of the program and pass their exceptions on. */
const PROPAGATING: ReadonlySet<string> = new Set(['qsort', 'bsearch', 'sift']);

export interface Unwinding {
  /** Whether an exception may leave the callee. */
  mayThrow(module: Module, callee: LValue): boolean;
  /** Whether an exception may leave the function; if not, one that gets to its end ends the program. */
  mayLeave(func: LFunction, isLibrary: boolean): boolean;
}

/** A name that other files can see, or a function that only its own file can see. */
type Key = string | LFunction;

/** Any function called through a pointer. */
const INDIRECT = '*';

export function findThrowing(user: readonly Module[], library: readonly Module[]): Unwinding | undefined {
  if (!library.some(({ functions }) => functions.get(RAISE)?.isDefinition === true)) return undefined;
  const callers = new Map<Key, Key[]>();
  for (const module of user) addCalls(module, false, callers);
  for (const module of library) addCalls(module, true, callers);
  const throwing = new Set<Key>([RAISE, INDIRECT]);
  for (const callee of throwing) for (const caller of callers.get(callee) ?? []) throwing.add(caller);
  return {
    mayThrow: (module, callee) => {
      const key = keyOf(module, callee);
      return key !== undefined && throwing.has(key);
    },
    mayLeave: (func, isLibrary) => !isLibrary || throwing.has(keyOfFunction(func)),
  };
}

function keyOfFunction(func: LFunction): Key {
  return func.isLocal ? func : func.name;
}

/** No exception leaves assembly. */
function keyOf(module: Module, callee: LValue): Key | undefined {
  if (callee.kind !== 'global') return callee.kind === 'asm' ? undefined : INDIRECT;
  const alias = module.aliases.get(callee.name)?.value;
  if (alias !== undefined) return keyOf(module, alias);
  const own = module.functions.get(callee.name);
  return own === undefined ? callee.name : keyOfFunction(own);
}

/** Adds to `callers`, by callee, the functions that an exception leaves if it leaves the callee. */
function addCalls(module: Module, isLibrary: boolean, callers: Map<Key, Key[]>): void {
  for (const func of module.functions.values()) {
    const resumes = func.blocks.some(({ body }) => body.at(-1)?.op === 'resume');
    // Other library functions call functions of the program only at the end of a thread and the like, where no caller
    // can catch.
    const isEnd = isLibrary && !PROPAGATING.has(func.name);
    for (const { body } of func.blocks) {
      for (const i of body) {
        if (i.op !== 'call' && i.op !== 'invoke') continue;
        const key = keyOf(module, i.callee);
        const isLeft = i.op === 'call' ? !(isEnd && key === INDIRECT) : resumes || letsPass(func.blocks, i.unwind);
        if (key === undefined || !isLeft) continue;
        const known = callers.get(key);
        if (known === undefined) callers.set(key, [keyOfFunction(func)]);
        else known.push(keyOfFunction(func));
      }
    }
  }
}

/**
 * Whether exceptions that no clause catches leave the function right here. With clean-up, they leave by `resume` or not
 * at all.
 */
function letsPass(blocks: readonly LBlock[], pad: string): boolean {
  const found = padOf(blocks, pad);
  return found !== undefined && !found.isCleanup && !catchesAll(found);
}

export type LandingPad = LInstruction & { op: 'landingpad' };

export function padOf(blocks: readonly LBlock[], name: string): LandingPad | undefined {
  const block = blocks.find((each) => each.name === name);
  return block?.body.find((i): i is LandingPad => i.op === 'landingpad');
}

export function catchesAll({ clauses }: LandingPad): boolean {
  return clauses.some((clause) => clause.kind === 'catch' && clause.value.kind === 'null');
}
