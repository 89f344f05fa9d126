/** The size of programs. */
import { readFileSync } from 'node:fs';

/** Lines without comments and blank lines; `file` is relative to `programs/`. */
export function linesOf(file: string): number {
  const text = readFileSync(new URL(`../programs/${file}`, import.meta.url), 'utf8');
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*/g, '');
  return code.split('\n').filter((line) => line.trim() !== '').length;
}
