/** G|_E of [TRUST]: a graph without some of its events. */
import type { IntVector } from '../../util/int-vector.ts';
import {
  EXTRA,
  FIELDS,
  KIND,
  LOCATION,
  NEWER,
  NONE,
  OLDER,
  PREVIOUS,
  READ,
  RELEASE_FENCE,
  SOURCE,
  SPAWN,
  WRITE,
} from './fields.ts';
import { CLOCKS, type Graph } from './graph.ts';

/**
 * Keeps the events with a 1 in `kept`, which are closed under po and rf. Fills `moved` with the new number of each
 * event.
 */
export function restrict(graph: Graph, kept: Uint8Array, moved: IntVector): void {
  const { words, clocks, stride, length } = graph;
  moved.clear();
  let count = 0;
  for (let e = 0; e < length; e++) moved.push(kept[e] === 1 ? count++ : NONE);
  // Take the deleted writes out of mo.
  for (let e = 0; e < length; e++) {
    if (kept[e] === 1 || words[e * FIELDS + KIND] !== WRITE) continue;
    graph.unlink(e, words[e * FIELDS + LOCATION]!);
  }
  const rows = CLOCKS * stride;
  for (let e = 0; e < length; e++) {
    const to = moved.words[e]!;
    if (to === NONE) continue;
    if (to !== e) {
      words.copyWithin(to * FIELDS, e * FIELDS, (e + 1) * FIELDS);
      clocks.copyWithin(to * rows, e * rows, (e + 1) * rows);
    }
    renumber(words, to * FIELDS, moved.words);
  }
  graph.length = count;
  graph.index();
}

function renumber(words: Int32Array, base: number, moved: Int32Array): void {
  renumberField(words, base + PREVIOUS, moved);
  renumberField(words, base + OLDER, moved);
  renumberField(words, base + NEWER, moved);
  renumberField(words, base + RELEASE_FENCE, moved);
  const kind = words[base + KIND]!;
  if (kind === READ) renumberField(words, base + SOURCE, moved);
  if (kind !== SPAWN) renumberField(words, base + EXTRA, moved);
}

function renumberField(words: Int32Array, at: number, moved: Int32Array): void {
  const old = words[at]!;
  if (old >= 0) words[at] = moved[old]!;
}
