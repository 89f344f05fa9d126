/** Memory over time and edges in a report, compared with the machine, also where accesses partly overlap. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../src/explore/schedule.ts';
import { parseLitmus } from '../../src/frontend/litmus/litmus.ts';
import { parseLocation } from '../../src/machine/describe/names.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelsWith } from '../../src/models/index.ts';
import { LitmusRun } from '../../src/pipelines/litmus.ts';
import { reportLitmus } from '../../src/report/story/litmus-report.ts';
import { REPOSITORY } from '../support/fencepost.ts';

const files = ['mixed', 'SB', 'RMW'].flatMap((family) =>
  readdirSync(join(REPOSITORY, 'litmus', family)).map((name) => `litmus/${family}/${name}`),
);

function tracesOf(file: string, model: Model) {
  const test = parseLitmus(readFileSync(join(REPOSITORY, file), 'utf8'), file);
  const run = new LitmusRun(test, model);
  while (!run.advance(100_000));
  return { test, traces: reportLitmus(run.result, 0, { traces: true }).traces! };
}

describe.each(files)('%s', (file) => {
  it.each(modelsWith('dpor'))('has the values of memory under %s after every step', (model) => {
    const { test, traces } = tracesOf(file, model);
    let compared = 0;
    for (const trace of traces) {
      const machine = new Machine(test.program, model);
      const schedule = parseSchedule(machine, trace.schedule);
      for (let step = 0; step <= schedule.length; step++) {
        if (step > 0) {
          machine.enabled();
          machine.step(schedule[step - 1]!);
        }
        for (const { address, bytes, values } of trace.places!) {
          const now = values.findLast((v) => v.after <= step)?.value;
          if (typeof now !== 'number') continue;
          machine.state.read(parseLocation(machine, address), bytes);
          const { low, high } = machine.state;
          expect(BigInt(now)).toBe(bytes === 8 ? (BigInt(high) << 32n) | BigInt(low >>> 0) : BigInt(low));
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(0);
  });

  it('has an edge for every read of a store, and edges between events that exist', () => {
    for (const trace of tracesOf(file, 'pso').traces) {
      const name = (e: number) => trace.events[e]!.event;
      for (const { from, to } of trace.edges!) expect([name(from), name(to)]).not.toContain(undefined);
      trace.events.forEach(({ from, event, kind }) => {
        if (from === undefined || kind === 'update') return;
        expect(trace.edges).toContainEqual(
          expect.objectContaining({ relation: 'source', from: trace.events.findIndex((e) => e.event === from) }),
        );
        expect(event).not.toBe(from);
      });
    }
  });
});
