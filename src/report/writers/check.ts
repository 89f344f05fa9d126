/** The text output of `fencepost check`: a verdict per model, and the failing execution line by line. */

import { SC } from '../../models/sc.ts';
import { printError } from '../../program/error-text.ts';
import { asCode } from '../../util/code-text.ts';
import { unreachable } from '../../util/unreachable.ts';
import { blockedText } from '../blocked-text.ts';
import { type Bounded, cutsOf, isVacuous } from '../bounds.ts';
import type { CheckCommandReport, CheckReport, CycleReport, ErrorReport } from '../schema.ts';
import { errorListsText, isAxiomatic, searchText } from '../search-text.ts';
import { blockTexts } from '../story/blocks.ts';
import { stackText } from '../story/cells.ts';
import { lockOrderText } from '../story/lock-order.ts';
import { MAX_SHOWN_STEPS } from '../story/longest.ts';
import { outcomeText } from '../story/outcome-text.ts';
import { raceText } from '../story/race-text.ts';
import { tornAdvice, tornText } from '../story/torn-text.ts';
import { unlockText } from '../story/unlock-text.ts';
import { waitsText } from '../story/waits.ts';
import { PLAIN, type Style } from '../style.ts';
import { alignColumns, plural, printable } from '../text.ts';
import type { CallReport, Cause, TraceReport } from '../trace-schema.ts';
import { uncheckedTexts } from '../unchecked-text.ts';
import { MARK, printStory, wrap } from './columns.ts';
import { printMeaning } from './meaning.ts';
import { nextStep } from './next-step.ts';
import { printCoverage, printRounds } from './rounds.ts';
import { firstWarnings, warningTexts, whatRacesAre } from './warnings.ts';

export interface PrintOptions {
  /** Width of the terminal, in characters. */
  readonly width: number;
  readonly style: Style;
  /** Show every row of a long execution. */
  readonly isFull?: boolean;
  /** Whether fresh memory held junk or zeroes; every verdict mentions it. */
  readonly fresh?: 'junk' | 'zeroes';
  /** Functions that were stubbed; every verdict mentions them. */
  readonly stubs?: readonly string[];
  /** The range of arbitrary numbers; every verdict mentions it. */
  readonly nondet?: string;
}

export const DEFAULT_PRINT: PrintOptions = { width: 100, style: PLAIN };

/** The results of one program. */
export function printCheck(results: readonly CheckReport[], options: PrintOptions = DEFAULT_PRINT): string {
  const lines: string[] = [];
  let showsSc = false;
  let named: string | undefined;
  for (const result of results) {
    const isOfSeveral = /\.(?:c|i|ll|bc|cc|cpp|cxx|C) ./.test(result.file);
    if (isOfSeveral && result.file !== named) lines.push(...wrap(`${printable(result.file)}:`, options.width, '  '));
    named = result.file;
    lines.push(printHeadline(isOfSeveral ? '' : result.file, underText(result), printVerdict(result), options));
    const isOfSc = result.model === SC.name || result.how === 'sc';
    if (isOfSc && showsSc) continue;
    showsSc ||= isOfSc;
    const { error, trace, otherErrors = [] } = result;
    const like = results.slice(0, results.indexOf(result)).find((earlier) => isSameFailure(earlier, result));
    if (like !== undefined) lines.push(...printAgain(like, result, options));
    else if (error !== undefined) lines.push(...printFailure(error, trace, options));
    for (const other of otherErrors) lines.push(...printFailure(other, other.trace, options));
    lines.push(
      ...printRobustness(result, options),
      ...printRounds(result.byBound),
      ...printCoverage(result, options.width),
    );
  }
  lines.push(...printLoops(results, options), ...printWarnings(results, options), ...printMeaning(results));
  lines.push(...uncheckedTexts(results).flatMap((text) => wrap(text, options.width, '  ')));
  lines.push(...nextStep(results).flatMap((text) => wrap(text, options.width, '  ')));
  return lines.join('\n');
}

/** Whether both fail in the same place, with the same message and the same explanation. */
function isSameFailure({ error: a, trace: before }: CheckReport, { error: b, trace }: CheckReport): boolean {
  if (a === undefined || b === undefined || before?.explanation === undefined) return false;
  const isSame = a.kind === b.kind && a.message === b.message && a.file === b.file && a.line === b.line;
  return isSame && before.explanation[0] === trace?.explanation?.[0];
}

function printAgain({ model: earlier }: CheckReport, { error, model }: CheckReport, { width }: PrintOptions): string[] {
  const where = error?.line === undefined ? '' : ` in line ${error.line}`;
  const text = `the same ${error?.kind}${where}, for the same reason as under ${earlier}; ${asCode(`--model ${model}`)} shows its execution`;
  return wrap(text, width - INDENT.length, '  ').map((line) => INDENT + line);
}

/** Prints each loop, or recursion, once, whatever the model. */
function printLoops(results: readonly CheckReport[], { width }: PrintOptions): readonly string[] {
  const texts = results.flatMap(({ loops = [] }) =>
    loops.map(({ place, why, isRecursion }) => `The ${isRecursion ? 'recursion' : 'loop'} at ${place} ${why}.`),
  );
  return [...new Set(texts)].flatMap((text) => wrap(printable(text), width, '  '));
}

/**
 * `file under tso: verified (…)`, without the file if its name is empty, broken into lines of the available width. The
 * verdict, which is the first word of the text, is coloured.
 */
export function printHeadline(
  file: string,
  model: string,
  text: string,
  options: PrintOptions = DEFAULT_PRINT,
): string {
  const { width, style } = options;
  const { good, bad, note } = style;
  const before = `${file === '' ? '' : `${printable(file)} `}under ${model}${settingsText(options)}: `;
  const whole = wrap(before + printable(text), width, '  ').join('\n');
  const verdict = /^[a-z]+/.exec(text)![0];
  // Breaking lines can only lengthen the text before the verdict.
  const at = whole.indexOf(verdict, before.length);
  const paint = verdict === 'violation' ? bad : verdict === 'inconclusive' ? note : good;
  return at < 0 ? whole : whole.slice(0, at) + paint(verdict) + whole.slice(at + verdict.length);
}

/** `, with zeroes in fresh memory`: the assumptions of a verdict besides its model. */
export function settingsText({ fresh, stubs = [], nondet }: PrintOptions): string {
  const texts = [
    ...(fresh === undefined ? [] : [`${fresh} in fresh memory`]),
    ...(stubs.length > 0 ? [stubsText(stubs)] : []),
    ...(nondet === undefined ? [] : [`nondet in ${printable(nondet)}`]),
  ];
  return texts.length === 0 ? '' : `, with ${texts.join(' and ')}`;
}

function stubsText(stubs: readonly string[]): string {
  return `stubs: ${stubs.map((stub) => printable(stub.includes('=') ? stub : `${stub}=0`)).join(', ')}`;
}

/** `tso`, with the level of clang's optimiser and the kinds of error of `--only`, if given. */
export function underText({ model, optimised, only }: Qualified): string {
  const how = optimised === undefined ? '' : `, optimised by clang -O${optimised}`;
  return `${model}${how}${only === undefined ? '' : `, ${only.join(' and ')} only`}`;
}

interface Qualified {
  readonly model: string;
  readonly optimised?: string;
  readonly only?: readonly string[];
}

/** What the verdicts rest on, once for all models. */
export function printTrust(
  { input: { strategy, keepGoing, optimise, defines, undefines }, results }: CheckCommandReport,
  { width }: PrintOptions = DEFAULT_PRINT,
): string {
  const isCut = results.some((r) => cutsOf(r).length > 0);
  const text = `Rests on: strategy ${searchText(strategy, results)}${isCut ? ', stopped early' : ', no bounds'}; the memory models of docs/models.md; ${codeText(optimise)}${withoutAssert(defines, undefines) && results.every(({ unchecked = [] }) => unchecked.includes('assertions')) ? '; NDEBUG is defined, so no `assert` is checked' : ''}.`;
  const lists = keepGoing === true ? errorListsText(strategy, results) : [];
  return [text, ...lists].flatMap((t) => wrap(t, width, '  ')).join('\n');
}

/** Whether the command line turned `assert` off. */
function withoutAssert(defines: readonly string[], undefines: readonly string[]): boolean {
  return defines.some((name) => /^NDEBUG(?:=|$)/.test(name)) && !undefines.includes('NDEBUG');
}

function codeText(optimise: string | undefined): string {
  if (optimise === undefined) return "clang's unoptimised code";
  return `clang's code after -O${optimise}: errors that the optimiser removed are not found, and other compilers may keep them`;
}

const EXPLORED = /^[\d,]+ executions?/;

function printVerdict(result: CheckReport): string {
  const { verdict, how, model } = result;
  const counts = printCounts(result);
  switch (verdict) {
    case 'verified':
      if (how === 'subset')
        return `verified: each of its executions is one under ${result.subsetOf} too (${counts.replace(EXPLORED, '$& explored')})`;
      if (how !== 'robust') return `verified (${counts})`;
      return `verified: ${isAxiomatic(model) ? 'free of races' : 'robust'}, so it has only sc executions (${counts})`;
    case 'violation':
      return how === 'sc' ? 'violation, as under sc' : `violation (${counts.replace(EXPLORED, '$& explored')})`;
    case 'inconclusive':
      return printInconclusive('error', counts, result);
    default:
      return unreachable(verdict);
  }
}

/** `12 sc executions, 3 more blocked: 2 waiting in a loop, 1 by an assumption`; `which` is `sc `, or empty. */
export function printCounts(
  {
    executions,
    blocked,
    blockedBy,
    givenUp = 0,
  }: Pick<CheckReport, 'executions' | 'blocked' | 'blockedBy' | 'givenUp'>,
  which = '',
): string {
  const { spin = 0, assume = 0, covered = 0, unroll = 0 } = blockedBy ?? {};
  const why = blockedText(blocked, [
    [spin, 'waiting in a loop'],
    [assume, 'by an assumption'],
    [covered, 'covered by other executions'],
    [unroll, 'by the bound on loops'],
  ]);
  return `${plural(executions, `${which}execution`)}${blocked > 0 ? `, ${blocked}${executions > 0 ? ' more' : ''} blocked${why}` : ''}${givenUp > 0 ? `; ${givenUp} more given up as redundant` : ''}`;
}

/** Says that `what` was not found in these executions. */
export function printInconclusive(what: string, counts: string, result: Bounded): string {
  const cuts = cutsOf(result);
  const found = isVacuous(result) ? `no execution ran to its end (${counts})` : `no ${what} in ${counts}`;
  const why = cuts.length > 0 ? `but stopped (${cuts.join('; ')})` : 'so any answer would be vacuous';
  return `inconclusive: ${found}, ${why}`;
}

/** `trace` is undefined if the execution is too long to show. */
export function printFailure(
  error: ErrorReport,
  trace: TraceReport | undefined,
  options: PrintOptions = DEFAULT_PRINT,
): string[] {
  const { width, style } = options;
  const paragraph = (text: string): string[] => wrap(printable(text), width - INDENT.length, '  ');
  const { advice, facts } = notesOf(error);
  const shown =
    trace === undefined
      ? [printTooLong(error), ...(error.kind === 'race' ? raceText(error, undefined) : []), ...advice].flatMap(
          paragraph,
        )
      : [
          ...printStory(upToRace(trace), { ...options, width: width - INDENT.length }),
          '',
          ...(error.kind === 'race'
            ? raceText(error, upToRace(trace)).map((text, i) => (i === 0 ? `Why (marked ${MARK}): ${text}` : text))
            : [
                ...printWhy(trace, outcomeText(trace, error)),
                ...tornText(trace).map((text) => `Note ${MARK}: ${text}`),
                ...tornAdvice(trace),
                ...(error.kind === 'deadlock' ? lockOrderText(trace) : []),
                ...(error.kind === 'misuse' ? unlockText(trace, error) : []),
              ]
          ).flatMap(paragraph),
          ...advice.flatMap(paragraph),
        ];
  const waits = trace === undefined ? undefined : waitsText(error, trace.ends);
  return [
    ...paragraph(waits ?? printError(error)).map(style.bad),
    ...[...insideText(trace), ...factsOf(facts, waits !== undefined, trace)].flatMap((note) =>
      wrap(`  ${printable(note)}`, width - INDENT.length, '    '),
    ),
    ...(trace === undefined ? [] : printBlocks(trace, shown, width - INDENT.length)),
    '',
    ...shown,
    ...paragraph(printSchedule(error.schedule)),
    ...(trace === undefined ? [] : printOutput(trace)),
    '',
  ].map((line) => (line === '' ? '' : INDENT + line));
}

/**
 * Notes on the error that the table does not repeat; the object of a memory error gets the number that it has in the
 * table.
 */
function factsOf(notes: readonly string[], isOfCircle: boolean, trace: TraceReport | undefined): readonly string[] {
  const block = /#\d+/.exec(trace?.events.at(-1)?.location ?? '')?.[0];
  return notes
    .filter((note) => !isOfCircle || !isOfWaits(note))
    .map((note) => (block === undefined ? note : note.replace(/^the object: /, `the object, ${block}: `)));
}

/** Describes the blocks that the lines mention. */
function printBlocks({ blocks }: TraceReport, lines: readonly string[], width: number): readonly string[] {
  const mentioned = [...new Set(lines.join('\n').match(/#\d+(?:\+\d+)?/g))];
  const isMentioned = (name: string): boolean => mentioned.some((m) => m === name || m.startsWith(`${name}+`));
  return blockTexts(
    blocks.filter(({ name }) => isMentioned(name)),
    mentioned,
  ).flatMap((text) => wrap(`  ${printable(text)}`, width, '    '));
}

/** The values that a failing assertion mentions, and the calls that lead there. */
function insideText(trace: TraceReport | undefined): readonly string[] {
  const [end] = trace?.ends ?? [];
  if (end === undefined || trace?.ends.length !== 1) return [];
  const { values = [], stack = [] } = end;
  const where = (call: CallReport): string => (call.line === undefined ? '' : ` (line ${call.line})`);
  return [
    ...(values.length === 0 ? [] : [`where ${values.map(({ name, value }) => `${name} = ${value}`).join(', ')}`]),
    ...(stack.length === 0 ? [] : [`in ${stackText(stack, where)}`]),
  ];
}

/** Separates advice, which is printed last as sentences, from facts. */
function notesOf({ notes = [] }: ErrorReport): {
  readonly advice: readonly string[];
  readonly facts: readonly string[];
} {
  const isAdvice = (note: string): boolean => /^to (?:order them|prevent it), /.test(note);
  return {
    advice: notes.filter(isAdvice).map((note) => `T${note.slice(1)}.`),
    facts: notes.filter((note) => !isAdvice(note)),
  };
}

/** Whether the note says where a thread waits or since when it has held a lock: the table has these events. */
function isOfWaits(note: string): boolean {
  return /^thread \S+ (?:waits at|has held the lock) /.test(note);
}

function printTooLong({ steps }: ErrorReport): string {
  return `The execution has ${steps} steps, too many to show (more than ${MAX_SHOWN_STEPS}).`;
}

const INDENT = '  ';
const LONGEST_SCHEDULE = 1000;
const SCHEDULE = 'schedule (`replay` runs it)';

function printSchedule(schedule: string): string {
  return schedule.length <= LONGEST_SCHEDULE
    ? `${SCHEDULE}: ${schedule === '' ? '(no steps)' : schedule}`
    : `${SCHEDULE}: ${plural(schedule.length, 'character')}, in the JSON report (\`--json\`)`;
}

const HOW: Readonly<Record<Cause, string>> = {
  'store buffers':
    "A store goes into its thread's store buffer first, where no other thread sees it, and reaches memory later. " +
    'Under sc every store reaches memory at once: this execution is impossible there.',
  'stale loads':
    'A load may return a value that the location had earlier, but not one from before the last acquire operation, acquire ' +
    'fence or lock of its thread. Under sc every load returns the newest value: this execution is impossible there.',
};

/** Why SC does not allow the execution, what made it possible, and what would have prevented that. */
export function printWhy(
  { explanation, sequential, events, causes = ['store buffers'] }: TraceReport,
  outcome: readonly string[] = [],
): readonly string[] {
  if (sequential === undefined) return [];
  if (explanation === undefined) return ['The memory model is not the cause: the same can happen under sc.'];
  const [why, ...remedies] = explanation;
  const isGraph = events.some(({ newer }) => newer !== undefined);
  return [
    [`Why (marked ${MARK}): ${why}`, ...outcome].join(' '),
    ...(isGraph ? [HOW_IN_C] : causes.map((cause) => HOW[cause])),
    ...remedies,
  ];
}

/** Under an axiomatic model. */
const HOW_IN_C =
  'In C, a load may read an older value unless something orders the newer store before it: a release that an acquire reads, a mutex, ' +
  'a join, or seq_cst. Under sc every load reads the newest value.';

function printRobustness(
  { robust, beyondSc, cycle, executions, blocked, cutsIdleLoops, error, verdict, how }: CheckReport,
  options: PrintOptions,
): string[] {
  const { width } = options;
  if (beyondSc === undefined || robust === null || how === 'robust') return [];
  const cut = cutsIdleLoops === true ? ' (waiting iterations omitted; use `--no-spin` to include them)' : '';
  if (cycle === undefined) return [`  robust: SC allows every execution${cut}`];
  const seen = `${beyondSc} of ${plural(executions + blocked, 'execution')}`;
  const count = `${beyondSc > 0 ? seen : 'some executions'} ${beyondSc === 1 ? 'is' : 'are'} impossible under sc`;
  // The failing execution has already been shown and says more.
  const { trace } = cycle;
  if (error !== undefined || trace === undefined) return [`  not robust: ${count}`];
  const isHarmless = verdict === 'verified';
  const harmless = isHarmless ? ', but none of them fails: this is not an error' : '';
  return [
    ...wrap(`not robust: ${count}${harmless}. One of them:`, width - INDENT.length, '  '),
    '',
    ...printStory(trace, { ...options, width: width - INDENT.length }),
    '',
    ...[...printWhy(trace), ...(isHarmless ? [NOT_NEEDED] : []), printSchedule(cycle.schedule)].flatMap((text) =>
      wrap(printable(text), width - INDENT.length, '  '),
    ),
    '',
  ].map((line) => (line === '' ? '' : INDENT + line));
}

const NOT_NEEDED = 'No failure requires this: do it only if the program must behave as under sc.';

export function printCycle({ edges }: CycleReport): string[] {
  const rows = edges.map(({ from, relation }) => {
    const where = from.file === undefined ? '' : `${from.file.split('/').at(-1)}:${from.line}`;
    return [from.event, where, from.effect, `→ ${relation}`];
  });
  return alignColumns(rows.map((row) => row.map(printable)));
}

/** A longer list would not be read. */
const MAX_WARNINGS = 10;

function printWarnings(results: readonly CheckReport[], { width }: PrintOptions): string[] {
  const messages = warningTexts(firstWarnings(results).flat(), results);
  const more = messages.length - MAX_WARNINGS;
  return [
    ...messages.slice(0, MAX_WARNINGS).flatMap((message) => wrap(`warning: ${printable(message)}`, width, '  ')),
    ...(more > 0 ? [`and ${plural(more, 'more warning')} (see \`--json\`)`] : []),
    ...whatRacesAre(results).flatMap((text) => wrap(text, width, '  ')),
  ];
}

function printOutput({ output }: TraceReport): string[] {
  if (output === '') return [];
  return [
    'output:',
    ...output
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `  ${printable(line)}`),
  ];
}

/** Drops the events after a race, which are irrelevant to it. */
function upToRace(trace: TraceReport): TraceReport {
  const last = trace.events.findLastIndex(({ races }) => races !== undefined);
  return last < 0 ? trace : { ...trace, events: trace.events.slice(0, last + 1) };
}
