/** Reads a report of `fencepost check` back; anything else is refused in words. */
import { MODELS } from '../machine/memory/index.ts';
import type { Model } from '../machine/memory/memory.ts';
import { type CheckCommandReport, SCHEMA } from './schema.ts';

/** The report, or what is wrong with it. */
export function parseReport(text: string): CheckCommandReport | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not a JSON document';
  }
  if (!isRecord(value) || value['schema'] !== SCHEMA) return `not a report of version ${SCHEMA}`;
  if (value['command'] !== 'check') return 'not a report of fencepost check';
  const { input, results } = value;
  if (!isRecord(input) || !Array.isArray(results)) return 'the report is incomplete';
  const isSound = isSoundInput(input) && results.every(isSoundResult);
  return isSound ? (value as unknown as CheckCommandReport) : 'the report is damaged';
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
  const lists = ['files', 'arguments', 'defines', 'undefines', 'includePaths', 'includes'];
  const hasSpurious = input['spurious'] === undefined || input['spurious'] === true;
  const { files, sources } = input;
  const hasSources =
    sources === undefined ||
    (Array.isArray(sources) &&
      sources.every((s) => isRecord(s) && typeof s['file'] === 'string' && typeof s['sha256'] === 'string'));
  return (
    lists.every((name) => isTexts(input[name])) &&
    Array.isArray(files) &&
    files.length > 0 &&
    typeof input['entry'] === 'string' &&
    isAbsentOr('string', input['standard']) &&
    isAbsentOr('string', input['program']) &&
    hasSpurious &&
    hasSources
  );
}

function isSoundResult(result: unknown): boolean {
  if (!isRecord(result) || !MODELS.includes(result['model'] as Model) || typeof result['file'] !== 'string')
    return false;
  const { error } = result;
  if (error === undefined) return true;
  return (
    isRecord(error) &&
    ['schedule', 'kind', 'message'].every((name) => typeof error[name] === 'string') &&
    isAbsentOr('string', error['originalSchedule'])
  );
}
