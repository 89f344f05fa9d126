/** The table of events against the machine: every event waited for and wrote what the table says. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { explore } from '../../src/explore/explore.ts';
import { axiomsOf } from '../../src/explore/graph/axioms.ts';
import { GraphSearch } from '../../src/explore/graph/search.ts';
import {
  accessOf,
  BUFFERED,
  BYTES,
  COMMITS,
  DRAINS,
  EFFECTS,
  EVENT_NAMES,
  effectsOf,
  NO_WAIT,
  OBJECT,
  WRITES,
  waitOf,
} from '../../src/machine/events/effects.ts';
import * as ev from '../../src/machine/events/event.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelNamed, operationalModels } from '../../src/models/index.ts';
import type { Program } from '../../src/program/ir.ts';
import { ORDERS } from '../../src/program/types.ts';
import { Prng } from '../../src/util/prng.ts';
import { everything, forAllSketches } from '../support/for-all.ts';
import { buildProgram, cas, rmw, store } from '../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../support/sync-sketch.ts';

const KINDS = Object.entries(ev).filter(([name]) => name.endsWith('_EVENT')) as [string, number][];
const seen = new Set<number>();

it('has a row for every kind, with a unique name', () => {
  const names = KINDS.map(([name, kind]) => ({ name, kind, row: EVENT_NAMES[kind], does: EFFECTS[kind] }));
  for (const { name, kind, row, does } of names) {
    expect(row, name).toBe(name.slice(0, -'_EVENT'.length).replace('_', ' ').toLowerCase());
    // A lifetime does nothing by itself.
    if (kind !== ev.LIFETIME_EVENT) expect(does, name).toBeGreaterThan(0);
  }
  expect(EVENT_NAMES.length).toBe(KINDS.length + 1);
});

/** Takes random steps, and compares each event with the table. */
function follow(program: Program, model: Model, seed: number): void {
  const machine = new Machine(program, model, program.roots.length === 1 ? { threads: 6 } : {});
  const prng = new Prng(seed);
  const before = new Map<number, number>();
  for (let count = machine.enabled(); count > 0 && machine.depth < 200; count = machine.enabled()) {
    for (const slot of machine.processes.slotsInNameOrder) before.set(slot, machine.memory.pending(slot).length);
    machine.step(machine.steps.get(prng.below(count)));
    check(machine, machine.depth - 1, before);
  }
}

function check(machine: Machine, event: number, before: ReadonlyMap<number, number>): void {
  const { events, memory, description } = machine;
  const { words } = events;
  const at = event * ev.EVENT_WORDS;
  const does = effectsOf(events, event);
  const thread = events.get(event, ev.E_THREAD);
  const name = EVENT_NAMES[events.get(event, ev.E_KIND)]!;
  seen.add(events.get(event, ev.E_KIND));
  const pending = memory.pending(thread);
  const wrote = (events.get(event, ev.E_FLAGS) & ev.WROTE_MEMORY) !== 0;
  const writes = (accessOf(words, at) & WRITES) !== 0;
  if (wrote) expect([(does & BYTES) !== 0, writes], name).toEqual([true, true]);
  if (writes && (does & OBJECT) === 0) {
    const isBuffered = (does & BUFFERED) !== 0 && description.buffers !== 'none';
    expect(wrote, name).toBe(!isBuffered);
  }
  if ((does & COMMITS) !== 0) return expect(pending.length, name).toBe(before.get(thread)! - 1);
  const wait = waitOf(words, at);
  if (wait === NO_WAIT) return;
  if (wait === DRAINS || description.atomicsWaitFor === 'all') return expect(pending, name).toEqual([]);
  const start = events.get(event, ev.E_ADDRESS);
  const end = start + Math.max(1, events.get(event, ev.E_SIZE));
  expect(
    pending.filter((p) => p.address < end && start < p.address + p.size),
    name,
  ).toEqual([]);
}

it.each(operationalModels())('says what happened under %s', (model) => {
  forAllSketches({ ...everything, threads: 3, totalOps: 8, locations: 3 }, 150, (sketch, seed) => {
    follow(buildProgram(sketch), model, seed);
  });
  fc.assert(
    fc.property(
      syncSketches({ atomic: true }).map((sketch) => ({ sketch, toString: () => printSyncSketch(sketch) })),
      fc.nat(),
      ({ sketch }, seed) => follow(buildSyncProgram(sketch), model, seed),
    ),
    { numRuns: 100 },
  );
});

it.each(['rc11', 'tso by graphs'])('waits for nothing under %s, whatever a placed event follows', (how) => {
  // More writes than there are orders: `E_FOLLOWS` is no order.
  const sketch = [Array.from({ length: 12 }, () => rmw('add', 0, 1)), [store(0, 7, 'relaxed'), cas(0, 7, 1)]];
  const graphs = how !== 'rc11';
  const machine = new Machine(buildProgram(sketch), graphs ? 'tso' : 'rc11', {}, { graphs });
  let [placed, farthest] = [0, 0];
  explore(machine, new GraphSearch(machine, axiomsOf(modelNamed(machine.model))), {
    maxExecutions: 20,
    onExecution: ({ events }) => {
      for (let e = 0; e < events.length; e++) {
        if ((events.get(e, ev.E_FLAGS) & ev.PLACED) === 0) continue;
        placed++;
        farthest = Math.max(farthest, events.get(e, ev.E_FOLLOWS));
        expect(waitOf(events.words, e * ev.EVENT_WORDS)).toBe(NO_WAIT);
      }
    },
  });
  expect(placed).toBeGreaterThan(100);
  expect(farthest).toBeGreaterThan(ORDERS.length);
});

it('covered most kinds', () => {
  expect(seen.size).toBeGreaterThanOrEqual(14);
});
