import { expect, test } from 'vitest';
import { IntVector } from '../util/int-vector.ts';
import { Prng } from '../util/prng.ts';
import { BitRows } from './bit-rows.ts';

const EVENTS = 400;
const PROCESSES = 20;

test.for([0, 1, 7, 40, 128, 399])('clocks from event %s on say what rows of bits say', (from) => {
  const random = new Prng(from + 1);
  const processes: number[] = [];
  const plain = new BitRows();
  const clocks = new BitRows();
  clocks.useClocks(from, (event) => processes[event]!);
  const both = [plain, clocks];
  // Start again from several depths, as a search that backtracks does.
  for (const start of [0, 0, 200, 30, 398]) {
    processes.length = start;
    for (let event = start; event < EVENTS; event++) {
      const process = random.below(PROCESSES);
      const previous = processes.lastIndexOf(process);
      processes.push(process);
      const others = Array.from({ length: random.below(3) }, () => random.below(event + 1)).filter((e) => e < event);
      const preds = [...new Set(previous < 0 ? others : [previous, ...others])];
      const words = new IntVector();
      for (const pred of preds) words.push(2 * pred + random.below(2));
      for (const rows of both) {
        rows.joinPasts(event, words);
        rows.add(event, words);
      }
    }
    for (let second = 0; second < EVENTS; second++)
      for (let first = 0; first < EVENTS; first++)
        if (plain.has(first, second) !== clocks.has(first, second)) expect([start, first, second]).toEqual([]);
    for (let i = 0; i < 200; i++) {
      const bits = Int32Array.from({ length: 13 }, () => (random.below(4) === 0 ? 1 << random.below(32) : 0));
      const event = random.below(EVENTS);
      const word = random.below(13);
      expect(clocks.meets(event, bits, word)).toBe(plain.meets(event, bits, word));
      const events = new IntVector();
      for (let n = random.below(4); n > 0; n--) events.push(random.below(EVENTS));
      const [a, b] = both.map((rows) => {
        const out = new Int32Array(13);
        rows.common(events, EVENTS - 1, out);
        return out;
      });
      expect(b).toEqual(a);
    }
  }
});
