/** `.bc` files on a machine whose PATH has no clang: npm's reads them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '@yowasp/clang';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { check, compileC, refusal, verdict } from '../../../../test/support/c.ts';
import { bitcodeTarget, isBitcode } from './bitcode.ts';

const source = (expected: number): string => `typedef unsigned long thread;
int pthread_create(thread *, const void *, void *(*)(void *), void *), pthread_join(thread, void **);
void abort(void);
int x;
void *f(void *p) { x = 1; return p; }
int main(void) {
  thread t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  if (x != ${expected}) abort();
}
`;

async function assemble(text: string, flags: readonly string[]): Promise<Uint8Array> {
  const silent = { stdout: () => {}, stderr: () => {}, fetchProgress: () => {} };
  const args = [...flags, '-c', '-emit-llvm', 'a.c', '-o', 'a.bc'];
  const files = await commands.clang(args, { 'a.c': text }, silent);
  return files!['a.bc'] as Uint8Array;
}

let empty: string;

beforeEach(() => {
  empty = mkdtempSync(join(tmpdir(), 'fencepost-test-'));
  vi.stubEnv('PATH', empty);
  vi.stubEnv('FENCEPOST_CLANG', undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(empty, { recursive: true, force: true });
});

it.each([
  ['x86_64-linux-gnu', '-O0'],
  ['x86_64-linux-gnu', '-O2'],
  ['aarch64-linux-gnu', '-O0'],
])('files of bitcode are checked (%s, %s)', async (target, level) => {
  const [right, wrong] = [
    await assemble(source(1), [`--target=${target}`, level, '-g']),
    await assemble(source(2), [`--target=${target}`, level]),
  ];
  expect(isBitcode(right)).toBe(true);
  expect(bitcodeTarget(right)).toMatch(target.split('-')[0]!);
  expect(verdict(check(await compileC({ 'right.bc': right }), 'sc'))).toBe('verified');
  expect(verdict(check(await compileC({ 'wrong.bc': wrong }), 'sc'))).toMatch(/abort/);
});

it('files of bitcode are refused without npm’s clang, with what to do', async () => {
  const bytes = await assemble('int main(void) { return 3; }', ['--target=x86_64-linux-gnu']);
  vi.stubEnv('FENCEPOST_YOWASP', empty);
  const { message } = await refusal({ 'a.bc': bytes });
  expect(message).toMatch(
    /no clang: there is no clang .* on the PATH, and the npm package @yowasp\/clang is not installed/,
  );
  expect(message).toMatch(/"llvm-dis .*a\.bc" makes a \.ll file, which needs none/);
});
