/** `fencepost monitor`: looks for violations in a recorded execution. */
import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { BinaryReader, MAGIC } from '../../monitor/log/binary.ts';
import { JsonLinesReader } from '../../monitor/log/jsonl.ts';
import { LogError } from '../../monitor/log/record.ts';
import { StreamMonitor } from '../../monitor/log/stream.ts';
import { MONITOR, type MonitorChoices } from '../../options/others.ts';
import { type MonitorCommandReport, type ProblemReport, SCHEMA } from '../../report/schema.ts';
import { plural, printable } from '../../report/text.ts';
import { printMonitored, reportMonitored } from '../../report/writers/monitor.ts';
import { pageOfReport } from '../../report/writers/pages.ts';
import { EXIT_INCONCLUSIVE, EXIT_NOT_UNDERSTOOD, EXIT_USAGE, EXIT_VIOLATION, worstExit } from '../shared/exit-codes.ts';
import { addOptions, type Flags, readOptions } from '../shared/options.ts';
import { writePage } from '../shared/page.ts';
import { Progress } from '../shared/progress.ts';

export function addMonitorCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('monitor')
    .summary('look for violations in a recorded execution')
    .description(
      'Reads logs of sequentially consistent executions, as `check --record` and `robust --record` write them or a real ' +
        'program with fencepost-log.h, and reports which accesses store buffers could have reordered. Logs of any ' +
        'length: memory depends on the threads and locations in them.',
    )
    .argument('<log...>', 'logs, as lines of JSON or in the compact form; - is the standard input');
  addOptions(command, MONITOR)
    .addHelpText(
      'after',
      '\ncausal-tso and causal-pso judge by the order of conflicting accesses alone; tso and pso by the very order of the\n' +
        'log; sober and sober-fixed keep every write of the log in memory.\n' +
        '\nExit code: 1 a violation; 2 wrong usage; 3 a log is not understood; 4 no violation, which of one execution\n' +
        'proves nothing. Over several logs the worst counts: 2, 3, 1, 4.\n\n' +
        'Example:\n  fencepost monitor run.log',
    )
    .action(async (files: string[], flags: Flags) => {
      finish(await runMonitorCommand(files, readOptions(flags, MONITOR)));
    });
}

async function runMonitorCommand(files: readonly string[], choices: MonitorChoices): Promise<number> {
  const exits: number[] = [];
  const results: MonitorCommandReport['results'][number][] = [];
  const problems: ProblemReport[] = [];
  for (const file of files) {
    const stream = new StreamMonitor(choices.monitors);
    const problem = await read(file, stream);
    if (problem !== undefined) {
      process.stderr.write(`fencepost: ${printable(file)}: ${printable(problem.message)}\n`);
      problems.push({ file, message: problem.message });
      exits.push(problem.exit);
      continue;
    }
    const { count, violations } = stream;
    exits.push(violations.length > 0 ? EXIT_VIOLATION : EXIT_INCONCLUSIVE);
    results.push(reportMonitored(file, choices.monitors, count, violations));
    if (!choices.json) process.stdout.write(`${printMonitored(file, count, violations)}\n`);
  }
  const report: MonitorCommandReport = { schema: SCHEMA, command: 'monitor', results, problems };
  if (choices.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (!writePage(choices.html, pageOfReport(report))) exits.push(EXIT_USAGE);
  return worstExit(exits);
}

/** Feeds the log to the monitors; returns what is wrong with it. */
async function read(file: string, stream: StreamMonitor): Promise<{ message: string; exit: number } | undefined> {
  const progress = new Progress();
  let reader: BinaryReader | JsonLinesReader | undefined;
  let first = new Uint8Array(0);
  try {
    const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 });
    for await (const chunk of input) {
      let bytes = chunk as Uint8Array;
      if (reader === undefined) {
        bytes = Buffer.concat([first, bytes]);
        first = Uint8Array.from(bytes);
        if (bytes.length < MAGIC.length) continue;
        reader = makeReader(bytes, stream);
      }
      reader.push(bytes);
      progress.update(() => ({ before: 'monitor ', path: file, after: [`: ${plural(stream.count, 'event')}`] }));
    }
    if (reader === undefined) {
      reader = makeReader(first, stream);
      reader.push(first);
    }
    reader.end();
    return undefined;
  } catch (error) {
    if (error instanceof LogError) return { message: error.message, exit: EXIT_NOT_UNDERSTOOD };
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { message: 'there is no such file', exit: EXIT_USAGE };
    if (code === 'EISDIR') return { message: 'is a folder', exit: EXIT_USAGE };
    if (code === 'EACCES') return { message: 'may not be read', exit: EXIT_USAGE };
    throw error;
  } finally {
    progress.clear();
  }
}

function makeReader(bytes: Uint8Array, stream: StreamMonitor): BinaryReader | JsonLinesReader {
  const isBinary = bytes.length >= MAGIC.length && MAGIC.subarray(0, 5).every((byte, i) => bytes[i] === byte);
  return isBinary ? new BinaryReader(stream) : new JsonLinesReader(stream);
}
