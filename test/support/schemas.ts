/**
 * Validates documents against schemas, ours and external: returns each violation with its path, or nothing if the
 * document is valid.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { validateXML } from 'xmllint-wasm';
import { REPOSITORY } from './fencepost.ts';

type Schema = Readonly<Record<string, unknown>>;

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
const OURS = JSON.parse(read('docs/schema/fencepost-1.schema.json')) as Schema;

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const asPublished = ajv.compile(OURS);
const byCommand = new Map<string, ValidateFunction>();

/**
 * Validates one of our reports: first against the schema of its command alone, which gives precise violations and
 * allows no undescribed properties; then against the published schema.
 */
export function validateReport(report: { readonly command: string }): readonly string[] {
  const { command } = report;
  let validate = byCommand.get(command);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `#/$defs/${command}Command`, $defs: closed(OURS['$defs']) });
    byCommand.set(command, validate);
  }
  return [...problems(validate, report), ...problems(asPublished, report)];
}

/** The schema, allowing only the properties that it names. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = 'properties' in copy && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

// The schema has a pattern that is invalid in Unicode mode.
const draft7 = new Ajv({ allErrors: true, unicodeRegExp: false });
formats.default(draft7);
const sarif = draft7.compile(JSON.parse(read('test/schemas/sarif-2.1.0.json')) as Schema);

export function validateSarif(log: unknown): readonly string[] {
  return problems(sarif, log);
}

function problems(validate: ValidateFunction, value: unknown): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath}: ${message} ${JSON.stringify(params)}`;
  });
}

const JUNIT = read('test/schemas/junit-10.xsd');

export async function validateJunit(xml: string): Promise<readonly string[]> {
  const { valid, errors } = await validateXML({ xml: { fileName: 'report.xml', contents: xml }, schema: JUNIT });
  return valid ? [] : errors.map(({ rawMessage }) => rawMessage);
}
