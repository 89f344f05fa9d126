/** Functions that a program has under the name of one of ours. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileProgram } from '../../../src/frontend/llvm/clang/clang.ts';
import { HEADERS } from '../../../src/frontend/llvm/clang/library.ts';
import { DECLARED_ONLY } from '../../../src/frontend/llvm/clang/own-names.ts';
import { compileC, PLAIN, refusal, runAlone, sourceFolder } from '../../support/c.ts';

it('do not clash with what our headers only declare, nor, if they are static, with the rest', async () => {
  const source = `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
#include <stdbool.h>
struct set { int size; };
bool remove(struct set *set, int value) { return set->size-- == value; }
void wait(struct set *set);
void wait(struct set *set) { set->size = 7; }
static int link = 4;
static void free(struct set *set) { set->size = 0; }
int main(void) {
  struct set set = {3};
  bool held = remove(&set, 3);
  printf("%d %d ", held, set.size);
  wait(&set); printf("%d ", set.size);
  free(&set); printf("%d %d\\n", set.size, link);
}
`;
  expect(runAlone(await compileC(source))).toBe('1 2 7 0 4\n');
});

it('each file has its own', async () => {
  const sources = {
    'a.c': `#include <stdio.h>\nint remove(int x) { return x + 1; }\nint other(void);\nint main(void) { printf("%d %d\\n", remove(1), other()); }`,
    'b.c': `#include <stdio.h>\nstatic int remove(int x) { return x + 2; }\nint other(void) { return remove(1); }`,
  };
  expect(runAlone(await compileC(sources))).toBe('2 3\n');
});

it('clash with what our library defines', async () => {
  const { message } = await refusal(
    `#include <string.h>\nint strlen(int x) { return x; }\nint main(void) { return 0; }`,
  );
  expect(message).toMatch(/test\.c:2:5: error: conflicting types for 'strlen'/);
});

it('other mistakes are clang’s to report', async () => {
  const { message } = await refusal(
    `#include <stdio.h>\nint remove(int x) { return y; }\nint main(void) { return 0; }`,
  );
  expect(message).toMatch(/test\.c:2:28: error: use of undeclared identifier 'y'/);
});

it('nothing of ours calls what is only declared, so a program may mean its own', async () => {
  const { library } = await compileProgram([join(sourceFolder('int main(void) { return 0; }'), 'test.c')], PLAIN);
  // Instructions and initialisers, but neither declarations nor calls of a function that is static there.
  const called = new Set<string>();
  for (const { ir } of library) {
    const own = new Set(Array.from(ir.matchAll(/^define internal [^@]*@(\w+)/gm), ([, name]) => name));
    const lines = ir.match(/^(?: |@).*@.*/gm) ?? [];
    for (const line of lines)
      for (const [, name] of line.slice(1).matchAll(/@([a-z]\w*)/g)) if (!own.has(name!)) called.add(name!);
  }
  expect(called).toContain('strlen');
  const headers = readdirSync(HEADERS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.h'));
  let count = 0;
  for (const name of headers) {
    const [, section = ''] = readFileSync(join(HEADERS, name), 'utf8').split(DECLARED_ONLY);
    const names = Array.from(section.matchAll(/\b([a-z]\w*)\(/g), ([, found]) => found!);
    count += names.length;
    expect(
      names.filter((found) => called.has(found)),
      name,
    ).toEqual([]);
  }
  expect(count).toBeGreaterThan(300);
});
