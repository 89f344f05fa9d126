import { expect, test } from 'vitest';
import { parseDependencies } from './dependencies.ts';

test('the names in a make rule', () => {
  expect(parseDependencies('')).toEqual([]);
  expect(parseDependencies('ir: a.c\n')).toEqual(['a.c']);
  expect(parseDependencies('ir: a.c b\\ c/d.h \\\n  /x/y.h a.c \\\r\n  z\\#1$$.h \\\n')).toEqual([
    'a.c',
    'b c/d.h',
    '/x/y.h',
    'z#1$.h',
  ]);
  expect(parseDependencies('ir: C:\\x\\a.c C:\\b.h\n')).toEqual(['C:\\x\\a.c', 'C:\\b.h']);
});
