/** Which files a compilation read, and where else clang looked for them. */
import { isAbsolute, posix, relative } from 'node:path';

/**
 * The prerequisites of the one rule that `clang -MD` writes. Names are escaped for make: a space and a `#` are preceded
 * by a backslash, backslashes before a space are doubled, a dollar is doubled, and a backslash continues a line.
 * Nothing else separates names: a tab, for example, is part of one.
 */
export function parseDependencies(rule: string): readonly string[] {
  const text = rule.replace(/\\\r?\n/g, ' ');
  const colon = text.indexOf(': ');
  const names = text.slice(colon + 1).match(/(?:\\[ #]|\$\$|[^ \n])+/g) ?? [];
  return [...new Set(names.map(withoutEscapes))];
}

function withoutEscapes(name: string): string {
  return name
    .replace(/(\\*)\\ /g, (_, doubled: string) => `${doubled.slice(doubled.length / 2)} `)
    .replace(/\\#/g, '#')
    .replaceAll('$$', '$');
}

/** A path as `clang -MD` writes it: without leading `./`. The rest is unchanged, since a folder may be a link. */
export function plainPath(path: string): string {
  const slashes = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return slashes.replace(/^(?:\.\/+)+(?=.)/, '');
}

/** A folder as it appears at the beginning of plain paths; empty for the current one. */
export function plainFolder(folder: string): string {
  const path = plainPath(folder).replace(/(?<=.)\/+$/, '');
  return path === '.' ? '' : path;
}

/** Without resolving `..`: what precedes it may be a link. */
export function absolutePath(path: string, cwd: string): string {
  return isAbsolute(path) ? path : `${cwd}/${path}`;
}

/**
 * The name by which a file in a folder is included; both paths are plain. `undefined` if the file is not in the folder.
 */
function nameIn(path: string, folder: string): string | undefined {
  const start = folder === '' || folder === '/' ? folder : `${folder}/`;
  const isAbove = path.startsWith(start) && !(folder === '' && isAbsolute(path));
  return isAbove ? path.slice(start.length).replace(/^\/+/, '') : undefined;
}

/**
 * Where clang may have looked for the files that it read. Clang joins a folder and the name in the directive; the
 * folder is that of the file with the directive, if the name is in quotes, or one of those that are searched. So this
 * lists every such name in every such folder, except in `fixed`: nothing in it ever changes, so what is found there
 * beside the file with the directive always will be. Files in `ours` include only in angle brackets. All paths are
 * plain.
 */
export function candidates(
  read: readonly string[],
  searched: readonly string[],
  { fixed, ours }: { readonly fixed?: string | undefined; readonly ours?: string } = {},
): readonly string[] {
  const isQuiet = (file: string): boolean =>
    [fixed, ours].some((folder) => folder !== undefined && isInside(file, folder));
  const including = read.filter((file) => !isQuiet(file)).map((file) => plainFolder(posix.dirname(file)));
  const folders = [...new Set([...searched, ...including])];
  const names = new Set<string>();
  for (const file of read) {
    for (const folder of folders) {
      const name = nameIn(file, folder);
      if (name !== undefined && name !== '') names.add(name);
    }
  }
  const open = folders.filter((folder) => fixed === undefined || !isInside(folder, fixed));
  const paths = new Set(open.flatMap((folder) => [...names].map((name) => joinPlain(folder, name))));
  for (const path of read) paths.delete(path);
  return [...paths];
}

/** Joins a folder and a name as clang does. */
export function joinPlain(folder: string, name: string): string {
  if (isAbsolute(name)) return name;
  return plainPath(folder === '' ? name : folder === '/' ? `/${name}` : `${folder}/${name}`);
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}
