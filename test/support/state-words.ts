import { H_NODE_NEXT, type Layout, NODE_WORDS } from '../../src/machine/state/layout.ts';
import type { State } from '../../src/machine/state/state.ts';

/** A copy of a state without the contents of unused store-buffer entries, which a rollback does not clear. */
export function wordsOf({ state, layout }: { readonly state: State; readonly layout: Layout }): Int32Array {
  const words = state.words.slice();
  const unused = layout.nodes + (words[H_NODE_NEXT]! + 1) * NODE_WORDS;
  return words.fill(0, unused, layout.nodes + (layout.limits.bufferEntries + 1) * NODE_WORDS);
}
