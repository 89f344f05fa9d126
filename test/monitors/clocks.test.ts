/** The clocks against transitive closures, by brute force, on executions of generated programs. */
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { explore } from '../../src/explore/explore.ts';
import { SEQ_CST } from '../../src/machine/code/order.ts';
import * as ev from '../../src/machine/events/event.ts';
import { EventClock } from '../../src/monitor/event-clock.ts';
import { Sober } from '../../src/monitor/sober.ts';
import { SoberFixed } from '../../src/monitor/sober-fixed.ts';
import { ShashaSnirTrace } from '../../src/trace/shasha-snir.ts';
import { everything, forAllSketches } from '../support/for-all.ts';
import { machineFor } from '../support/monitoring.ts';
import { buildProgram, type Sketch } from '../support/sketch.ts';

type Relation = boolean[][];

/** Calls `visit` at the end of every execution that `optimal` visits. */
function forEachExecution(sketch: Sketch, visit: (events: ev.EventLog, parts: Parts) => void): void {
  const machine = machineFor(buildProgram(sketch), 'sc');
  const clock = new EventClock(machine.events);
  const [sober, fixed] = [new Sober(clock), new SoberFixed(clock)];
  const all = [clock, sober, fixed];
  explore(machine, new MachineDpor(machine, 'optimal'), {
    followers: [
      {
        observe: (event): void => all.forEach((part) => void part.observe(event)),
        rollback: (depth): void => all.forEach((part) => void part.rollback(depth)),
      },
    ],
    onExecution: () => {
      const trace = new ShashaSnirTrace(machine.events, machine.processes);
      visit(machine.events, { clock, sober, fixed, trace });
    },
  });
}

interface Parts {
  readonly clock: EventClock;
  readonly sober: Sober;
  readonly fixed: SoberFixed;
  readonly trace: ShashaSnirTrace;
}

/** Reflexive and transitive closure of pairs that only go forward. */
function closure(size: number, isEdge: (from: number, to: number) => boolean): Relation {
  const reaches: Relation = [];
  for (let to = 0; to < size; to++) {
    reaches.push(Array.from({ length: size }, (_, from) => from === to));
    for (let middle = 0; middle < to; middle++) {
      if (!isEdge(middle, to)) continue;
      for (let from = 0; from <= middle; from++) if (reaches[middle]![from]!) reaches[to]![from] = true;
    }
  }
  return reaches;
}

describe('vector clocks', () => {
  const options = { ...everything, threads: 3, totalOps: 8, locations: 2 };

  it('of happens-before equal the closure of the edges of the trace', () => {
    forAllSketches(options, 90, (sketch) =>
      forEachExecution(sketch, (events, { clock, trace }) => {
        const edges = new Set<number>();
        trace.forEachEdge((from, to) => edges.add(from * 1000 + to));
        for (const thread of trace.threads) thread.slice(1).forEach((e, i) => void edges.add(thread[i]! * 1000 + e));
        const reaches = closure(events.length, (from, to) => edges.has(from * 1000 + to));
        for (let to = 0; to < events.length; to++) {
          for (let from = 0; from <= to; from++) expect(clock.happensBefore(from, to)).toBe(reaches[to]![from]);
        }
      }),
    );
  });

  it.each(['sober', 'fixed'] as const)("of %s equal the closure of [SOBER]'s relaxed happens-before", (which) => {
    forAllSketches(options, 90, (sketch) =>
      forEachExecution(sketch, (events, parts) => {
        const kind = (e: number): number => events.get(e, ev.E_KIND);
        const writes = (e: number): boolean => (events.get(e, ev.E_FLAGS) & ev.WROTE_MEMORY) !== 0;
        const isFull = (e: number): boolean =>
          kind(e) === ev.RMW_EVENT || (kind(e) === ev.FENCE_EVENT && events.get(e, ev.E_ORDER) === SEQ_CST);
        const counts = (e: number): boolean => [ev.LOAD_EVENT, ev.STORE_EVENT].includes(kind(e)) || isFull(e);
        const isForwarded = (load: number): boolean =>
          kind(load) === ev.LOAD_EVENT &&
          parts.trace.sourcesOf(load).some((w) => w >= 0 && kind(w) === ev.STORE_EVENT && sameThread(events, w, load));
        const reaches = closure(events.length, (from, to) => {
          if (!counts(from) || !counts(to)) return false;
          if (sameThread(events, from, to)) return kind(from) !== ev.STORE_EVENT || kind(to) !== ev.LOAD_EVENT;
          const sameLocation = kind(from) !== ev.FENCE_EVENT && kind(to) !== ev.FENCE_EVENT;
          if (!sameLocation || events.get(from, ev.E_ADDRESS) !== events.get(to, ev.E_ADDRESS)) return false;
          if (!writes(from) && !writes(to)) return false;
          // The correction.
          return which === 'sober' || !isForwarded(to);
        });
        const { rows } = parts[which];
        const precedes = (from: number, to: number): boolean => {
          for (let t = 0; t < parts.clock.width; t++) {
            for (const lane of [0, 1]) if (rows.get(from, t, lane) > rows.get(to, t, lane)) return false;
          }
          return true;
        };
        for (let to = 0; to < events.length; to++) {
          if (!counts(to)) continue;
          for (let from = 0; from <= to; from++) {
            if (counts(from)) expect(precedes(from, to), `${from} ${to}`).toBe(reaches[to]![from]);
          }
        }
      }),
    );
  });
});

function sameThread(events: ev.EventLog, a: number, b: number): boolean {
  return events.get(a, ev.E_THREAD) === events.get(b, ev.E_THREAD);
}
