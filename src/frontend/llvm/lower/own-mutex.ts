/**
 * The size of the program's own `pthread_mutex_t`. A preprocessed file brings the type of another library, which may
 * have no room for all that our library keeps in a mutex (`lib/mutex.c`).
 */
import { FrontendError } from '../ir/frontend-error.ts';

/** Of `pthread_mutex_t` in our headers. */
const FULL_SIZE = 20;
/** Of the mark, which is the first word. */
const LEAST_SIZE = 4;

const TYPEDEF = /DW_TAG_typedef, name: "pthread_mutex_t",.*\bline: (\d+),.*\bbaseType: !(\d+)/g;

/**
 * Whether some mutexes of a file have no room for a kind, according to the debug information of its LLVM IR. Throws a
 * `FrontendError` if they have none for a mark.
 */
export function hasSmallMutex(file: string, ir: string): boolean {
  let isSmall = false;
  for (const [, line, base] of ir.matchAll(TYPEDEF)) {
    const size = sizeOf(ir, base!) ?? FULL_SIZE;
    const reason = `unsupported: a pthread_mutex_t of ${size} bytes; at least ${LEAST_SIZE} are needed`;
    if (size < LEAST_SIZE) throw new FrontendError({ file, line: Number(line), column: 0 }, reason);
    isSmall ||= size < FULL_SIZE;
  }
  return isSmall;
}

/** In bytes. `number`: of a type, which may be a name for another. */
function sizeOf(ir: string, number: string): number | undefined {
  const seen = new Set<string>();
  for (let type = number; !seen.has(type); ) {
    seen.add(type);
    const text = new RegExp(`^!${type} = .*$`, 'm').exec(ir)?.[0] ?? '';
    const size = /\bsize: (\d+)/.exec(text)?.[1];
    if (size !== undefined) return Number(size) / 8;
    type = /\bbaseType: !(\d+)/.exec(text)?.[1] ?? type;
  }
  return undefined;
}
