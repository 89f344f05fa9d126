/**
 * Every alarm on a log has a witness: a cycle whose edges are in the log, and an execution that is possible on a simple
 * machine with store buffers, with the log's order of conflicting accesses, except for the event that comes early.
 */
import { describe, expect, it } from 'vitest';
import * as ev from '../../src/machine/events/event.ts';
import { Excerpts } from '../../src/monitor/log/excerpts.ts';
import { emptyEvent, type LogEvent, NOBODY, SUCCEEDED, WROTE } from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import type { LoggedViolation, Witness } from '../../src/monitor/log/violation.ts';
import { ORDERS } from '../../src/program/types.ts';
import { Prng } from '../../src/util/prng.ts';
import { fencepost } from '../support/fencepost.ts';
import { ALL_MONITORS } from '../support/monitoring.ts';
import { floor, SEED, samples } from '../support/tier.ts';

const SEQ_CST = ORDERS.indexOf('seq_cst');
const MUTEX = 0x100;

function entry(fields: Partial<LogEvent>): LogEvent {
  return { ...emptyEvent(), order: 0, flags: WROTE | SUCCEEDED, other: NOBODY, ...fields };
}

function randomRun(prng: Prng, sizes: readonly number[], hasSections: boolean): readonly LogEvent[] {
  const run: LogEvent[] = [];
  const threads = 2 + prng.below(3);
  let [holder, section] = [-1, -1];
  while (run.length < 24) {
    const thread = section < 0 ? prng.below(threads) : section;
    const size = sizes[prng.below(sizes.length)]!;
    const place = { thread, address: 0x1000 + 4 * prng.below(3), size };
    const kind = prng.below(24);
    if (kind < 10) run.push(entry({ operation: ev.STORE_EVENT, ...place }));
    else if (kind < 20) run.push(entry({ operation: ev.LOAD_EVENT, ...place }));
    else if (kind < 21) run.push(entry({ operation: ev.RMW_EVENT, ...place }));
    else if (kind < 22) run.push(entry({ operation: ev.FENCE_EVENT, thread, order: SEQ_CST }));
    else if (hasSections && (section >= 0 || kind < 23)) {
      const operation = section < 0 ? ev.BEGIN_ATOMIC_EVENT : ev.END_ATOMIC_EVENT;
      run.push(entry({ operation, thread }));
      section = section < 0 ? thread : -1;
    } else if (holder < 0) {
      holder = thread;
      run.push(entry({ operation: ev.LOCK_EVENT, thread, address: MUTEX }));
    } else {
      run.push(entry({ operation: ev.UNLOCK_EVENT, thread: holder, address: MUTEX }));
      holder = -1;
    }
  }
  // Each event has its own place.
  return run.map((e, i) => ({ ...e, site: i + 1 }));
}

function witnessed(run: readonly LogEvent[]): readonly LoggedViolation[] {
  const stream = new StreamMonitor(ALL_MONITORS);
  for (const e of run) stream.event({ ...e });
  const excerpts = new Excerpts(stream.violations);
  for (const e of run) if (!excerpts.isComplete) excerpts.event({ ...e });
  return excerpts.witnessed;
}

const isData = ({ operation }: LogEvent): boolean =>
  [ev.STORE_EVENT, ev.LOAD_EVENT, ev.RMW_EVENT].includes(operation as never);
const writes = ({ operation }: LogEvent): boolean => operation !== ev.LOAD_EVENT;
const overlap = (a: LogEvent, b: LogEvent): boolean => a.address < b.address + b.size && b.address < a.address + a.size;
const covers = (a: LogEvent, b: LogEvent): boolean =>
  a.address <= b.address && b.address + b.size <= a.address + a.size;

function conflict(a: LogEvent, b: LogEvent): boolean {
  if (a.address === MUTEX || b.address === MUTEX) return a.address === b.address;
  return isData(a) && isData(b) && overlap(a, b) && (writes(a) || writes(b));
}

function checkCycle(run: readonly LogEvent[], { cycle }: Witness, { eventNumber, writeNumber }: LoggedViolation): void {
  const at = (number: number): LogEvent => run[number - 1]!;
  expect([cycle[0]!.number, cycle[1]!.number]).toEqual([eventNumber, writeNumber]);
  cycle.forEach(({ number, relation }, i) => {
    const next = cycle[(i + 1) % cycle.length]!.number;
    const isSame = at(number).thread === at(next).thread;
    expect(isSame).toBe(relation === 'program order');
    // What follows a part of a section follows its end.
    if (!isSame && at(number).operation !== ev.END_ATOMIC_EVENT) expect(conflict(at(number), at(next))).toBe(true);
    // Only the first edge goes back in the log.
    expect(number < next).toBe(i > 0);
  });
}

function checkExecution(run: readonly LogEvent[], { execution }: Witness, violation: LoggedViolation): void {
  const at = (number: number): LogEvent => run[number - 1]!;
  const { model, eventNumber, writeNumber } = violation;
  const buffers = new Map<number, number[]>();
  const last = new Map<number, number>();
  /** When each event took effect in memory; loads from the thread's own pending stores did not. */
  const effects: number[] = [];
  let section: number | undefined;
  for (const [i, { number, thread, step }] of execution.entries()) {
    const event = at(number);
    if (section !== undefined) expect(thread).toBe(section);
    if (event.operation === ev.BEGIN_ATOMIC_EVENT) section = thread;
    const isOver = !execution.slice(i + 1).some((later) => later.thread === thread);
    if (event.operation === ev.END_ATOMIC_EVENT || (isOver && section === thread)) section = undefined;
    const buffer = buffers.get(thread) ?? [];
    buffers.set(thread, buffer);
    const hits = buffer.filter((store) => isData(event) && overlap(at(store), event));
    if (step === 'reaches memory') {
      const older = buffer.slice(0, buffer.indexOf(number));
      expect(buffer).toContain(number);
      expect(older.filter((store) => model === 'tso' || overlap(at(store), event))).toEqual([]);
      buffer.splice(buffer.indexOf(number), 1);
      effects.push(number);
      continue;
    }
    expect(number).toBeGreaterThan(last.get(thread) ?? 0);
    last.set(thread, number);
    if (step === 'buffered') {
      expect(event.operation).toBe(ev.STORE_EVENT);
      buffer.push(number);
      continue;
    }
    switch (event.operation) {
      case ev.LOAD_EVENT:
        if (hits.length > 0) expect(covers(at(hits.at(-1)!), event)).toBe(true);
        else effects.push(number);
        continue;
      case ev.STORE_EVENT:
        expect(model === 'tso' ? buffer : hits).toEqual([]);
        break;
      default:
        // Relaxed exchanges, and locking, wait for less under PSO.
        if (model === 'pso' && [ev.RMW_EVENT, ev.LOCK_EVENT].includes(event.operation as never))
          expect(hits).toEqual([]);
        else expect(buffer).toEqual([]);
    }
    effects.push(number);
  }
  for (const buffer of buffers.values()) expect(buffer).toEqual([]);
  const place = (number: number): number => execution.findLastIndex((step) => step.number === number);
  expect(place(eventNumber)).toBeLessThan(place(writeNumber));
  for (const [i, later] of effects.entries()) {
    for (const earlier of effects.slice(0, i)) {
      if (earlier < later || earlier === eventNumber || at(earlier).thread === at(later).thread) continue;
      expect(conflict(at(earlier), at(later)), `${earlier} before ${later}`).toBe(false);
    }
  }
}

describe('the witness of an alarm', () => {
  it.each([
    ['accesses of one size', [4], false, 150],
    ['accesses of several sizes', [2, 4, 8], false, 150],
    ['atomic sections', [4], true, 150],
  ] as const)('is a cycle and an execution: %s', (_, sizes, hasSections, count) => {
    const found = new Map<string, number>();
    for (let i = 0; i < samples(count); i++) {
      const run = randomRun(new Prng(SEED, i), sizes, hasSections);
      for (const violation of witnessed(run)) {
        const { witness, monitor } = violation;
        const text = run
          .map((e, n) => `${n + 1}: ${e.thread} ${e.operation} ${e.address - 0x1000} ${e.size}`)
          .join('; ');
        expect(witness, `${monitor} ${violation.eventNumber} ${violation.writeNumber} of ${text}`).toBeTypeOf('object');
        checkCycle(run, witness as Witness, violation);
        checkExecution(run, witness as Witness, violation);
        found.set(monitor, (found.get(monitor) ?? 0) + 1);
      }
    }
    for (const name of ALL_MONITORS) expect(found.get(name) ?? 0, name).toBeGreaterThan(floor(2));
  });

  it('is not needed for stores across a multiple of 1 MiB, which reach memory at once', () => {
    const violations = witnessed([
      entry({ operation: ev.STORE_EVENT, thread: 1, address: 0x1000, size: 4 }),
      entry({ operation: ev.STORE_EVENT, thread: 1, address: 0xffffc, size: 8 }),
      entry({ operation: ev.LOAD_EVENT, thread: 2, address: 0x100000, size: 4 }),
      entry({ operation: ev.LOAD_EVENT, thread: 2, address: 0x1000, size: 4 }),
    ]);
    expect(new Set(violations.map(({ model }) => model))).toEqual(new Set(['pso']));
    for (const { witness } of violations) expect(witness).toBeTypeOf('object');
  });

  it('is not looked for if the two events are far apart, and says so', () => {
    const store = (thread: number, address: number): LogEvent =>
      entry({ operation: ev.STORE_EVENT, thread, address, size: 4 });
    const load = (thread: number, address: number): LogEvent => ({
      ...store(thread, address),
      operation: ev.LOAD_EVENT,
    });
    const run = [
      store(1, 0x1000),
      load(1, 0x2000),
      ...Array.from({ length: 20_000 }, () => store(3, 0x3000)),
      store(2, 0x2000),
      load(2, 0x1000),
    ];
    const violations = witnessed(run);
    expect(violations.length).toBeGreaterThan(0);
    for (const { witness } of violations) expect(witness).toBe('the two events are more than 20000 events apart');
  });
});

it('there is none, with the reason, where memory is allocated that was written or freed before', () => {
  const reasons = new Set<string>();
  for (let i = 0; i < samples(400); i++) {
    const prng = new Prng(SEED, i);
    const run = Array.from({ length: 9 }, (_, n) => {
      const operation = [ev.STORE_EVENT, ev.STORE_EVENT, ev.LOAD_EVENT, ev.LOAD_EVENT, ev.ALLOC_EVENT, ev.FREE_EVENT];
      const place = { thread: prng.below(3), address: 0x1000 + 4 * prng.below(3), size: prng.below(2) === 0 ? 4 : 8 };
      return entry({ operation: operation[prng.below(6)]!, ...place, site: n + 1 });
    });
    for (const { witness, monitor } of witnessed(run)) {
      if (typeof witness !== 'string') continue;
      reasons.add(witness.replace(/\d+/g, 'N'));
      // Under TSO, the allocation waits for the stores that it would hide.
      expect(['tso', 'causal-tso']).not.toContain(monitor);
    }
  }
  const reason = 'event N allocates memory that event N wrote or freed, so this alarm may be false';
  expect([...reasons].filter((found) => found !== reason)).toEqual([]);
  expect(reasons.size).toBeGreaterThan(floor(0));
});

it('is shown once for a pair that several monitors found, below a table of them', async () => {
  const log = 'docs/examples/store-buffering.jsonl';
  const { stdout } = await fencepost(['monitor', log, '--monitor', 'causal-tso,sober,causal-pso']);
  expect(stdout).toContain('not robust: 1 distinct violation\n');
  expect(stdout).toMatch(/times seen +sober +causal-tso +causal-pso\n +1\. sb\.c:9 before sb\.c:4 +1 +1 +1\n/);
  expect(stdout).toContain('1. under tso and pso (sober, causal-tso, causal-pso): access of flag[0]');
  expect(stdout.split('each event happens before the next')).toHaveLength(2);
  const one = await fencepost(['monitor', log, '--monitor', 'causal-pso']);
  expect(one.stdout).toContain('1. under pso (causal-pso): access of flag[0]');
  expect(one.stdout).not.toContain('times seen');
});
