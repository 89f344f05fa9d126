/** The cases of each command's report. */
import { normalize } from 'node:path';
import { modelNamed } from '../../models/index.ts';
import { SC } from '../../models/sc.ts';
import { messageText, printError } from '../../program/error-text.ts';
import { asCode } from '../../util/code-text.ts';
import { accessText } from '../access-text.ts';
import { NO_FAILURE } from '../harm-text.ts';
import type {
  ChangeReport,
  CheckReport,
  ErrorReport,
  FixReport,
  HuntCycleReport,
  HuntReport,
  LitmusReport,
  MonitorReport,
  Report,
  RobustReport,
  SourcePlace,
  SuiteReport,
  ViolationReport,
  WarningReport,
} from '../schema.ts';
import type { EventPlace, TraceReport } from '../trace-schema.ts';
import { CHANGE_NAMES } from './change-names.ts';
import type { Case, Finding } from './findings.ts';
import { type LineEdit, lineEdits } from './line-edits.ts';
import { distinct } from './robust.ts';
import { answerText, expectationText, nameOf } from './suite.ts';
import { firstWarnings } from './warnings.ts';

export function casesOf(report: Report): readonly Case[] {
  const cases = resultCases(report);
  const input = 'input' in report ? report.input : undefined;
  return input === undefined || 'suite' in input ? cases : cases.map((one) => inFirst(input.files, one));
}

/** A result names all files of its program; what has no place is shown at the first one. */
function inFirst(files: readonly string[], one: Case): Case {
  const [all, first] = [files.join(' '), files[0]!];
  return { ...one, findings: one.findings.map((found) => (found.file === all ? { ...found, file: first } : found)) };
}

function resultCases(report: Report): readonly Case[] {
  switch (report.command) {
    case 'check':
      return withWarnings(report.results, checkCase);
    case 'litmus':
      return report.results.map(litmusCase);
    case 'robust':
      return onceUnderSc(report.results, robustCase);
    case 'hunt':
      return onceUnderSc(report.results, huntCase);
    case 'fix':
      return report.results.map(fixCase);
    case 'monitor':
      return report.results.map(monitorCase);
    case 'suite':
      return report.results.map(suiteCase);
  }
}

/** If the program already fails under SC, the result of every model says so; only the first one counts. */
function onceUnderSc<R extends { readonly how: string }>(results: readonly R[], caseOf: (result: R) => Case): Case[] {
  const first = results.find(({ how }) => how === 'sc');
  return results.map((result) => ({ ...caseOf(result), isRepeated: result.how === 'sc' && result !== first }));
}

/** Adds each warning to the first result that has it. */
function withWarnings(results: readonly CheckReport[], caseOf: (result: CheckReport) => Case): Case[] {
  const firsts = firstWarnings(results);
  return results.map((result, i) => {
    const one = caseOf(result);
    return { ...one, findings: [...one.findings, ...warningFindings(result.file, firsts[i]!)] };
  });
}

function checkCase(result: CheckReport): Case {
  const { file, model, verdict, seconds, error, otherErrors = [], trace, how } = result;
  const findings = errorFindings(file, model, error, otherErrors, trace);
  return {
    file,
    name: file,
    model,
    seconds,
    verdict,
    isRepeated: isOfSc(how, model),
    findings: [...findings, ...open(result)],
  };
}

/** A result that was expected has no findings. */
function suiteCase(result: SuiteReport): Case {
  const { outcome, place } = result;
  const { findings, ...rest } = checkCase(result);
  const message = `${nameOf(result)}: ${expectationText(result)}`;
  const own: readonly Finding[] =
    outcome === 'unexpected' ? [{ kind: 'expectation', level: 'error', message, ...place }] : [];
  return {
    ...rest,
    name: nameOf(result),
    verdict: VERDICTS[outcome],
    answer: answerText(result),
    isRepeated: false,
    findings: outcome === 'as expected' ? [] : [...own, ...findings.map((found) => placed(found, result))],
  };
}

/** What has no place in a program of several files is shown where the suite has the program. */
function placed(found: Finding, { file, place }: SuiteReport): Finding {
  return found.file === file && file.includes(' ') ? { ...found, ...place } : found;
}

const VERDICTS: Readonly<Record<SuiteReport['outcome'], Case['verdict']>> = {
  'as expected': 'verified',
  unexpected: 'violation',
  inconclusive: 'inconclusive',
};

function litmusCase(result: LitmusReport): Case {
  const { file, test, model, verdict, condition, seconds } = result;
  const message = `the ${condition?.kind} condition of ${test} fails under ${model}`;
  const failed: readonly Finding[] =
    verdict === 'violation' ? [{ kind: 'condition', level: 'error', message, file }] : [];
  return { file, name: test, model, seconds, verdict, isRepeated: false, findings: [...failed, ...open(result)] };
}

function robustCase(result: RobustReport): Case {
  const { file, model, verdict, seconds, error, trace, violations } = result;
  const findings = [
    ...errorFindings(file, SC.name, error, [], trace),
    ...distinct(violations).map(([violation]) => violationFinding(file, model, violation!)),
    ...warningFindings(file, result.warnings),
    ...open(result),
  ];
  return { file, name: file, model, seconds, verdict, isRepeated: false, findings };
}

function violationFinding(
  file: string,
  model: string,
  { event, write, cycle, error, trace }: ViolationReport,
): Finding {
  const harm = error === undefined ? '' : `; harmful: ${printError(error)}`;
  return {
    kind: 'robustness',
    level: 'error',
    message: `can take effect before the store at ${printPlace(write)} reaches memory, under ${model}${harm}`,
    ...placeOf(event, file),
    schedule: error?.schedule ?? cycle.schedule,
    ...(trace === undefined ? {} : { trace }),
  };
}

function huntCase(result: HuntReport): Case {
  const { file, model, verdict, seconds, how, error, otherErrors = [], trace, cycles } = result;
  const findings = [
    ...errorFindings(file, how === 'sc' ? SC.name : model, error, otherErrors, trace),
    ...cycles.filter((c) => c.verdict === 'benign so far').map((cycle) => cycleFinding(file, model, cycle)),
    ...open(result),
  ];
  return { file, name: file, model, seconds, verdict, isRepeated: false, findings };
}

function cycleFinding(file: string, model: string, { places, schedule }: HuntCycleReport): Finding {
  const [late] = places;
  const names = places.map(
    ({ access, variable, line }) =>
      `${access}${variable === undefined ? '' : ` ${asCode(variable)}`} (line ${line ?? 'unknown'})`,
  );
  return {
    kind: 'robustness',
    level: 'warning',
    message: `a happens-before cycle under ${model}: ${names.join(', ')}; ${NO_FAILURE}`,
    ...placeOf(late?.file === undefined ? null : late, file),
    ...(schedule === undefined ? {} : { schedule }),
  };
}

function fixCase(result: FixReport): Case {
  const { file, models, goal, verdict, outcome, minimise, error, trace, between } = result;
  const { changes = [], removed = [], weakest = [] } = result;
  const model = models.join(',');
  const findings: Finding[] = [];
  if (outcome === 'sc') findings.push(...errorFindings(file, SC.name, error, [], trace));
  findings.push(...warningFindings(file, result.warnings));
  if (outcome === 'impossible') {
    const why = minimise === true ? 'with all its fences' : 'by fences or stronger orders';
    const advice = between === undefined ? '' : `: ${between.why}; to fix it, ${between.advice}`;
    const message = `cannot be made ${goal} under ${model} ${why}${advice}`;
    findings.push({
      kind: error?.kind ?? 'robustness',
      level: 'error',
      message,
      ...placeOf(between?.late ?? null, file),
    });
  }
  if (minimise !== true) findings.push(...changes.map((change) => changeFinding(file, change)));
  for (const { place, before, after } of removed) {
    const becomes = after === null ? 'is not needed' : `can be a ${CHANGE_NAMES[after]}`;
    const message = `this ${CHANGE_NAMES[before]} ${becomes} under ${model}`;
    findings.push({ kind: 'unneeded-fence', level: 'note', message, ...placeOf(place, file) });
  }
  for (const { place, what, now, could } of weakest) {
    if (now === could) continue;
    const becomes = could === null ? 'is not needed' : `can be ${could}`;
    const message = `this ${now} ${what} ${becomes} under ${model}`;
    findings.push({ kind: 'unneeded-fence', level: 'note', message, ...placeOf(place, file) });
  }
  return {
    file,
    name: file,
    model,
    verdict,
    isRepeated: false,
    findings: [...withEdits(findings, result), ...open({ ...result, model })],
  };
}

/** Assigns each part of the patch to the nearest finding that it concerns. */
function withEdits(
  findings: readonly Finding[],
  { patch = '', patchBytes, patchFolder = '.', written }: FixReport,
): readonly Finding[] {
  // Files in another encoding cannot be given as text, and changes already written need not be made again.
  if (patchBytes !== undefined || written === true) return findings;
  const edits = new Map<Finding, LineEdit[]>();
  const fixable = findings.filter(({ kind }) => kind === 'fence' || kind === 'unneeded-fence');
  for (const edit of lineEdits(patch, patchFolder)) {
    const distance = ({ file, line = 0 }: Finding): number =>
      normalize(file) === edit.file ? Math.abs(line - edit.line) : Number.POSITIVE_INFINITY;
    const nearest = fixable.toSorted((a, b) => distance(a) - distance(b))[0];
    if (nearest !== undefined) edits.set(nearest, [...(edits.get(nearest) ?? []), edit]);
  }
  return findings.map((finding) => (edits.has(finding) ? { ...finding, edits: edits.get(finding)! } : finding));
}

function changeFinding(file: string, { kind, place, behind, orders }: ChangeReport): Finding {
  const isOrder = !kind.endsWith('-fence');
  const what = isOrder
    ? `needs ${CHANGE_NAMES[kind]}`
    : `needs a ${CHANGE_NAMES[kind]} ${behind ? 'after' : 'before'} it`;
  const must = orders !== undefined && modelNamed(orders.model).isAxiomatic ? 'happen' : 'reach memory';
  const late = orders === undefined ? '' : `: ${access(orders.late)} must ${must} before ${access(orders.early)}`;
  return { kind: 'fence', level: 'warning', message: `${what}${late}`, ...placeOf(behind ?? place, file) };
}

function access(event: EventPlace): string {
  return `${event.kind} ${accessText(event)}${event.line === undefined ? '' : ` (line ${event.line})`}`;
}

function monitorCase(result: MonitorReport): Case {
  const { file, monitors, verdict, violations } = result;
  const findings = violations.map((violation): Finding => {
    const { monitor, model, variable, event, write, writeNumber, writer } = violation;
    const what = variable === undefined ? '' : `access of ${asCode(variable)} `;
    const store = `the store of event ${writeNumber}${write === undefined ? '' : ` at ${write}`} in thread ${writer}`;
    const message = `${what}can take effect before ${store} reaches memory, under ${model} (${monitor})`;
    return { kind: 'robustness', level: 'error', message, ...siteOf(event, file) };
  });
  // A violation is an answer. Without one, a single execution leaves the question open.
  const rest = verdict === 'violation' ? [] : open({ ...result, model: monitors.join(',') });
  return { file, name: file, model: monitors.join(','), verdict, isRepeated: false, findings: [...findings, ...rest] };
}

/** A place as logs write it: `file:line` or `file:line:column`. */
function siteOf(site: string | undefined, log: string): Pick<Finding, 'file' | 'line' | 'column'> {
  const found = /^(.+?):(\d+)(?::(\d+))?$/.exec(site ?? '');
  if (found === null) return { file: log };
  const [, file, line, column] = found;
  return { file: file!, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}

function errorFindings(
  file: string,
  model: string,
  error: ErrorReport | undefined,
  others: readonly ErrorReport[],
  trace: TraceReport | undefined,
): readonly Finding[] {
  const errors = error === undefined ? [] : [error, ...others];
  return errors.map((e, i): Finding => {
    const why = i === 0 ? trace?.explanation?.[0] : undefined;
    const thread = e.thread === undefined ? '' : `, thread ${e.thread}`;
    return {
      kind: e.kind,
      level: 'error',
      message: `${e.kind}: ${messageText(e)} (under ${model}${thread})${why === undefined ? '' : `. Why: ${why}`}`,
      ...placeOf(e, file),
      ...(e.id === undefined ? {} : { id: e.id }),
      schedule: e.schedule,
      ...(i === 0 && trace !== undefined ? { trace } : {}),
    };
  });
}

/** Races and leaks that are not errors, at the first place that they name. */
function warningFindings(file: string, warnings: readonly WarningReport[] = []): readonly Finding[] {
  return warnings.map(({ kind, message, places: [first, ...others] }) => ({
    kind,
    level: 'warning',
    message,
    ...placeOf(first ?? null, file),
    related: others,
  }));
}

/** If the verdict is inconclusive: a finding that says which bound was reached. */
function open({
  file,
  model,
  verdict,
  bounds,
}: Pick<CheckReport, 'file' | 'model' | 'verdict' | 'bounds'>): readonly Finding[] {
  if (verdict !== 'inconclusive') return [];
  const message = `inconclusive under ${model}: ${bounds.join('; ')}`;
  return [{ kind: 'inconclusive', level: 'open', message, ...placeOf(null, file) }];
}

/** Where to show a finding; if it has no place, at the program. */
function placeOf(
  place: { readonly file?: string; readonly line?: number; readonly column?: number } | null,
  file: string,
): Pick<Finding, 'file' | 'line' | 'column'> {
  const { file: own = file, line, column } = place ?? {};
  return {
    file: own,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined || column === 0 ? {} : { column }),
  };
}

function printPlace(place: SourcePlace | null): string {
  return place === null ? 'an unknown location' : `${place.file.split('/').at(-1)}:${place.line}`;
}

function isOfSc(how: CheckReport['how'], model: string): boolean {
  return how === 'sc' && model !== SC.name;
}
