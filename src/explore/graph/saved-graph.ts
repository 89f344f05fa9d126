/** A graph as words, so that the search can come back to it. */
import { type IntVector, larger } from '../../util/int-vector.ts';
import { FIELDS } from './fields.ts';
import { CLOCKS, type Graph } from './graph.ts';

/** Appends all events to `to`. */
export function saveGraph({ words, clocks, stride, length }: Graph, to: IntVector): void {
  to.push(length);
  to.push(stride);
  to.append(words, 0, length * FIELDS);
  to.append(clocks, 0, length * CLOCKS * stride);
}

/** Reads what `saveGraph` has written from word `at` on; returns where it ends. */
export function restoreGraph(graph: Graph, from: Int32Array, at: number): number {
  const length = from[at]!;
  const stride = from[at + 1]!;
  const clocks = at + 2 + length * FIELDS;
  const end = clocks + length * CLOCKS * stride;
  while (graph.words.length < length * FIELDS) graph.words = larger(graph.words);
  graph.words.set(from.subarray(at + 2, clocks));
  while (graph.clocks.length < length * CLOCKS * graph.stride) graph.clocks = larger(graph.clocks);
  if (stride === graph.stride) graph.clocks.set(from.subarray(clocks, end));
  else copyClocks(graph, from, clocks, length * CLOCKS, stride);
  graph.length = length;
  graph.index();
  return end;
}

/** Clocks get wider when a thread is added. */
function copyClocks(graph: Graph, from: Int32Array, at: number, rows: number, stride: number): void {
  for (let row = 0; row < rows; row++) {
    for (let t = 0; t < graph.stride; t++) {
      graph.clocks[row * graph.stride + t] = t < stride ? from[at + row * stride + t]! : 0;
    }
  }
}
