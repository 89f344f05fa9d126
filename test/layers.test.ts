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
  api serve cli/shared cli/commands cli . viewer/model viewer
  playground playground/node playground/engine playground/page playground/build`
  .trim()
  .split(/\s+/);

const root = new URL('../src/', import.meta.url);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file));

const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** The imports of each file, in any form. */
const allImports = new Map(
  files.map((file) => {
    const paths = [...read(file).matchAll(/\b(?:from|import|URL)\s*\(?\s*(['"`])(\.[^'"`]+)\1/g)].map((m) => m[2]!);
    return [file, paths.map((path) => posix.join(posix.dirname(file), path.replace(/\.js$/, '.ts')))];
  }),
);
/** Those within `src`. */
const imports = new Map([...allImports].map(([file, paths]) => [file, paths.filter((path) => files.includes(path))]));

/** The imports and exports that are there when the program runs: not those of types alone. */
function valuesFrom(file: string): readonly string[] {
  const statements = [...read(file).matchAll(/^(?:import|export)\b(?!\s+type\b)([^;'"]*)from\s+(['"])(\.[^'"]+)\2/gm)];
  return statements
    .filter(([, names]) => !/^\s*\{/.test(names!) || /[{,]\s*(?!type\b)\w/.test(names!))
    .map(([, , , path]) => posix.join(posix.dirname(file), path!));
}

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

it('imports nothing from outside src', () => {
  const outside = [...allImports].flatMap(([file, paths]) =>
    paths.filter((path) => path.startsWith('../')).map((path) => `${file} → ${path}`),
  );
  expect(outside).toEqual([]);
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
  const packages = /\b(?:from\s+|import\s+|import\(|require\()['"](?!\.|node:assert['"])/;
  const things =
    /(?<![\w/.'])(?:process|performance|crypto|globalThis)(?:\.|\?\.|\[)|\bset(?:Timeout|Interval|Immediate)\(|\bMath\.random\b/;
  const clock = /\bDate(?:\.now|\()|\bnew Date\b/;
  const found = files
    .filter((file) => inner.includes(posix.dirname(file)))
    .filter((file) => {
      const code = read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      return [packages, things, clock].some((pattern) => pattern.test(code));
    });
  expect(found).toEqual([]);
});

it('builds no machine for a report outside report/story', () => {
  const engine = /^(?:machine|explore|pipelines|trace|monitor|fix|frontend)\//;
  const outside = files.filter((file) => file.startsWith('report/') && !file.startsWith('report/story/'));
  expect(outside.length).toBeGreaterThan(10);
  expect(outside.filter((file) => valuesFrom(file).some((path) => engine.test(path)))).toEqual([]);
});

it('writes reports, and shows them, without a machine', () => {
  const reached = new Set<string>();
  const waiting = files.filter((file) => /^(?:report\/writers|viewer)\//.test(file));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...valuesFrom(file).filter((path) => files.includes(path)));
  }
  expect(reached.size).toBeGreaterThan(50);
  expect([...reached].filter((file) => file === 'machine/machine.ts' || file.startsWith('explore/dpor/'))).toEqual([]);
});
