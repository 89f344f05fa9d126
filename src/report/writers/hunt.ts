/** The text output of `fencepost hunt`: what was tried, what failed, and the cycles, worst first. */
import { huntCutsOf } from '../bounds.ts';
import { CYCLE_VERDICTS } from '../harm-text.ts';
import type { HuntCycleReport, HuntReport } from '../schema.ts';
import { alignColumns, plural, printable } from '../text.ts';
import type { TraceReport } from '../trace-schema.ts';
import { DEFAULT_PRINT, type PrintOptions, printFailure, printHeadline, underText } from './check.ts';
import { printStory, wrap } from './columns.ts';

/** The most cycles in the table; the JSON document has the others. */
const MAX_ROWS = 20;

/** The results of one program. */
export function printHunt(results: readonly HuntReport[], options: PrintOptions = DEFAULT_PRINT): string {
  const lines: string[] = [];
  for (const [i, result] of results.entries()) {
    lines.push(printHeadline(result.file, underText(result), printVerdict(result), options));
    // A failure under SC looks the same under every model.
    if (result.how === 'sc' && i > 0) continue;
    const { error, trace, otherErrors = [] } = result;
    if (error !== undefined) {
      lines.push(...printFailure(error, trace, options));
      if (otherErrors.length > 0) lines.push(`  and ${plural(otherErrors.length, 'other error')}`, '');
    }
    lines.push(...printCycles(result.cycles, options));
  }
  return lines.join('\n');
}

function printVerdict(result: HuntReport): string {
  const { how, verdict, model, possible, runs, predicted, executions, cycles, ended, rounds } = result;
  if (how === 'sc') return `violation: already fails under sc (${plural(runs, 'SC run')})`;
  const counts =
    `${plural(predicted, 'cycle')} predicted from ${plural(runs, 'SC run')}, ${possible} possible under ` +
    `${model}, ${byOwner(cycles, (c) => c.confirmed > 0)} confirmed, ${byOwner(cycles, (c) => c.harmful > 0)} harmful; ` +
    `${plural(executions, 'execution')}`;
  const why = `${ended}${rounds > 1 ? `, in round ${rounds}` : ''}`;
  const all = [counts, why, ...huntCutsOf(result).filter((cut) => cut !== ended)].join('; ');
  return verdict === 'violation' ? `violation (${all})` : `inconclusive: no error found, which proves nothing (${all})`;
}

/** `5`, or `5 (3 of the program, 2 of mutexes)` if some are not the program's own. */
function byOwner(cycles: readonly HuntCycleReport[], isMeant: (cycle: HuntCycleReport) => boolean): string {
  const meant = cycles.filter(isMeant);
  const parts = OWNERS.flatMap(([owner, words]) => {
    const count = meant.filter((c) => c.owner === owner).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const isPlain = meant.every((c) => c.owner === 'program');
  return isPlain ? String(meant.length) : `${meant.length} (${parts.join(', ')})`;
}

const OWNERS: readonly [HuntCycleReport['owner'], string][] = [
  ['program', 'of the program'],
  ['mutexes', 'of mutexes'],
  ['harness', 'of the harness'],
];

function printCycles(cycles: readonly HuntCycleReport[], { width }: PrintOptions): string[] {
  const confirmed = cycles.filter((c) => c.confirmed > 0);
  if (confirmed.length === 0) return [];
  const hasOwners = confirmed.some((c) => c.owner !== 'program');
  const heads = [
    ['#', '', ...(hasOwners ? ['of'] : []), 'confirmed', 'probability', ''],
    ...confirmed.slice(0, MAX_ROWS).map((cycle, i) => {
      const ratio = (cycle.confirmed / cycle.trials).toFixed(2);
      const owner = hasOwners ? [cycle.owner] : [];
      return [
        String(i + 1),
        CYCLE_VERDICTS[cycle.verdict],
        ...owner,
        `${cycle.confirmed} of ${cycle.trials}`,
        ratio,
        '',
      ];
    }),
  ];
  // With a marker in the last column, so that all the others are padded.
  const aligned = alignColumns(heads.map((row) => [...row.slice(0, -1), '|'])).map((line) => `  ${line.slice(0, -1)}`);
  const indent = ' '.repeat(aligned[0]!.length);
  const room = width - indent.length;
  const texts = [
    ['cycle (→ program order, ⇢ race)'],
    ...confirmed
      .slice(0, MAX_ROWS)
      .map((cycle) => [
        ...wrap(printable(printCycle(cycle)), room, '  '),
        ...wrap(`schedule: ${cycle.error?.schedule ?? cycle.schedule!}`, room, '  '),
      ]),
  ];
  const rest = confirmed.length - MAX_ROWS;
  return [
    ...texts.flatMap((lines, i) => lines.map((line, k) => (k === 0 ? aligned[i]! : indent) + line)),
    ...(rest > 0 ? [`  and ${plural(rest, 'other confirmed cycle')} (see \`--json\`)`] : []),
    '',
  ];
}

/**
 * Names the file once if the whole cycle is in one file, and an event once if it is its thread's only one on the cycle.
 */
function printCycle({ places, events }: HuntCycleReport): string {
  const files = new Set(places.map(({ file }) => file?.split('/').at(-1) ?? ''));
  const isOneFile = files.size === 1;
  const parts = places.flatMap((place, i) => {
    const isSame = i % 2 === 0 && events !== undefined && events[i] === events[i + 1];
    return isSame ? [] : [`${printPlace(place, isOneFile)} ${i % 2 === 0 ? '→' : '⇢'}`];
  });
  return `${isOneFile ? `${[...files][0]}: ` : ''}${parts.join(' ')}`;
}

function printPlace({ access, file, line, variable }: HuntCycleReport['places'][number], isOneFile: boolean): string {
  if (file === undefined) return access;
  const where = isOneFile ? '' : `${file.split('/').at(-1)}:`;
  return `${where}${line} ${access}${variable === undefined ? '' : ` ${variable}`}`;
}

/** An execution that has a cycle, line by line, followed by the cycle's events. */
export function printShownCycle(
  file: string,
  model: string,
  trace: TraceReport,
  events: readonly string[],
  options: PrintOptions = DEFAULT_PRINT,
): string {
  const { width } = options;
  // An event that is its thread's only one on the cycle is listed twice.
  const once = events.filter((name, i) => name !== events[(i + 1) % events.length]);
  const steps = once.map((name) => trace.events.findIndex((e) => e.event === name && e.kind !== 'update') + 1);
  const threadOf = (name: string): string => name.split('#')[0]!;
  const parts = steps.map((step, i) => {
    const isInThread = threadOf(once[i]!) === threadOf(once[(i + 1) % once.length]!);
    return `${step} ${isInThread ? '→' : '⇢'}`;
  });
  const cycle = `cycle: ${parts.join(' ')} ${steps[0]} (→ program order, ⇢ conflict order)`;
  return [
    ...wrap(`${printable(file)} under ${model}: an execution that SC does not allow`, width, '  '),
    '',
    ...printStory(trace, { ...options, width: width - 2 }).map((line) => `  ${line}`.trimEnd()),
    '',
    ...[cycle, `schedule: ${trace.schedule}`].flatMap((text) => wrap(text, width - 2, '  ')).map((line) => `  ${line}`),
  ].join('\n');
}
