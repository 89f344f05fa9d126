/** The files of `src`, without tests, and the files that each of them names, types and code for other threads included. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const root = new URL('../../src/', import.meta.url);

/** Relative to `src`. */
export const FILES: readonly string[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter(isCode);

export function isCode(file: string): boolean {
  return /(?<!\.test)\.[cm]?[jt]sx?$/.test(file);
}

export const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/**
 * What `file` imports in any form, relative to `src`: every relative path between quotes, and whatever is named for a
 * URL. So a comment between `import(` and the path hides nothing, and neither does `import.meta.resolve`.
 */
export function importsOf(file: string, code: string = read(file)): readonly string[] {
  const named = [...code.matchAll(/(['"`])(\.\.?\/[^'"`\s]*)\1|\bURL\(\s*(['"`])([^'"`\s]+)\3/g)];
  const paths = named.map(([, , relative, , inUrl]) => posix.join(posix.dirname(file), (relative ?? inUrl)!));
  return paths.map((path) => (FILES.includes(path) ? path : path.replace(/\.js(x?)$/, '.ts$1')));
}

/** Of each file: its imports within `src`. */
export const IMPORTS: ReadonlyMap<string, readonly string[]> = new Map(
  FILES.map((file) => [file, importsOf(file).filter((path) => FILES.includes(path))]),
);
