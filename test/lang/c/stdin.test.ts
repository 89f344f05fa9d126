/** Standard input from a file: programs read the same as on a real machine. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { check, compileC, refusal, runAlone, sourceFolder, verdict } from '../../support/c.ts';

const input = 'first line\nabcdef\n  12 3.5e1 word\nxy z 1 2\n';

const source = `#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char line[20];
  printf("%s", fgets(line, sizeof line, stdin) ? line : "null\\n");
  printf("[%s]", fgets(line, 4, stdin));
  int c = getchar();
  printf("c=%c", c);
  ungetc(c, stdin);
  printf("c=%c feof=%d\\n", getc(stdin), feof(stdin));
  char *text = 0; size_t size = 0;
  ssize_t got = getline(&text, &size, stdin);
  printf("%zd:%s", got, text);
  int a; double d; char w[10];
  int n = scanf("%d %lf %9s", &a, &d, w);
  printf("%d: %d %g %s\\n", n, a, d, w);
  got = getline(&text, &size, stdin);
  printf("%zd:%s", got, text);
  free(text);
  char block[5];
  size_t k = fread(block, 2, 2, stdin);
  printf("%zu %.4s\\n", k, block);
  int x, y; n = scanf("%d%d", &x, &y); printf("%d %d %d\\n", n, x, y);
  n = scanf("%d", &a);
  printf("%d %d %d\\n", n, getchar(), feof(stdin));
  return 0;
}
`;

/** The output with glibc, for the same input. */
const NATIVE = `first line
[abc]c=dc=d feof=0
3:ef
3: 12 35 word
1:
2 xy z
2 1 2
-1 -1 1
`;

function fileOf(contents: string): string {
  return join(sourceFolder({ 'input.txt': contents }), 'input.txt');
}

it.each([undefined, 'i686'] as const)('is read by all functions as on a real machine (target %s)', async (target) => {
  const options = { stdin: fileOf(input), ...(target === undefined ? {} : { target }) };
  expect(runAlone(await compileC(source, options))).toBe(NATIVE);
});

it('threads that read it take turns', async () => {
  const text = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static void *reader(void *p) { *(int *)p = getchar(); return 0; }
int main(void) {
  pthread_t t, u;
  int x, y;
  pthread_create(&t, 0, reader, &x);
  pthread_create(&u, 0, reader, &y);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert((x == 'f' && y == 'i') || (x == 'i' && y == 'f'));
}
`;
  const program = await compileC(text, { stdin: fileOf(input) });
  for (const model of ['sc', 'pso', 'rc11'] as const) {
    const found = check(program, model, { strategy: 'optimal' });
    expect([verdict(found), found.executions]).toEqual(['verified', 2]);
  }
});

it('a file that cannot be read, or is too large, is refused', async () => {
  const program = 'int main(void) { return 0; }';
  expect((await refusal(program, { stdin: '/nowhere/input' })).message).toContain('--stdin /nowhere/input');
  expect((await refusal(program, { stdin: fileOf('x'.repeat(70_000)) })).message).toContain('more than 65536 bytes');
});
