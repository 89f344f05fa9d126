/**
 * [MON] Fig. 4 and 5, word for word, against our monitors, event by event on single executions: line 6 ranges over all
 * pending stores to the address. Our `tso` and `pso` raise exactly the alarms of the figures. The causal ones raise
 * those that the figures raise when an event comes right after the causal past of its thread's previous event.
 */
import { describe, expect, it } from 'vitest';
import * as ev from '../../src/machine/events/event.ts';
import { emptyEvent, WROTE } from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import { type MonitorName, monitors } from '../../src/monitor/monitors.ts';
import { ORDERS } from '../../src/program/types.ts';
import { Prng } from '../../src/util/prng.ts';
import { closure, type FigureEvent, figure, has } from '../support/mon-figure.ts';
import { floor, SEED, samples } from '../support/tier.ts';

const KINDS = { st: ev.STORE_EVENT, ld: ev.LOAD_EVENT, atm: ev.RMW_EVENT } as const;

/** The numbers of the events at which the monitor of the figure signals. */
function alarmsOf(run: readonly FigureEvent[], model: 'tso' | 'pso'): readonly number[] {
  return figure(run, model).map(({ event }) => event);
}

/** The same, where each event comes right after the causal past of its thread's previous one. */
function causalFigure(run: readonly FigureEvent[], model: 'tso' | 'pso'): readonly number[] {
  const happensBefore = closure(run);
  return run.flatMap((e, n) => {
    const last = run.findLastIndex(({ process }, i) => i < n && process === e.process);
    if (last < 0) return [];
    const past = run.filter((_, i) => has(happensBefore[last]!, i));
    return alarmsOf([...past, e], model).includes(past.length) ? [n] : [];
  });
}

function monitored(run: readonly FigureEvent[], name: MonitorName, least = 1000): readonly number[] {
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
        // Each event has its own place.
        site: n + 1,
      }),
    );
  });
  return [...new Set(stream.violations.map(({ eventNumber }) => eventNumber - 1))].sort((a, b) => a - b);
}

function randomRun(prng: Prng): readonly FigureEvent[] {
  const processes = 2 + prng.below(3);
  const addresses = 1 + prng.below(3);
  return Array.from({ length: 4 + prng.below(14) }, () => ({
    process: prng.below(processes),
    kind: (['st', 'st', 'st', 'ld', 'ld', 'ld', 'ld', 'atm'] as const)[prng.below(8)]!,
    address: prng.below(addresses),
  }));
}

describe('five events', () => {
  const run: readonly FigureEvent[] = [
    { process: 1, kind: 'st', address: 0 },
    { process: 1, kind: 'ld', address: 1 },
    { process: 1, kind: 'st', address: 0 },
    { process: 2, kind: 'st', address: 1 },
    { process: 2, kind: 'ld', address: 0 },
  ];

  it.each(Object.keys(monitors) as MonitorName[])('raise an alarm under %s', (name) => {
    expect(alarmsOf(run, 'tso')).toEqual([4]);
    expect(alarmsOf(run, 'pso')).toEqual([4]);
    expect(monitored(run, name)).toEqual([4]);
  });
});

describe('generated executions have the alarms of the definition', () => {
  const runs = Array.from({ length: samples(700) }, (_, i) => randomRun(new Prng(SEED, i)));

  it.each(['tso', 'pso'] as const)('under %s', (model) => {
    let alarms = 0;
    for (const run of runs) {
      const expected = alarmsOf(run, model);
      alarms += expected.length;
      const text = run.map(({ process, kind, address }) => `${process} ${kind} ${address}`).join('; ');
      expect(monitored(run, model), text).toEqual(expected);
      expect(monitored(run, `causal-${model}`), text).toEqual(causalFigure(run, model));
      // What is forgotten on the way makes no difference.
      for (const name of [model, `causal-${model}`] as const)
        expect(monitored(run, name, 1), text).toEqual(monitored(run, name));
    }
    expect(alarms).toBeGreaterThan(floor(runs.length / 50));
  });
});
