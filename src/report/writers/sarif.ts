/**
 * A report as SARIF 2.1.0 (OASIS), which code hosts and editors show beside the source. The failing execution is a code
 * flow with one thread flow per thread; `executionOrder` is the number of the event.
 */
import { pathToFileURL } from 'node:url';
import { packaged } from '../../platform/package-folder.ts';
import { VERSION } from '../../platform/version.ts';
import { toMarkdown, withoutCode } from '../../util/code-text.ts';
import type { ProblemReport, Report } from '../schema.ts';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { casesOf } from './cases.ts';
import { type ColumnOf, codePointColumns } from './code-points.ts';
import { type Finding, type FindingKind, KINDS } from './findings.ts';
import type { LineEdit } from './line-edits.ts';

const RULES = Object.keys(KINDS) as FindingKind[];

export function printSarif(report: Report): string {
  const columnOf = codePointColumns();
  const findings = casesOf(report).flatMap((c) =>
    c.isRepeated ? [] : c.findings.map((f) => ({ ...f, model: c.model })),
  );
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Fencepost',
            semanticVersion: VERSION,
            rules: RULES.map(rule),
          },
        },
        invocations: [
          {
            executionSuccessful: report.problems.length === 0,
            toolExecutionNotifications: report.problems.map((problem) => notification(problem, columnOf)),
          },
        ],
        columnKind: 'unicodeCodePoints',
        results: findings.map((finding) => result(finding, columnOf)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function rule(id: FindingKind) {
  const { title, help, page } = KINDS[id];
  const [file, anchor] = page.split('#') as [string, string?];
  const docs = pathToFileURL(packaged(`docs/${file}`)).href;
  return {
    id,
    shortDescription: { text: `${title}.` },
    help: messageOf(`${help} See \`docs/${page}\`.`),
    helpUri: anchor === undefined ? docs : `${docs}#${anchor}`,
  };
}

/** Plain text, and Markdown with names and expressions as code. */
function messageOf(sentence: string) {
  const text = withoutCode(sentence);
  return text === sentence ? { text } : { text, markdown: toMarkdown(sentence) };
}

function notification(problem: ProblemReport, columnOf: ColumnOf) {
  return { level: 'error', message: { text: problem.message }, locations: [location(problem, columnOf)] };
}

function result(finding: Finding & { readonly model: string }, columnOf: ColumnOf) {
  const { kind, level, message, id, trace, schedule, model, related = [], edits = [] } = finding;
  const isOpen = level === 'open';
  const flows = trace === undefined ? [] : threadFlows(trace, columnOf);
  return {
    ruleId: kind,
    ruleIndex: RULES.indexOf(kind),
    kind: isOpen ? 'open' : 'fail',
    level: isOpen ? 'none' : level,
    message: messageOf(message),
    locations: [location(finding, columnOf)],
    ...(related.length === 0 ? {} : { relatedLocations: related.map((place) => location(place, columnOf)) }),
    ...(edits.length === 0 ? {} : { fixes: [fix(edits)] }),
    ...(id === undefined ? {} : { partialFingerprints: { 'fencepost/v1': id } }),
    ...(flows.length === 0 ? {} : { codeFlows: [{ threadFlows: flows }] }),
    properties: { model, ...(schedule === undefined ? {} : { schedule }) },
  };
}

/** The parts of the patch that belong to one finding; the proof covers only the patch as a whole. */
function fix(edits: readonly LineEdit[]) {
  const files = [...new Set(edits.map(({ file }) => file))];
  return {
    description: { text: 'Part of a patch that was proved as a whole: apply the fixes of all results of its rule.' },
    artifactChanges: files.map((file) => ({
      artifactLocation: { uri: uriOf(file) },
      replacements: edits.filter((edit) => edit.file === file).map(replacement),
    })),
  };
}

/** Replaces whole lines, with their line ends, unless the last one has none. */
function replacement({ line, removed, added }: LineEdit) {
  return {
    deletedRegion: { startLine: line, startColumn: 1, endLine: line + removed, endColumn: 1 },
    insertedContent: { text: added.map((text) => `${text}\n`).join('') },
  };
}

function threadFlows(trace: TraceReport, columnOf: ColumnOf) {
  return trace.threads.flatMap(({ thread, function: name }) => {
    const own = trace.events
      .map((event, i) => ({ event, order: i + 1 }))
      .filter(({ event }) => event.thread === thread && event.file !== undefined);
    if (own.length === 0) return [];
    return [
      {
        id: thread,
        message: { text: `thread ${thread}${name === undefined ? '' : `: ${name}`}` },
        locations: own.map(({ event, order }) => flowLocation(event, order, columnOf)),
      },
    ];
  });
}

function flowLocation(event: EventReport, order: number, columnOf: ColumnOf) {
  const waits = event.buffers === '' ? '' : ` [not in memory yet: ${event.buffers}]`;
  return {
    executionOrder: order,
    importance: event.aside === true ? 'unimportant' : 'important',
    location: { ...location(event, columnOf), message: { text: `${event.effect}${waits}` } },
  };
}

interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

function location({ file = '', line, column }: Place, columnOf: ColumnOf) {
  const artifactLocation = { uri: uriOf(file) };
  if (line === undefined || line < 1) return { physicalLocation: { artifactLocation } };
  const start = column === undefined || column < 1 ? {} : { startColumn: columnOf(file, line, column) };
  return { physicalLocation: { artifactLocation, region: { startLine: line, ...start } } };
}

/** A path as a URI reference: relative paths stay relative. */
function uriOf(path: string): string {
  // Lone surrogates cannot be encoded; replacement characters can.
  const text = Buffer.from(path, 'utf8').toString('utf8');
  const parts = process.platform === 'win32' ? text.replaceAll('\\', '/') : text;
  const encoded = parts.split('/').map(encodeURIComponent).join('/');
  if (encoded.startsWith('/')) return `file://${encoded}`;
  // A colon would make the part before it a scheme; encodeURIComponent has turned it into %3A.
  return encoded;
}
