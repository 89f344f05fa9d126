/** What `verified` does not mean, because the program had nothing of it to check. */
import type { Unchecked } from '../pipelines/model-result.ts';

interface Answer {
  readonly verdict?: string;
  readonly unchecked?: readonly Unchecked[];
  readonly only?: readonly unknown[];
}

/** In sentences, of what all verified results lack. */
export function uncheckedTexts(results: readonly Answer[]): readonly string[] {
  const verified = results.filter(({ verdict }) => verdict === 'verified');
  const lacks = (what: Unchecked): boolean =>
    verified.length > 0 && verified.every(({ unchecked = [] }) => unchecked.includes(what));
  const texts: string[] = [];
  if (lacks('threads')) texts.push('Not checked: no second thread was ever created.');
  if (lacks('assertions')) {
    const isAll = verified.every(({ only }) => only === undefined);
    const looked = lacks('threads') ? 'memory errors and misuse' : 'memory errors, races and deadlocks';
    texts.push(`Not checked: nothing asserts anything${isAll ? `: only ${looked} were looked for` : ''}.`);
  }
  return texts;
}
