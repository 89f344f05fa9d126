/** Where a boundary is stricter than the layers (`layers.test.ts`). Cycles between files are Biome's to find. */
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { FILES, IMPORTS, importsOf, isCode, read } from '../support/imports.ts';

/** From `program` to `explore`: what runs a program, and decides how. */
const RUNS_PROGRAMS = /^(?:program|models|machine|trace|monitor(?!\/log)|explore)\//;

/** What the files import together, as folders. */
function foldersOf(files: readonly string[]): readonly string[] {
  const paths = files.flatMap((file) => IMPORTS.get(file)!);
  return [...new Set(paths.map((path) => posix.dirname(path)))].sort();
}

/** The imports and exports that are there when the program runs: not those of types alone. */
function valuesFrom(file: string): readonly string[] {
  const statements = [...read(file).matchAll(/^(?:import|export)\b(?!\s+type\b)([^;'"]*)from\s+(['"])(\.[^'"]+)\2/gm)];
  return statements
    .filter(([, names]) => !/^\s*\{/.test(names!) || /[{,]\s*(?!type\b)\w/.test(names!))
    .map(([, , , path]) => posix.join(posix.dirname(file), path!));
}

it('imports no code from outside src', () => {
  const outside = FILES.flatMap((file) =>
    importsOf(file)
      .filter((path) => path.startsWith('../') && isCode(path))
      .map((path) => `${file} → ${path}`),
  );
  // Only where threads run from the sources.
  expect(outside).toEqual(['workers/thread.ts → ../bench/bundled.mjs']);
});

it('keeps the machine out of the search', () => {
  const folders = foldersOf(FILES.filter((file) => posix.dirname(file) === 'explore/dpor'));
  expect(folders).toEqual(['explore', 'explore/dpor', 'util']);
});

it('keeps machines and searches out of the front-ends', () => {
  const folders = foldersOf(FILES.filter((file) => file.startsWith('frontend/')));
  expect([...new Set(folders.map((folder) => folder.split('/')[0]))]).toEqual(['frontend', 'platform', 'program']);
});

it('runs a program the same way every time: no clock, no files, no chance from program to explore', () => {
  const packages = /\b(?:(?:from|import)\s+['"]|(?:import|require|resolve)\s*\(\s*['"`])(?!\.|node:assert['"`])/;
  const things =
    /(?<![\w/.'])(?:process|performance|crypto|globalThis)(?:\.|\?\.|\[)|\bset(?:Timeout|Interval|Immediate)\(|\bMath\.random\b/;
  const clock = /\bDate(?:\.now|\()|\bnew Date\b/;
  const inner = FILES.filter((file) => RUNS_PROGRAMS.test(file));
  expect(inner.length).toBeGreaterThan(200);
  const found = inner.filter((file) => {
    const code = read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    return [packages, things, clock].some((pattern) => pattern.test(code));
  });
  expect(found).toEqual([]);
});

it('builds no machine for a report outside report/story', () => {
  const engine = /^(?:machine|explore|pipelines|trace|monitor|fix|frontend)\//;
  const outside = FILES.filter((file) => file.startsWith('report/') && !file.startsWith('report/story/'));
  expect(outside.length).toBeGreaterThan(10);
  expect(outside.filter((file) => valuesFrom(file).some((path) => engine.test(path)))).toEqual([]);
});

/** What these files need when they run, themselves included. */
function reachedFrom(folders: RegExp): readonly string[] {
  const reached = new Set<string>();
  const waiting = FILES.filter((file) => folders.test(file));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...valuesFrom(file).filter((path) => FILES.includes(path)));
  }
  return [...reached];
}

it('writes reports, and shows them, without a machine', () => {
  const reached = reachedFrom(/^(?:report\/writers|viewer)\//);
  expect(reached.length).toBeGreaterThan(50);
  expect(reached.filter((file) => file === 'machine/machine.ts' || file.startsWith('explore/dpor/'))).toEqual([]);
});

it("shows the pages of the viewer and the playground without Node's modules", () => {
  const reached = reachedFrom(/^(?:viewer|playground\/page)\//);
  expect(reached.length).toBeGreaterThan(80);
  expect(reached.filter((file) => /from 'node:/.test(read(file)))).toEqual([]);
});
