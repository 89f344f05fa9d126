import { expect, test } from 'vitest';
import { COMPILE, type CompileChoices } from './compile.ts';
import { keepCompile, readCompile } from './kept.ts';
import { namesOf, type Option, valuesOf } from './option.ts';

const PARSED: Readonly<Record<string, string>> = { target: 'i686', optimise: '1', nondet: '0..3', futex: 'linux' };

function sampleOf({ given, isList, parse }: Option<unknown>, name: string): unknown {
  if (given !== undefined) return given;
  if (isList === true) return ['x'];
  return parse === undefined ? 'x' : parse(PARSED[name]!);
}

test('a report keeps every compile option, except those that do not change the program', () => {
  const asked = valuesOf<CompileChoices>(COMPILE, sampleOf);
  const written = JSON.parse(JSON.stringify(keepCompile(asked))) as ReturnType<typeof keepCompile>;
  const { warnings: _, clang: __, cache: ___, ...expected } = asked;
  expect(readCompile(written)).toMatchObject(expected);
  expect(namesOf(COMPILE, ({ isKept }) => isKept !== true)).toEqual(['warnings', 'clang', 'cache']);
});
