/** Explains why a thread may not unlock a mutex: it never locked it, has unlocked it already, or failed to lock it. */
import { asCode } from '../../util/code-text.ts';
import type { ErrorReport } from '../schema.ts';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { isLocking } from './held-locks.ts';
import { userPlace } from './user-place.ts';

/** Empty if the error is another one, or if the events do not say why. */
export function unlockText({ events }: TraceReport, { message }: Pick<ErrorReport, 'message'>): readonly string[] {
  const last = events.at(-1);
  if (!/^unlock of a mutex that the thread does not hold/.test(message) || last?.kind !== 'unlock') return [];
  const { thread, address, location } = last;
  const isOfFiles = new Set(events.flatMap(({ file }) => file ?? [])).size > 1;
  const at = (event: EventReport): string => {
    const { file, line } = userPlace(event);
    if (line === undefined) return '';
    return ` (${isOfFiles ? `${file?.split('/').at(-1)}:` : 'line '}${line})`;
  };
  const earlier = events.slice(0, -1).filter((event) => event.thread === thread && event.address === address);
  const before = earlier.findLast(({ kind }) => /^(?:lock|trylock|unlock)$/.test(kind));
  const mutex = asCode(location ?? '');
  const why = (text: string): string => `Why: ${text}${at(last)}.`;
  if (before === undefined) {
    return [
      why(`thread ${thread} has not locked ${mutex}, and unlocks it`),
      'To prevent it, unlock a mutex only in the thread that has locked it.',
    ];
  }
  if (before.kind === 'unlock')
    return [why(`thread ${thread} has unlocked ${mutex} already${at(before)}, and unlocks it again`)];
  if (isLocking(before)) return [];
  const held = before.other === undefined ? '' : `: thread ${before.other} held the mutex`;
  return [
    why(`thread ${thread}'s trylock of ${mutex} failed${at(before)}${held}. Thread ${thread} unlocks it all the same`),
    'To prevent it, unlock the mutex only if the trylock succeeded, that is, returned 0.',
  ];
}
