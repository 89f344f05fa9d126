import { expect, test } from 'vitest';
import { candidates, parseDependencies } from './dependencies.ts';

test('the names in a make rule are read', () => {
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

test('it is known where else clang may have looked', () => {
  const read = ['src/a.cpp', 'src/b/c.h', '/ours/c++/__x/y.h', '/lib/__p/q.h'];
  const searched = ['/ours/c++', '/lib'];
  const found = candidates(read, searched, { fixed: '/lib', ours: '/ours' });
  // Beside each of the user's files, and in the folders that are searched; not beside our files and the library's.
  expect(found).toEqual(
    expect.arrayContaining(['src/__x/y.h', 'src/b/__p/q.h', '/ours/c++/__p/q.h', '/ours/c++/c.h', 'src/c.h']),
  );
  expect(found.filter((path) => path.startsWith('/lib/') || path.startsWith('/ours/c++/__x'))).toEqual([]);
  const everywhere = candidates(read, searched);
  expect(everywhere).toEqual(expect.arrayContaining([...found, '/ours/c++/__x/q.h', '/lib/__p/y.h']));
});
