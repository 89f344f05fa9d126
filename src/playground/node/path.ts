/** `node:path`, as on POSIX. */
import { cwd } from './process.ts';

export const sep = '/';
export const delimiter = ':';

export function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

/** The segments of a path, without `.`, and without `..` where it can be resolved. */
function segments(path: string): string[] {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isAbsolute(path)) kept.push(part);
  }
  return kept;
}

export function normalize(path: string): string {
  const plain = `${isAbsolute(path) ? '/' : ''}${segments(path).join('/')}`;
  if (plain === '') return path.endsWith('/') && path !== '' ? './' : '.';
  return path.endsWith('/') && plain !== '/' ? `${plain}/` : plain;
}

export function join(...parts: readonly string[]): string {
  return normalize(parts.filter((part) => part !== '').join('/'));
}

export function resolve(...parts: readonly string[]): string {
  const from = parts.findLastIndex(isAbsolute);
  const all = from < 0 ? [cwd(), ...parts] : parts.slice(from);
  return `/${segments(all.join('/')).join('/')}`;
}

export function relative(from: string, to: string): string {
  const [a, b] = [segments(resolve(from)), segments(resolve(to))];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return [...a.slice(same).map(() => '..'), ...b.slice(same)].join('/');
}

export function dirname(path: string): string {
  const plain = path.replace(/(?<=.)\/+$/, '');
  const end = plain.lastIndexOf('/');
  if (end < 0) return '.';
  return plain.slice(0, end).replace(/\/+$/, '') || '/';
}

export function basename(path: string, ending = ''): string {
  const name = path.replace(/\/+$/, '').split('/').at(-1)!;
  return name !== ending && name.endsWith(ending) ? name.slice(0, name.length - ending.length) : name;
}

export function extname(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 || name === '..' ? '' : name.slice(dot);
}

export const posix = { sep, delimiter, isAbsolute, normalize, join, resolve, relative, dirname, basename, extname };
export default posix;
