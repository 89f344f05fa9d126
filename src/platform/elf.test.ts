import { expect, it } from 'vitest';
import { ElfSymbols, plainName } from './elf.ts';

it.each([
  ['flag', 'flag'],
  ['_ZL4flag', 'flag'],
  ['_ZL5added.0', 'added'],
  ['_ZN4pool4sizeE', 'pool::size'],
  ['_ZZ4mainE4done', 'main::done'],
  ['_ZZ4mainE4done_0', 'main::done'],
  ['_ZN3fooC2Ev', '_ZN3fooC2Ev'],
  ['_Z', '_Z'],
])('%s is called %s', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});

it.each([['/no/such/file'], [import.meta.filename]])('finds nothing in %s', (path) => {
  expect(ElfSymbols.read(path).at(0x1000)).toBeUndefined();
});
