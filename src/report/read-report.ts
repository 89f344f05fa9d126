/** Reads back a report that has schedules; rejects anything else with a reason. */
import { isModel } from '../models/index.ts';
import { isKeptCompile } from '../options/kept.ts';
import type { ReplayableReport } from './replays.ts';
import { SCHEMA } from './schema.ts';

/** The report, or a description of what is wrong with it. */
export function parseReport(text: string): ReplayableReport | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not a JSON document';
  }
  if (!isRecord(value) || value['schema'] !== SCHEMA) return `not a report of version ${SCHEMA}`;
  const { command, input, results } = value;
  if (!isCommand(command)) return 'not a report of fencepost check, robust or hunt';
  if (!isRecord(input) || !Array.isArray(results)) return 'the report is incomplete';
  if (!isSoundInput(input)) return 'the report is damaged: its input is incomplete';
  const list = LISTS[command];
  const damaged = results.findIndex((result) => !isSoundResult(result, list));
  if (damaged < 0) return value as unknown as ReplayableReport;
  const needs = list === undefined ? '' : `: it lacks the list ${list}`;
  return `the report is damaged: result ${damaged + 1} does not belong to fencepost ${command}${needs}`;
}

/** For each command, the list of cycles that every result has. */
const LISTS: Readonly<Record<ReplayableReport['command'], 'violations' | 'cycles' | undefined>> = {
  check: undefined,
  robust: 'violations',
  hunt: 'cycles',
};

function isCommand(command: unknown): command is ReplayableReport['command'] {
  return typeof command === 'string' && Object.hasOwn(LISTS, command);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isAbsentOr(type: 'string' | 'number', value: unknown): boolean {
  return value === undefined || typeof value === type;
}

function isSoundInput(input: Record<string, unknown>): boolean {
  const { files, sources, program } = input;
  const hasSources =
    sources === undefined ||
    (Array.isArray(sources) &&
      sources.every((s) => isRecord(s) && typeof s['file'] === 'string' && typeof s['sha256'] === 'string'));
  return (
    isKeptCompile(input) &&
    isTexts(files) &&
    (files as readonly string[]).length > 0 &&
    isAbsentOr('string', program) &&
    isAbsentOr('string', input['stdinSource']) &&
    hasSources
  );
}

function isSoundResult(result: unknown, list: 'violations' | 'cycles' | undefined): boolean {
  if (!isRecord(result) || !isModel(result['model']) || typeof result['file'] !== 'string') return false;
  const { error, otherErrors, cycles, violations } = result;
  if (list !== undefined && result[list] === undefined) return false;
  return (
    isSoundError(error) &&
    isAbsentOrAll(otherErrors, (other) => other !== undefined && isSoundError(other)) &&
    isAbsentOrAll(cycles, isSoundCycle) &&
    isAbsentOrAll(violations, isSoundViolation)
  );
}

function isSoundError(error: unknown): boolean {
  if (error === undefined) return true;
  return (
    isRecord(error) &&
    ['schedule', 'kind', 'message'].every((name) => typeof error[name] === 'string') &&
    isAbsentOr('string', error['originalSchedule'])
  );
}

function isAbsentOrAll(list: unknown, isSound: (item: unknown) => boolean): boolean {
  return list === undefined || (Array.isArray(list) && list.every(isSound));
}

/** Checks a cycle of a hunt. */
function isSoundCycle(cycle: unknown): boolean {
  if (!isRecord(cycle)) return false;
  const { schedule, events } = cycle;
  return schedule === undefined ? events === undefined : typeof schedule === 'string' && isTexts(events);
}

/** Checks a violation of robustness. */
function isSoundViolation(violation: unknown): boolean {
  if (!isRecord(violation) || !isRecord(violation['cycle']) || !isSoundError(violation['error'])) return false;
  const { schedule, edges } = violation['cycle'];
  const isSoundEdge = (edge: unknown): boolean =>
    isRecord(edge) && isRecord(edge['from']) && typeof edge['from']['event'] === 'string';
  return typeof schedule === 'string' && Array.isArray(edges) && edges.every(isSoundEdge);
}
