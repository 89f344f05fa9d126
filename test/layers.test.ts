/** The layers, from the bottom to the top: a folder imports only from folders listed before it, types included. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';

/** From the bottom up. ARCHITECTURE.md says what each one is. */
const LAYERS: readonly string[] = `
  util platform program models
  machine/state machine/code machine/events machine/memory machine/run machine/generated machine machine/describe
  trace monitor explore explore/dpor explore/dpor/machine explore/frontier explore/graph explore/relaxer fix
  frontend/litmus frontend/llvm/clang frontend/llvm/ir frontend/llvm/lower frontend/llvm
  options pipelines pipelines/fix pipelines/hunt workers cluster monitor/log
  report report/story report/writers
  api serve cli/shared cli/commands cli . viewer/model viewer viewer/components
  playground playground/node playground/engine playground/page playground/build`
  .trim()
  .split(/\s+/);

const root = new URL('../src/', import.meta.url);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file));

/** The imports of each file within `src`, in any form. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(new URL(file, root), 'utf8');
    const paths = [...text.matchAll(/\b(?:from|import|URL)\s*\(?\s*(['"`])(\.[^'"`]+)\1/g)].map((match) => match[2]!);
    const own = paths.map((path) => posix.join(posix.dirname(file), path.replace(/\.js$/, '.ts')));
    return [file, own.filter((path) => files.includes(path))];
  }),
);

it('has every folder in the table', () => {
  expect([...new Set(files.map((file) => posix.dirname(file)))].filter((folder) => !LAYERS.includes(folder))).toEqual(
    [],
  );
});

it('imports only downwards', () => {
  const upwards: string[] = [];
  for (const [file, paths] of imports) {
    const layer = LAYERS.indexOf(posix.dirname(file));
    for (const path of paths) if (LAYERS.indexOf(posix.dirname(path)) > layer) upwards.push(`${file} → ${path}`);
  }
  expect(upwards).toEqual([]);
});

it('has no import cycle between files', () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const next of imports.get(file)!) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

it('keeps the machine out of the search', () => {
  const known = [...imports].filter(([file]) => posix.dirname(file) === 'explore/dpor').flatMap(([, paths]) => paths);
  expect([...new Set(known.map((path) => posix.dirname(path)))].sort()).toEqual(['explore', 'explore/dpor', 'util']);
});

it('keeps machines and searches out of the front-ends', () => {
  const known = [...imports].filter(([file]) => file.startsWith('frontend/')).flatMap(([, paths]) => paths);
  const rooms = new Set(known.map((path) => path.split('/')[0]!));
  expect([...rooms].sort()).toEqual(['frontend', 'platform', 'program']);
});

it('runs a program the same way every time: no clock, no files, no chance from program to explore', () => {
  const inner = LAYERS.slice(LAYERS.indexOf('program'), LAYERS.indexOf('fix'));
  const outside = /from 'node:(?!assert)|\b(?:performance\.now|Date\.now|new Date|Math\.random|process\.hrtime)\b/;
  const found = files
    .filter((file) => inner.includes(posix.dirname(file)))
    .filter((file) => outside.test(readFileSync(new URL(file, root), 'utf8')));
  expect(found).toEqual([]);
});

it('builds no machine for a report outside report/story', () => {
  const values =
    /^import (?!type\b)[^;]*?from '[./]*\/(machine|explore|pipelines|trace|monitor|fix|frontend)\/[^']*';/gm;
  const isTypes = (line: string): boolean => /^import \{([^}]*)\}/.test(line) && !/[{,]\s*(?!type\b)\w/.test(line);
  const outside = files.filter((file) => file.startsWith('report/') && !file.startsWith('report/story/'));
  const found = outside.flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(values)]
      .map(([line]) => line)
      .filter((line) => !isTypes(line))
      .map((line) => `${file}: ${line}`),
  );
  expect(outside.length).toBeGreaterThan(10);
  expect(found).toEqual([]);
});
