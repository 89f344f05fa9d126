/**
 * [NIDHUGG] Fig. 5 to 7. p: `x := 1; $r := x`, q: `x := 2`. Any execution has two updates of x and one load, "those
 * accesses can be permuted in six different ways" (Sect. 2), of which only three can be told apart.
 */
import { describe, expect, it } from 'vitest';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { explore } from '../../src/explore/explore.ts';
import * as ev from '../../src/machine/events/event.ts';
import { Machine } from '../../src/machine/machine.ts';
import { traceKey } from '../../src/trace/trace-key.ts';
import { buildProgram, load, store } from '../support/sketch.ts';

const x = 0;
const program = buildProgram([[store(x, 1), load(x)], [store(x, 2)]]);

/** The order of load, p's update and q's update in every TSO execution, with its trace. */
function permutations(): Map<string, string> {
  const machine = new Machine(program, 'tso');
  const found = new Map<string, string>();
  explore(machine, new Exhaustive(), {
    onExecution: () => {
      const order: string[] = [];
      for (let e = 0; e < machine.depth; e++) {
        const kind = machine.events.get(e, ev.E_KIND);
        const forwarded = (machine.events.get(e, ev.E_FLAGS) & ev.FORWARDED) !== 0;
        if (kind === ev.LOAD_EVENT) order.push(forwarded ? 'forward' : 'load');
        if (kind === ev.UPDATE_EVENT) order.push('pq'[machine.events.get(e, ev.E_THREAD)]!);
      }
      const key = traceKey(machine);
      // The positions of the stores between these make no difference.
      expect(found.get(order.join(' ')) ?? key).toBe(key);
      found.set(order.join(' '), key);
    },
  });
  return found;
}

describe('NIDHUGG Fig. 5', () => {
  const found = permutations();

  it('has all six permutations under TSO; the load forwards exactly if its own update is still to come', () => {
    expect([...found.keys()].toSorted()).toEqual(
      ['forward p q', 'forward q p', 'p load q', 'p q load', 'q forward p', 'q p load'].toSorted(),
    );
  });

  it('has three traces: those of Fig. 6 (a) to (c) are the one of Fig. 7, and the others are two more', () => {
    // q's update is hidden from the load by p's, which comes later in store order: forwarded, forwarded, from memory.
    const fig7 = found.get('forward q p');
    expect(found.get('q forward p')).toBe(fig7);
    expect(found.get('q p load')).toBe(fig7);
    // The load reads 1, which q then overwrites; Fig. 8 (a).
    expect(found.get('p load q')).toBe(found.get('forward p q'));
    // The load reads 2; this is the remaining third trace; Fig. 8 (b).
    expect(new Set(found.values()).size).toBe(3);
    expect(new Set([fig7, found.get('forward p q'), found.get('p q load')]).size).toBe(3);
  });
});
