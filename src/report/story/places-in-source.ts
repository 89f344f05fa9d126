/** Places in the user's files, in the form of reports. */
import type { EventDescription } from '../../machine/describe/describe.ts';
import type { Location } from '../../program/location.ts';
import type { SourcePlace } from '../schema.ts';
import type { SourceLines } from '../source-lines.ts';
import type { EventPlace } from '../trace-schema.ts';

/** A place with the text of its line or, if that cannot be read, the text that the front-end recorded. */
export function sourcePlace({ file, line, column, variable, ...known }: Location, source?: SourceLines): SourcePlace {
  const text = source?.(file, line) ?? known.text;
  return {
    file,
    line,
    column,
    ...(variable === undefined ? {} : { variable }),
    ...(text === undefined ? {} : { text }),
  };
}

export function eventPlace({ name, thread, effect, source }: EventDescription): EventPlace {
  return {
    event: name,
    thread,
    effect,
    ...(source === undefined ? {} : { file: source.file, line: source.line }),
  };
}
