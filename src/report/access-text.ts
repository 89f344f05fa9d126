/** An access, as part of a sentence. */
import { asCode } from '../util/code-text.ts';
import type { EventPlace } from './trace-schema.ts';

/** `` `flag[0] = 1`, relaxed ``; whether it was buffered does not matter here. */
export function accessText({ effect }: Pick<EventPlace, 'effect'>): string {
  const [, what = '', order = ''] = /^(.*?)(, (?:volatile|relaxed|consume|acquire|release|acq_rel|seq_cst))?$/s.exec(
    withoutBuffer(effect),
  )!;
  return `${asCode(what)}${order}`;
}

export function withoutBuffer(effect: string): string {
  return effect.replace(/ \(buffered\)/, '');
}
