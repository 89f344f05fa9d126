/** Hunts in tests, and what must hold for each of them. */

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { explore } from '../../src/explore/explore.ts';
import { Replay } from '../../src/explore/replay.ts';
import { parseSchedule } from '../../src/explore/schedule.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { RelaxedModel } from '../../src/models/index.ts';
import { HUNT_DEFAULTS, type HuntOptions } from '../../src/options/hunt.ts';
import { HuntRun } from '../../src/pipelines/hunt/hunt.ts';
import type { CycleResult, HuntResult } from '../../src/pipelines/hunt/result.ts';
import type { Program } from '../../src/program/ir.ts';
import { isAcyclic } from '../../src/trace/cycle.ts';
import { settle } from '../../src/trace/settle.ts';
import { ShashaSnirTrace } from '../../src/trace/shasha-snir.ts';
import { compileC } from './c.ts';

export function hunt(program: Program, model: RelaxedModel, options: Partial<HuntOptions> = {}): HuntResult {
  const run = new HuntRun(program, { ...HUNT_DEFAULTS, models: [model], ...options });
  while (!run.advance(1_000_000));
  return run.results[0]!;
}

/** The same, but only until something has failed. */
export function huntForError(program: Program, model: RelaxedModel): HuntResult {
  const run = new HuntRun(program, { ...HUNT_DEFAULTS, models: [model] });
  while (!run.advance(1000) && run.progress.errors === 0);
  return run.results[0]!;
}

export const confirmed = ({ cycles }: HuntResult): readonly CycleResult[] => cycles.filter((c) => c.confirmed > 0);
export const harmful = ({ cycles }: HuntResult): readonly CycleResult[] => cycles.filter((c) => c.harmful > 0);

/** The confirmed cycles' executions replay on another machine, to the last step, and SC does not allow them. */
export function expectNoFalseAlarm(program: Program, result: HuntResult): void {
  for (const { schedule } of confirmed(result)) {
    const machine = new Machine(program, result.model);
    const replay = new Replay(parseSchedule(machine, schedule!));
    explore(machine, replay);
    expect(replay.taken).toBe(replay.length);
    expect(isAcyclic(new ShashaSnirTrace(settle(machine.events), machine.processes))).toBe(false);
  }
}

const read = (file: string): string => readFileSync(new URL(`../../programs/${file}`, import.meta.url), 'utf8');

/** A program of `programs/relaxer`. */
export function loadBenchmark(name: string, defines: readonly string[] = []): Promise<Program> {
  const files = [`relaxer/${name}.c`, 'relaxer/queue.h', 'relaxer/set.h', 'fences.h'];
  return compileC(Object.fromEntries(files.map((file) => [file, read(file)])), { defines });
}

/**
 * The cycle, as the numbers in the comments `/* 14 *\/` at the end of its lines; 0 for other lines. Rotated so that the
 * smallest comes first.
 */
export function figureLines(cycle: CycleResult, file: string): string {
  const lines = read(file).split('\n');
  const numbers = cycle.places.map(({ location }) =>
    Number(/\/\* (\d+) \*\/$/.exec(lines[(location?.line ?? 0) - 1] ?? '')?.[1] ?? 0),
  );
  const turns = Array.from({ length: numbers.length / 2 }, (_, i) => [
    ...numbers.slice(2 * i),
    ...numbers.slice(0, 2 * i),
  ]);
  return turns.sort((a, b) => a[0]! - b[0]!)[0]!.join(' ');
}
