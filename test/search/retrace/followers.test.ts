/**
 * Followers of Retrace see each execution at its end, and only what is not the same as in the one before: what they have
 * seen is always the machine's log, and that is a real execution.
 */
import type fc from 'fast-check';
import { expect, it } from 'vitest';
import { explore } from '../../../src/explore/explore.ts';
import { Retrace } from '../../../src/explore/retrace/retrace.ts';
import { scheduleOf } from '../../../src/explore/schedule.ts';
import type { Follower } from '../../../src/explore/strategy.ts';
import * as ev from '../../../src/machine/events/event.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { everything, forAll } from '../../support/for-all.ts';
import { sketches } from '../../support/generate.ts';
import { buildWaiting, printWaiting, waitingSketches } from '../../support/retracing.ts';
import { DPOR_MODELS } from '../../support/searches.ts';
import { buildSizedProgram, sizedSketches } from '../../support/sized-sketch.ts';
import { buildProgram, printSketch } from '../../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';

const record = ({ events }: Machine, event: number): string =>
  events.words.subarray(event * ev.EVENT_WORDS, (event + 1) * ev.EVENT_WORDS).join();

class Recorder implements Follower {
  readonly seen: string[] = [];
  private readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  observe(event: number): void {
    expect(event).toBe(this.seen.length);
    this.seen.push(record(this.machine, event));
  }

  /** Followers read the records of the events that they forget. */
  rollback(depth: number): void {
    for (let event = this.seen.length - 1; event >= depth; event--)
      expect(record(this.machine, event)).toBe(this.seen.pop());
  }
}

/** What a real execution under SC by this schedule logs. */
function replayed(program: Program, machine: Machine): readonly string[] {
  const again = new Machine(program, machine.model, machine.layout.limits, { patience: 1 });
  for (const step of scheduleOf(machine)) again.step(step);
  return Array.from({ length: again.depth }, (_, event) => record(again, event));
}

const sums = { executions: 0, kept: 0, events: 0, replayed: 0 };

function follow(program: Program): void {
  for (const model of DPOR_MODELS) {
    const machine = new Machine(program, model, program.roots.length === 1 ? { threads: 6 } : {}, { patience: 1 });
    const recorder = new Recorder(machine);
    const search = new Retrace(machine);
    const arrange = search.arrange.bind(search);
    search.arrange = (forget) => {
      const kept = arrange(forget);
      sums.kept += kept;
      return kept;
    };
    explore(machine, search, {
      keepGoing: true,
      maxExecutions: 200,
      followers: [recorder],
      onExecution: () => {
        sums.executions++;
        sums.events += machine.depth;
        const log = Array.from({ length: machine.depth }, (_, event) => record(machine, event));
        expect(recorder.seen).toEqual(log);
        if (model !== 'sc') return;
        sums.replayed++;
        expect(replayed(program, machine)).toEqual(log);
      },
    });
  }
}

const check = <T>(count: number, from: fc.Arbitrary<T>, build: (sketch: T) => Program, print: (sketch: T) => string) =>
  forAll({ from, count, print }, (sketch) => follow(build(sketch)));

it('a follower sees the log in programs of loads, stores and read-modify-writes', () =>
  check(
    30,
    sketches({ ...everything, threads: 3, totalOps: 7 }).filter((sketch) => sketch.length > 0),
    buildProgram,
    printSketch,
  ));
it('a follower sees the log in programs with awaits', () => check(15, waitingSketches, buildWaiting, printWaiting));
it('a follower sees the log in programs with locks, conditions and frees', () =>
  check(20, syncSketches(), buildSyncProgram, printSyncSketch));
it('a follower sees the log in programs with accesses of several sizes', () =>
  check(15, sizedSketches(3, 6), buildSizedProgram, String));

it('a good part of the log was not shown again', () => {
  expect(sums.executions).toBeGreaterThan(500);
  expect(sums.replayed).toBeGreaterThan(100);
  expect(sums.kept).toBeGreaterThan(sums.events / 4);
});
