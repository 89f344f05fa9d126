/** `--timeout` ends clang and our reader, too: the answer is inconclusive, and names the time. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { check } from '../../../src/api/check.ts';
import { finishBy, TimeIsUp } from '../../../src/platform/time-limit.ts';
import { type FinishedHere, Folder, fencepost } from '../../support/fencepost.ts';
import { DEEP } from '../../support/tier.ts';

let folder: Folder;
beforeAll(() => {
  folder = new Folder();
});
afterAll(() => folder.remove());

const run = (args: readonly string[]): Promise<FinishedHere> => fencepost(args, { cwd: folder.path });
const late = (file: string): string =>
  `fencepost: ${file}: inconclusive: time: 10 s, used up before it was compiled and read\n`;

/** Each macro stands for ten of the one before. */
const macros = Array.from({ length: 12 }, (_, i) => `#define M${i + 1} ${`M${i} `.repeat(10)}\n`).join('');
const endless = `#define M0 +1\n${macros}int main(void) { return 0 M12; }\n`;

it.each(DEEP ? ['native', 'npm'] : ['native'])('ends the %s clang', async (clang) => {
  folder.write('endless.c', endless);
  const { exit, stdout, stderr } = await run(['check', 'endless.c', '--timeout', '1', '--clang', clang, '--json']);
  if (stderr.includes('no clang')) return;
  expect([exit, stderr]).toEqual([4, late('endless.c')]);
  expect(JSON.parse(stdout).problems).toEqual([
    { file: 'endless.c', message: 'inconclusive: time: 10 s, used up before it was compiled and read' },
  ]);
});

/** A function of so many blocks that clang has written in no time, and that we read in minutes. */
function longFunction(blocks: number): string {
  const all = Array.from({ length: blocks }, (_, i) => {
    const far = Math.max(i + 1, (i * 7919) % blocks);
    return `b${i}:\n  %v${i} = load i32, ptr %x\n  %c${i} = icmp eq i32 %v${i}, ${i + 5}\n  br i1 %c${i}, label %b${far}, label %b${i + 1}\n`;
  });
  return `define i32 @main() {\nentry:\n  %x = alloca i32\n  br label %b0\n${all.join('')}b${blocks}:\n  ret i32 0\n}\n`;
}

it('ends the reader, and the next program is read as if nothing had been', async () => {
  folder.write('long.ll', longFunction(150_000));
  for (const command of DEEP ? ['check', 'robust', 'hunt'] : ['robust']) {
    const { exit, stderr } = await run([command, 'long.ll', '--timeout', '1']);
    expect([exit, stderr]).toEqual([4, late('long.ll')]);
  }
  if (DEEP)
    await expect(check(join(folder.path, 'long.ll'), { timeout: 1 })).rejects.toThrow('inconclusive: time: 10 s');
  folder.write('short.ll', longFunction(10));
  expect((await run(['check', 'short.ll', '--model', 'sc', '--no-out', '--timeout', '60'])).exit).toBe(0);
});

it.runIf(DEEP)('ends a program that only pretends to be clang', async () => {
  folder.write(
    'clang',
    '#!/bin/sh\ncase "$1" in --version) echo "clang version 19.0.0";; -print*) ;; *) exec sleep 1000;; esac\n',
  );
  chmodSync(join(folder.path, 'clang'), 0o755);
  folder.write('main.c', 'int main(void) { return 0; }\n');
  const { exit, stderr } = await run(['check', 'main.c', '--timeout', '1', '--clang', './clang']);
  expect([exit, stderr]).toEqual([4, late('main.c')]);
});

it('interrupts any loop, and passes on results and errors of work that ends', () => {
  const soon = (): number => performance.now() + 50;
  const later = performance.now() + 100_000;
  expect(() =>
    finishBy(soon(), () => {
      for (;;);
    }),
  ).toThrow(TimeIsUp);
  expect(() => finishBy(soon(), () => /^(a+)+$/.test(`${'a'.repeat(60)}b`))).toThrow(TimeIsUp);
  expect(() => finishBy(performance.now() - 1, () => 1)).toThrow(TimeIsUp);
  expect(finishBy(later, () => 1)).toBe(1);
  expect(finishBy(Number.POSITIVE_INFINITY, () => 2)).toBe(2);
  expect(() =>
    finishBy(later, () => {
      throw new RangeError('own');
    }),
  ).toThrow(RangeError);
});
