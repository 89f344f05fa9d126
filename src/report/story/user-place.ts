/** The place of an event as people look for it. */
import type { CallReport, EventReport } from '../trace-schema.ts';

/** Where the user looks for an event: if it happens in a wrapper, at the call of the wrapper. */
export function userPlace({ file, line, text, stack = [] }: EventReport): UserPlace {
  const outside = stack.findIndex((call) => call.wrapper !== true);
  const call = stack[outside];
  if (outside <= 0 || call?.line === undefined) return { ...placed(file, line, text), stack };
  return { ...placed(call.file, call.line, call.text), stack: stack.slice(outside) };
}

interface UserPlace extends Pick<EventReport, 'file' | 'line' | 'text'> {
  readonly stack: readonly CallReport[];
}

function placed(
  file: string | undefined,
  line: number | undefined,
  text: string | undefined,
): Omit<UserPlace, 'stack'> {
  return {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(text === undefined ? {} : { text }),
  };
}
