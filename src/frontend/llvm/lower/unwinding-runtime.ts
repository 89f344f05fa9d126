/** The functions of our library to which `unwinding.ts` adds calls. */
import type { LOperation, LType, LValue } from '../ir/module.ts';

/** In `lib/cxx-catch.c`, `lib/cxx-throw.c` and `lib/cxx-exit.c`. */
const RUNTIME = {
  isThrowing: '__fencepost_is_throwing',
  enter: '__fencepost_enter',
  leave: '__fencepost_leave',
  land: '__fencepost_land',
  select: '__fencepost_select',
  passes: '__fencepost_passes',
  resume: '__fencepost_resume',
  uncaught: '__fencepost_uncaught',
  note: '__fencepost_note_throw',
  leavesNoexcept: '__fencepost_leaves_noexcept',
  leavesOnce: '__fencepost_leaves_once',
  guard: '__fencepost_guard',
  unguard: '__fencepost_unguard',
} as const;

/**
 * Defined in `lib/cxx-exit.c`. Marks calls after which code would run if `pthread_exit` ended the thread inside them.
 */
export const GUARD: string = RUNTIME.guard;

/** Stands for a catch-all in the list of types. */
export const ANY = '__fencepost_any';

/** These handle exceptions, and no exception leaves them. */
export const IS_RUNTIME: ReadonlySet<string> = new Set(Object.values(RUNTIME));

export function runtime(
  name: keyof typeof RUNTIME,
  type: LType,
  args: readonly (readonly [LType, LValue])[] = [],
): LOperation {
  return {
    op: 'call',
    type,
    variadic: false,
    callee: { kind: 'global', name: RUNTIME[name] },
    arguments: args.map(([of, value]) => ({ type: of, value })),
  };
}
