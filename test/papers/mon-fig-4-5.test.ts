/**
 * [MON] Fig. 4 and 5, word for word, against our monitors, event by event on single executions: line 6 ranges over all pending
 * stores to the address. Our `tso` and `pso` raise the alarms of the figures, no more and no fewer. The causal ones raise those
 * that the figures raise when an event comes right after the causal past of its thread's previous event.
 */
import { describe, expect, it } from 'vitest';
import * as ev from '../../src/machine/events/event.ts';
import { emptyEvent, WROTE } from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import { type MonitorName, monitors } from '../../src/monitor/monitors.ts';
import { ORDERS } from '../../src/program/types.ts';
import { Prng } from '../../src/util/prng.ts';
import { SEED, samples } from '../support/tier.ts';

interface Event {
  readonly process: number;
  readonly kind: 'st' | 'ld' | 'atm';
  readonly address: number;
}

const KINDS = { st: ev.STORE_EVENT, ld: ev.LOAD_EVENT, atm: ev.RMW_EVENT } as const;

/** The reflexive closure of →hb over a run, by event. */
function closure(run: readonly Event[]): readonly (readonly boolean[])[] {
  const before: boolean[][] = [];
  for (const [n, e] of run.entries()) {
    const row = run.map((_, i) => i === n);
    for (let i = 0; i < n; i++) {
      const { process, kind, address } = run[i]!;
      const conflicts = address === e.address && (kind !== 'ld' || e.kind !== 'ld');
      if (process !== e.process && !conflicts) continue;
      before[i]!.forEach((isBefore, k) => {
        row[k] ||= isBefore;
      });
    }
    before.push(row);
  }
  return before;
}

/** The numbers of the events at which the monitor of the figure signals. */
function figure(run: readonly Event[], model: 'tso' | 'pso'): readonly number[] {
  const happensBefore = closure(run);
  /** All pending stores, oldest first. */
  const pending: number[] = [];
  const previous = new Map<number, number>();
  const alarms: number[] = [];
  const commit = (isCommitted: (store: number) => boolean): void => {
    pending.splice(0, pending.length, ...pending.filter((store) => !isCommitted(store)));
  };
  run.forEach((e, n) => {
    const last = previous.get(e.process);
    const isOfOther = (store: number): boolean =>
      run[store]!.address === e.address && run[store]!.process !== e.process;
    // Line 6–8.
    if (last !== undefined && pending.some((store) => isOfOther(store) && happensBefore[last]![store])) alarms.push(n);
    // Line 10–14. Under TSO, buffers are first in, first out.
    const forced = pending.filter(isOfOther);
    commit((store) =>
      forced.some((f) => (model === 'pso' ? f === store : run[f]!.process === run[store]!.process && store <= f)),
    );
    // Line 15–26.
    previous.set(e.process, n);
    if (e.kind === 'st') pending.push(n);
    if (e.kind === 'atm')
      commit((store) => run[store]!.process === e.process && (model === 'tso' || run[store]!.address === e.address));
  });
  return alarms;
}

/** The same, where each event comes right after the causal past of its thread's previous one. */
function causalFigure(run: readonly Event[], model: 'tso' | 'pso'): readonly number[] {
  const happensBefore = closure(run);
  return run.flatMap((e, n) => {
    const last = run.findLastIndex(({ process }, i) => i < n && process === e.process);
    if (last < 0) return [];
    const past = run.filter((_, i) => happensBefore[last]![i]);
    return figure([...past, e], model).includes(past.length) ? [n] : [];
  });
}

function monitored(run: readonly Event[], name: MonitorName, least = 1000): readonly number[] {
  const stream = new StreamMonitor([name], least);
  const entry = emptyEvent();
  run.forEach(({ process, kind, address }, n) => {
    stream.event(
      Object.assign(entry, emptyEvent(), {
        operation: KINDS[kind],
        thread: process,
        address: 0x1000 + 4 * address,
        size: 4,
        order: kind === 'atm' ? ORDERS.indexOf('relaxed') : 0,
        flags: WROTE,
        // Each event is a place of its own.
        site: n + 1,
      }),
    );
  });
  return [...new Set(stream.violations.map(({ eventNumber }) => eventNumber - 1))].sort((a, b) => a - b);
}

function randomRun(prng: Prng): readonly Event[] {
  const processes = 2 + prng.below(3);
  const addresses = 1 + prng.below(3);
  return Array.from({ length: 4 + prng.below(14) }, () => ({
    process: prng.below(processes),
    kind: (['st', 'st', 'st', 'ld', 'ld', 'ld', 'ld', 'atm'] as const)[prng.below(8)]!,
    address: prng.below(addresses),
  }));
}

describe('five events', () => {
  const run: readonly Event[] = [
    { process: 1, kind: 'st', address: 0 },
    { process: 1, kind: 'ld', address: 1 },
    { process: 1, kind: 'st', address: 0 },
    { process: 2, kind: 'st', address: 1 },
    { process: 2, kind: 'ld', address: 0 },
  ];

  it.each(Object.keys(monitors) as MonitorName[])('alarm under %s', (name) => {
    expect(figure(run, 'tso')).toEqual([4]);
    expect(figure(run, 'pso')).toEqual([4]);
    expect(monitored(run, name)).toEqual([4]);
  });
});

describe('generated executions', () => {
  const runs = Array.from({ length: samples(1500) }, (_, i) => randomRun(new Prng(SEED, i)));

  it.each(['tso', 'pso'] as const)('%s', (model) => {
    let alarms = 0;
    for (const run of runs) {
      const expected = figure(run, model);
      alarms += expected.length;
      const text = run.map(({ process, kind, address }) => `${process} ${kind} ${address}`).join('; ');
      expect(monitored(run, model), text).toEqual(expected);
      expect(monitored(run, `causal-${model}`), text).toEqual(causalFigure(run, model));
      // What is forgotten on the way changes nothing.
      for (const name of [model, `causal-${model}`] as const)
        expect(monitored(run, name, 1), text).toEqual(monitored(run, name));
    }
    expect(alarms).toBeGreaterThan(runs.length / 50);
  });
});
