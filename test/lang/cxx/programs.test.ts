/**
 * Known structures in C++ (`programs/cpp`), with their orders and without one of them: the verdicts of
 * `programs/cpp/expected.tsv`. One run of clang compiles all of them, each in its own namespace.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { check } from '../../support/c.ts';
import { compileCxx } from '../../support/cxx.ts';

const FOLDER = fileURLToPath(new URL('../../../programs/cpp/', import.meta.url));
const read = (file: string): string => readFileSync(FOLDER + file, 'utf8');

const [header, ...lines] = read('expected.tsv').trimEnd().split('\n');
const ROWS = lines.map((line) => {
  const [file = '', defines = '', ...rest] = line.split('\t');
  return { file, isWeak: defines === 'WEAK', name: `${file} ${defines}`, expected: rest.slice(0, 4), reason: rest[4] };
});
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.cpp'));

const MODELS = ['sc', 'tso', 'pso', 'rc11'] as const;

const nameOf = (file: string, isWeak: boolean): string =>
  `${file.replace('.cpp', '').replace('-', '_')}${isWeak ? '_weak' : ''}`;

const includes = new Set(FILES.flatMap((file) => [...read(file).matchAll(/^#include <.*>$/gm)].map(([line]) => line)));
const SOURCE = [
  ...includes,
  '#define main entry',
  ...ROWS.flatMap(({ file, isWeak }) => [
    isWeak ? '#define WEAK' : '#undef WEAK',
    `namespace ${nameOf(file, isWeak)} {`,
    `#include "${file}"`,
    '}',
  ]),
].join('\n');

it('has every program, with all of its orders and without', () => {
  expect(header!.split('\t')).toEqual(['file', 'defines', ...MODELS, 'reason']);
  const names = FILES.sort().flatMap((file) => [`${file} -`, `${file} WEAK`]);
  expect(ROWS.map(({ name }) => name)).toEqual(names);
});

it.each(ROWS)('$name has its verdict', async ({ file, isWeak, expected }) => {
  const name = nameOf(file, isWeak);
  const sources = { 'all.cpp': SOURCE, ...Object.fromEntries(FILES.map((each) => [each, read(each)])) };
  const program = await compileCxx(sources, {
    files: ['all.cpp'],
    entry: `_ZN${name.length}${name}5entryEv`,
    uninitialised: true,
  });
  const found = MODELS.map((model) => {
    const { verdict, errors } = check(program, model, { strategy: 'optimal', spin: true });
    return verdict.kind === 'verified' ? 'correct' : (errors[0]?.error.kind ?? verdict.kind);
  });
  expect(found).toEqual(expected);
});
