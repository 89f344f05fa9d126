/** The layers, from the bottom to the top: a folder imports only from folders listed before it, types included. */
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { FILES, IMPORTS, importsOf, isCode } from '../support/imports.ts';

/** From the bottom up. ARCHITECTURE.md says what each one is. */
const LAYERS: readonly string[] = `
  util platform program models
  machine/state machine/code machine/events machine/memory machine/run machine/generated machine machine/describe
  trace monitor explore explore/dpor explore/dpor/machine explore/frontier explore/graph explore/retrace explore/relaxer fix
  frontend/litmus frontend/llvm/clang frontend/llvm/ir frontend/llvm/lower frontend/llvm
  options pipelines pipelines/fix pipelines/hunt workers cluster monitor/log
  report report/story report/writers
  api serve cli/shared cli/commands cli . viewer/model viewer
  playground playground/node playground/engine playground/page playground/build`
  .trim()
  .split(/\s+/);

/** The bottom is 0; a folder that the table lacks is below it and may import nothing. */
const layerOf = (file: string): number => LAYERS.indexOf(posix.dirname(file));

it('imports only downwards', () => {
  expect(FILES.filter((file) => layerOf(file) < 0)).toEqual([]);
  const upwards = ([file, paths]: readonly [string, readonly string[]]): readonly string[] =>
    paths.filter((path) => layerOf(path) > layerOf(file)).map((path) => `${file} → ${path}`);
  expect([...IMPORTS].flatMap(upwards)).toEqual([]);
});

it.each([
  "import { run } from '../explore/explore.ts';",
  "import type { Run } from '../explore/explore.ts';",
  "export * from '../explore/explore.js';",
  "let run: import('../explore/explore.ts').Run;",
  'await import(/* not found before */ `../explore/explore.ts`);',
  "import.meta.resolve('../explore/explore.ts');",
  "new Worker(new URL('../explore/explore.ts', import.meta.url));",
])('finds an import in %j', (code) => {
  expect(importsOf('machine/machine.ts', code)).toEqual(['explore/explore.ts']);
});

it.each(['a.ts', 'a.tsx', 'a.js', 'a.mjs', 'a.cjs', 'a.mts'])('looks into files such as %s', (file) => {
  expect(isCode(file)).toBe(true);
});
