/** `node:fs/promises`. */
import type { Buffer } from './buffer.ts';
import { failure } from './files.ts';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from './fs.ts';

export async function readFile(...args: Parameters<typeof readFileSync>): Promise<Buffer | string> {
  return readFileSync(...args);
}

export async function writeFile(...args: Parameters<typeof writeFileSync>): Promise<void> {
  writeFileSync(...args);
}

export async function mkdtemp(prefix: string): Promise<string> {
  return mkdtempSync(prefix);
}

export async function rm(...args: Parameters<typeof rmSync>): Promise<void> {
  rmSync(...args);
}

export async function symlink(_target: string, path: string): Promise<void> {
  throw failure('EPERM', 'symlink', path);
}
