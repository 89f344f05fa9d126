/** Which files a compilation read, and which it would have read if they had existed. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/**
 * The prerequisites of the one rule that `clang -MD` writes. Names are escaped for make: a space and a `#` have a
 * backslash before them, a dollar is doubled, and lines go on after a backslash.
 */
export function parseDependencies(rule: string): readonly string[] {
  const text = rule.replace(/\\\r?\n/g, ' ');
  const colon = text.indexOf(': ');
  const names = text.slice(colon + 1).match(/(?:\\[\s#]|\$\$|\S)+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/\\([\s#])/g, '$1').replaceAll('$$', '$')))];
}

/**
 * Files that do not exist but would be found before a dependency if they did: the same name in a folder that is
 * searched earlier. The folder of an including header counts only if it is that of the source.
 */
export function shadowing(
  source: string,
  dependencies: readonly string[],
  searched: readonly string[],
  cwd: string,
): readonly string[] {
  const folders = [...new Set([dirname(source), ...searched].map((folder) => resolve(cwd, folder)))];
  const found = new Set<string>();
  for (const dependency of dependencies) {
    const path = resolve(cwd, dependency);
    // Folders can be inside one another. A header of clang's own is in none of them, and is included by its name alone.
    const homes = folders.map((folder, i) => [folder, i] as const).filter(([folder]) => isInside(path, folder));
    if (homes.length === 0) homes.push([dirname(path), folders.length]);
    for (const [home, i] of homes) {
      for (const folder of folders.slice(0, i)) found.add(join(folder, relative(home, path)));
    }
  }
  return [...found].filter((path) => !existsSync(path));
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}
