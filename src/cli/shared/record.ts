/** Writes the log of one SC execution to a file, for `fencepost monitor`. */

import { closeSync, openSync, writeSync } from 'node:fs';
import { Exploration, explore, type FoundError } from '../../explore/explore.ts';
import { Random } from '../../explore/random.ts';
import { Replay } from '../../explore/replay.ts';
import { parseSchedule } from '../../explore/schedule.ts';
import { Waker } from '../../explore/wake.ts';
import { unmodelledCalls } from '../../machine/describe/stopped.ts';
import { Machine } from '../../machine/machine.ts';
import { SC } from '../../models/sc.ts';
import { BinaryWriter } from '../../monitor/log/binary.ts';
import { JsonLinesWriter } from '../../monitor/log/jsonl-writer.ts';
import { record } from '../../monitor/log/recorder.ts';
import { printError } from '../../program/error-text.ts';
import type { Program } from '../../program/ir.ts';
import { printLocation } from '../../program/location.ts';
import { printable } from '../../report/text.ts';
import { EXIT_INCONCLUSIVE } from './exit-codes.ts';
import { usage } from './program.ts';

const MAX_STEPS = 1_000_000;

/** An SC execution worth recording, and why. */
interface Remarkable {
  readonly schedule: string;
  readonly why: string;
}

/** The first execution with an alarm, otherwise the first that fails. */
export function remarkable(
  alarms: readonly { readonly monitor: string; readonly schedule: string }[],
  errors: readonly FoundError[],
): Remarkable | undefined {
  const [[alarm], [failure]] = [alarms, errors];
  if (alarm !== undefined) return { schedule: alarm.schedule, why: `${alarm.monitor} raises an alarm in it` };
  return failure && { schedule: failure.schedule, why: `it fails: ${printError(failure.error)}` };
}

/**
 * Runs the schedule, if given, continues at random until the execution ends, and writes the execution: as lines of JSON
 * if the file's name ends in .jsonl, otherwise in the compact form. If there was an error, prints it; the result is its
 * exit code, if any.
 */
export function recordExecution(
  program: Program,
  from: Remarkable | undefined,
  seed: number,
  file: string,
): readonly number[] {
  const machine = new Machine(program, SC.name, {}, { spin: true, undone: false });
  const followers = [new Waker(machine)];
  if (from !== undefined) explore(machine, new Replay(parseSchedule(machine, from.schedule)), { followers });
  const rest = new Exploration(machine, new Random(seed, 1, machine.depth), { followers, maxDepth: MAX_STEPS });
  rest.advance(Number.POSITIVE_INFINITY);
  const [call] = unmodelledCalls(machine);
  if (call !== undefined) {
    const where = call.place === undefined ? '' : `${printLocation(call.place)}: `;
    process.stderr.write(`fencepost: ${printable(`${where}${call.reason}; nothing is recorded`)}\n`);
    return [EXIT_INCONCLUSIVE];
  }
  try {
    writeLog(machine, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return [usage(`${file} cannot be written: ${code}`)];
  }
  const which = from?.why ?? `a random one (seed ${seed}), since none with an alarm or an error is known`;
  process.stderr.write(`fencepost: ${printable(`${file} has an SC execution: ${which}`)}\n`);
  return [];
}

function writeLog(machine: Machine, file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    const write = (piece: Uint8Array): void => {
      for (let done = 0; done < piece.length; ) done += writeSync(descriptor, piece, done);
    };
    const writer = /\.jsonl?$/.test(file) ? new JsonLinesWriter(write) : new BinaryWriter(write);
    record(machine, writer);
    writer.end();
  } finally {
    closeSync(descriptor);
  }
}
