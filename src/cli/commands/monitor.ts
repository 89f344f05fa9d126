/** `fencepost monitor`: finds violations in a recorded execution. */
import { createReadStream, statSync } from 'node:fs';
import type { Command } from 'commander';
import { type Bound, INTERRUPTED } from '../../explore/bound.ts';
import { BinaryReader, MAGIC } from '../../monitor/log/binary.ts';
import { Excerpts } from '../../monitor/log/excerpts.ts';
import { JsonLinesReader } from '../../monitor/log/jsonl.ts';
import { NameScan } from '../../monitor/log/name-scan.ts';
import { LateName, Names } from '../../monitor/log/names.ts';
import { LogError, type LogListener } from '../../monitor/log/record.ts';
import { StreamMonitor } from '../../monitor/log/stream.ts';
import type { LoggedViolation } from '../../monitor/log/violation.ts';
import type { MonitorName } from '../../monitor/monitors.ts';
import { MONITOR, type MonitorChoices } from '../../options/others.ts';
import { type MonitorCommandReport, type ProblemReport, SCHEMA } from '../../report/schema.ts';
import { type LogNames, reportMonitored } from '../../report/story/monitor-report.ts';
import { plural, printable } from '../../report/text.ts';
import { printMonitored } from '../../report/writers/monitor.ts';
import { MemoryLimit } from '../../util/memory-limit.ts';
import { EXIT_INCONCLUSIVE, EXIT_NOT_UNDERSTOOD, EXIT_USAGE, EXIT_VIOLATION, worstExit } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { Interrupt } from '../shared/interrupt.ts';
import { addOptions, type Flags, readOptions } from '../shared/options.ts';
import { Output } from '../shared/output.ts';
import { placeViolations } from '../shared/places.ts';
import { usage } from '../shared/program.ts';
import { Progress } from '../shared/progress.ts';

const HELP: HelpEnd = {
  notes:
    'causal-tso and causal-pso depend only on the order of conflicting accesses; tso and pso on the exact order of the log. ' +
    'sober-fixed finds the most in a single log; sober is as published.',
  exit:
    '1 a violation; 2 wrong usage; 3 invalid or unsupported log; 4 inconclusive: no violation in this execution. With several ' +
    'logs the worst one counts, in the order 2, 3, 1, 4.',
  examples: [
    ['The log of a real program (see fencepost help record):', 'fencepost monitor run.log'],
    ['A log of check:', 'fencepost check driver.c --record driver.log', 'fencepost monitor driver.log'],
    ['For x86 alone, as a page:', 'fencepost monitor run.log --monitor causal-tso --html page.html'],
  ],
  manual: ['docs/monitor.md'],
};

export function addMonitorCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('monitor')
    .summary('find violations in a recorded execution')
    .description(
      'Reads logs of sequentially consistent executions, written by `check --record`, `robust --record` or a program ' +
        'compiled with `fencepost record`, and reports which accesses could have been reordered by store buffers, with the ' +
        'happens-before cycle and an execution that has it. Memory use depends on the threads and locations in a log, not on its length.',
    )
    .argument('<log...>', 'logs, as lines of JSON or in the compact form; - is standard input');
  addHelpEnd(addOptions(command, MONITOR), HELP).action(async (files: string[], flags: Flags) => {
    finish(await runMonitorCommand(files, readOptions(flags, MONITOR)));
  });
}

async function runMonitorCommand(files: readonly string[], choices: MonitorChoices): Promise<number> {
  const output = Output.of(choices, files);
  if ('problem' in output) return usage(output.problem);
  const exits: number[] = [];
  const results: MonitorCommandReport['results'][number][] = [];
  const problems: ProblemReport[] = [];
  const stop = new AbortController();
  // Opening a pipe may block, so that only the default action of a signal ends it.
  const isHeard = files.every((file) => file === '-' || isRegularFile(file));
  const interrupt = isHeard ? new Interrupt(() => stop.abort()) : undefined;
  for (const file of files) {
    const { stream, problem, names } = await monitorFile(file, choices.monitors, stop.signal);
    if (problem !== undefined && problem.cut === undefined) {
      process.stderr.write(`fencepost: ${printable(file)}: ${printable(problem.message)}\n`);
      problems.push({ file, message: problem.message });
      exits.push(problem.exit);
      continue;
    }
    const { count } = stream;
    const found = await witness(file, stream.violations, names, stop.signal);
    const { violations, changed, placeOf, variableOf } = placeViolations(file, found, stream.modules);
    for (const path of changed) {
      process.stderr.write(`fencepost: ${printable(path)} is newer than ${printable(file)}: its lines are not shown\n`);
    }
    exits.push(violations.length > 0 ? EXIT_VIOLATION : EXIT_INCONCLUSIVE);
    const called: LogNames = {
      place: (site) => placeOf(site) ?? stream.placeOf(site),
      variable: (address) => stream.nameOf(address) ?? variableOf(address),
    };
    const result = reportMonitored(file, choices.monitors, count, violations, called, problem?.cut);
    results.push(result);
    output.writeText(printMonitored(result));
  }
  interrupt?.dispose();
  const report: MonitorCommandReport = { schema: SCHEMA, command: 'monitor', results, problems };
  if (!output.writeReport(report)) exits.push(EXIT_USAGE);
  return worstExit(exits);
}

interface Problem {
  readonly message: string;
  readonly exit: number;
  /** A name was declared to be an address after events had used it. */
  readonly isLateName: boolean;
  /** Memory ran out, or Ctrl-C: later events are not monitored, but earlier findings count. */
  readonly cut: Bound | undefined;
}

interface Monitored {
  readonly stream: StreamMonitor;
  readonly problem: Problem | undefined;
  /** The names that lines of the log declare, for reading it again. */
  readonly names: Names;
}

/** Monitors a log. A log that declares the addresses of names too late is read twice, if possible. */
async function monitorFile(
  file: string,
  monitorNames: readonly MonitorName[],
  signal: AbortSignal,
): Promise<Monitored> {
  const first = new StreamMonitor(monitorNames);
  const problem = await read(file, (bytes) => makeReader(bytes, first, new Names()), first, signal);
  if (problem?.isLateName !== true || !isRegularFile(file)) return { stream: first, problem, names: new Names() };
  const scan = new NameScan();
  const unread = await read(file, () => scan, first, signal);
  if (unread !== undefined) return { stream: first, problem: unread, names: new Names() };
  const second = new StreamMonitor(monitorNames);
  return {
    stream: second,
    problem: await read(file, (bytes) => makeReader(bytes, second, scan.names), second, signal),
    names: scan.names,
  };
}

/** Reads the log again, up to the last violation, to find a witness for each one. */
async function witness(
  file: string,
  violations: readonly LoggedViolation[],
  names: Names,
  signal: AbortSignal,
): Promise<readonly LoggedViolation[]> {
  if (violations.length === 0) return violations;
  if (!isRegularFile(file)) {
    const why = `${file === '-' ? 'standard input' : 'a pipe'} cannot be read again; give monitor a file`;
    return violations.map((violation) => ({ ...violation, witness: why }));
  }
  const excerpts = new Excerpts(violations);
  const unread = await read(file, (bytes) => makeReader(bytes, excerpts, names), excerpts, signal);
  if (unread !== undefined) {
    const why = `the log could not be read again: ${unread.message}`;
    return violations.map((violation) => ({ ...violation, witness: why }));
  }
  return excerpts.witnessed;
}

function isRegularFile(file: string): boolean {
  return file !== '-' && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

interface Reader {
  push(piece: Uint8Array): void;
  end(): void;
}

/** Feeds the log to a reader, which is made once the first bytes are known. Returns what is wrong with the log. */
async function read(
  file: string,
  make: (bytes: Uint8Array) => Reader,
  stream: { readonly count: number; readonly isComplete?: boolean },
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const interrupted = (): Problem => ({
    message: 'interrupted',
    exit: EXIT_INCONCLUSIVE,
    isLateName: false,
    cut: INTERRUPTED,
  });
  if (signal.aborted) return interrupted();
  const progress = new Progress();
  let end = (): void => {};
  let reader: Reader | undefined;
  let first = new Uint8Array(0);
  try {
    const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 });
    end = () => input.destroy(new Error('interrupted'));
    signal.addEventListener('abort', end);
    for await (const chunk of input) {
      let bytes = chunk as Uint8Array;
      if (reader === undefined) {
        bytes = Buffer.concat([first, bytes]);
        first = Uint8Array.from(bytes);
        if (bytes.length < MAGIC.length) continue;
        reader = make(bytes);
      }
      reader.push(bytes);
      progress.update(() => ({ before: 'monitor ', path: file, after: [`: ${plural(stream.count, 'event')}`] }));
      if (stream.isComplete === true) return undefined;
    }
    if (reader === undefined) {
      reader = make(first);
      reader.push(first);
    }
    reader.end();
    return undefined;
  } catch (error) {
    const problem = (message: string, exit: number, cut?: Bound): Problem => ({
      message,
      exit,
      isLateName: error instanceof LateName,
      cut,
    });
    if (signal.aborted) return interrupted();
    if (error instanceof MemoryLimit) {
      return problem('out of memory', EXIT_INCONCLUSIVE, { kind: 'log', events: stream.count });
    }
    if (error instanceof LogError) return problem(error.message, EXIT_NOT_UNDERSTOOD);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return problem('no such file', EXIT_USAGE);
    if (code === 'EISDIR') return problem('is a folder', EXIT_USAGE);
    if (code === 'EACCES') return problem('permission denied', EXIT_USAGE);
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
    progress.clear();
  }
}

function makeReader(bytes: Uint8Array, stream: LogListener, names: Names): Reader {
  const isBinary = bytes.length >= MAGIC.length && MAGIC.subarray(0, 5).every((byte, i) => bytes[i] === byte);
  return isBinary ? new BinaryReader(stream) : new JsonLinesReader(stream, names);
}
