/** A report as one self-contained page: the viewer, the report and the sources it quotes. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packaged } from '../../platform/package-folder.ts';
import { readSourceFile, STANDARD_INPUT } from '../../platform/standard-input.ts';
import type { AnyReport, PageData } from '../page-data.ts';
import type { TraceReport } from '../trace-schema.ts';

/** Longer files are left out of pages; the lines that steps quote remain. */
const MAX_SOURCE = 256 * 1024;

export interface Bundle {
  readonly script: string;
  readonly style: string;
}

/** The built viewer; when running from the sources, the one from the last build. */
export function readBundle(): Bundle {
  const folder = packaged('dist/viewer/bundle');
  if (!existsSync(folder)) throw new Error('the viewer has not been built; run npm run build');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { script: read('viewer.js'), style: read('viewer.css') };
}

/** The files that a report mentions; for a correct or fixed program, all its files. */
export function quotedFiles({ results, input, fixes = [] }: AnyReport): readonly string[] {
  const files = new Set<string>();
  const executions: TraceReport[] = [];
  for (const { file, trace, traces = [], error, otherErrors = [], violations = [] } of results) {
    for (const name of [file, error?.file]) if (name !== undefined) files.add(name);
    for (const other of [...otherErrors, ...violations]) if (other.trace !== undefined) executions.push(other.trace);
    executions.push(...(trace === undefined ? traces : [trace]));
  }
  for (const { events, ends } of executions) {
    for (const place of [...events, ...ends]) if (place.file !== undefined) files.add(place.file);
  }
  if (executions.length === 0 || fixes.length > 0) {
    for (const file of [...(input?.files ?? []), ...(input?.sources ?? []).map((s) => s.file)]) files.add(file);
  }
  return [...files];
}

export type ReadSource = (file: string) => string | undefined;

/** Reads relative to the current folder. */
export const readSource: ReadSource = (file) => {
  try {
    return file === STANDARD_INPUT || statSync(file).size <= MAX_SOURCE
      ? readSourceFile(file).toString('utf8')
      : undefined;
  } catch {
    return undefined;
  }
};

export function pageData(report: AnyReport, read: ReadSource = readSource): PageData {
  const sources: Record<string, string> = {};
  for (const file of quotedFiles(report)) {
    const text = read(file);
    // A file may be called `__proto__`.
    if (text !== undefined) Object.defineProperty(sources, file, { value: text, enumerable: true });
  }
  return { report, sources };
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Text between tags; only `<` and `&` are special there. */
function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

/**
 * The page around the viewer. If `data` is null, the viewer requests data from its server. Only our own script and
 * style can run in the page, whatever the data contains, and nothing can be loaded from elsewhere.
 */
export function renderPage(title: string, data: PageData | null, { script, style }: Bundle = readBundle()): string {
  // In a script, `</script` and `<!--` end it or change how it is parsed; JSON can escape `<`.
  const code = script
    .trim()
    .replace(/<\/(script)/gi, '<\\/$1')
    .replace(/<!--/g, '\\x3c!--');
  const css = style.trim();
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(css)}`,
    'img-src data:',
    ...(data === null ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const json = JSON.stringify(data).replace(/</g, '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="fencepost">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeText(title)}</title>
<style>${css}</style>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript, which is part of the page.</noscript></div>
<script type="application/json" id="data">${json}</script>
<script>${code}</script>
</body>
</html>
`;
}

/** Writes the page of a report. */
export function writeHtml(file: string, report: AnyReport, read?: ReadSource): void {
  const [first] = [...report.results, ...(report.fixes ?? []), ...(report.logs ?? [])];
  writeFileSync(file, renderPage(`${first?.file ?? report.command} · Fencepost`, pageData(report, read)));
}
