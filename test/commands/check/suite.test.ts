/** Suites: programs checked against expected verdicts, and everything that can be wrong with a suite. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Folder, fencepost } from '../../support/fencepost.ts';

/** Fails under PSO only, unless STRONG is defined. */
const PROGRAM = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef STRONG
#define ORDER memory_order_release
#else
#define ORDER memory_order_relaxed
#endif
int data;
atomic_int ready;
static void *writer(void *p) { data = 1; atomic_store_explicit(&ready, 1, ORDER); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 1);
  pthread_join(t, 0);
  return 0;
}
`;

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
  folder.write('mp.c', PROGRAM);
});
afterEach(() => folder.remove());

async function suite(rows: readonly string[], ...args: readonly string[]) {
  folder.write('suite.tsv', rows.map((row) => `${row.replaceAll('|', '\t')}\n`).join(''));
  return await fencepost(['check', '--suite', 'suite.tsv', ...args], { cwd: folder.path });
}

it('is a table of the verdicts; 0 if all of them are expected', async () => {
  const { stdout, exit } = await suite([
    'file|defines|tso|pso|reason',
    '# comment',
    '',
    'mp.c|-|correct|fails|weak',
    'mp.c|STRONG|verified|verified',
  ]);
  expect(exit).toBe(0);
  expect(stdout).toBe(
    [
      '                tso       pso',
      'mp.c            verified  assertion',
      'mp.c -D STRONG  verified  verified',
      '',
      '2 programs: 4 of 4 verdicts as expected',
      '',
    ].join('\n'),
  );
});

it('shows what is not expected, in every format; 1', async () => {
  const rows = ['file|options|sc|pso', 'mp.c|-D STRONG|verified|deadlock', 'mp.c||assertion|verified'];
  const { stdout, exit } = await suite(rows);
  expect(exit).toBe(1);
  expect(stdout).toContain('mp.c            verified, not assertion  assertion, not verified\n');
  expect(stdout).toContain('suite.tsv:3: expected verified under pso, found violation: assertion');
  expect(stdout).toContain('2 programs: 1 of 4 verdicts as expected, 3 not\n');
  const annotations = (await suite(rows, '--reporter', 'github')).stdout.match(/^::error file=suite\.tsv,line=\d+/gm);
  expect(annotations).toEqual([2, 3, 3].map((line) => `::error file=suite.tsv,line=${line}`));
  expect((await suite(rows, '--junit')).stdout).toContain('tests="4" failures="3" errors="0"');
  expect((await suite(rows, '--json', '--model', 'sc')).stdout.match(/"outcome": ".*"/g)).toEqual([
    '"outcome": "as expected"',
    '"outcome": "unexpected"',
  ]);
});

it('a bound neither meets an expectation nor contradicts it; 4', async () => {
  const { stdout, exit } = await suite(['file|pso', 'mp.c|assertion'], '--max-executions', '1');
  expect(exit).toBe(4);
  expect(stdout).toContain('0 of 1 verdict as expected, 1 inconclusive');
});

it('an unusable program does not keep the others from being checked; 3', async () => {
  folder.write('bad.c', 'int main(void) { return x; }\n');
  const { stdout, exit } = await suite(['file|sc', 'bad.c|verified', 'mp.c|verified']);
  expect(exit).toBe(3);
  expect(stdout).toContain('1 program: 1 of 1 verdict as expected, 1 problem');
});

it('is refused with the line of everything that is wrong; 2, and nothing is checked', async () => {
  const wrong = async (...rows: readonly string[]): Promise<string> => {
    const { stdout, stderr, exit } = await suite(rows);
    expect([stdout, exit]).toEqual(['', 2]);
    return stderr;
  };
  expect(await wrong('file|tzo')).toContain('suite.tsv:1:1: unknown column "tzo"');
  expect(await wrong('sc|tso')).toContain('suite.tsv:1:1: there is no column "file"');
  expect(await wrong('file|defines', 'mp.c|X')).toContain('suite.tsv:1:1: there is no column with the verdicts');
  expect(await wrong('file|sc')).toContain('suite.tsv: an empty suite');
  const rows = [
    'file|options|sc',
    'nix.c||verified',
    'mp.c||maybe',
    'mp.c||-',
    'mp.c||verified|1',
    'mp.c|--nope|verified',
  ];
  expect((await wrong(...rows, 'mp.c||verified', 'mp.c||fails', 'mp.c|--model tso|verified')).split('\n')).toEqual([
    'fencepost: suite.tsv:2:1: no such file: nix.c',
    expect.stringContaining('suite.tsv:3:1: unknown verdict "maybe"; expected one of verified,'),
    'fencepost: suite.tsv:4:1: no verdict is expected under any model',
    'fencepost: suite.tsv:5:1: 4 cells, but 3 columns; cells are separated by tabs',
    "fencepost: suite.tsv:6:1: unknown option '--nope'",
    'fencepost: suite.tsv:8:1: the same program and model as in line 7',
    "fencepost: suite.tsv:9:1: unknown option '--model'",
    '',
  ]);
});

it('a folder has the expectations in comments', async () => {
  folder.write(
    'tests/a.c',
    `// fencepost: sc tso verified, pso fails\n// fencepost -D STRONG: pso verified\n${PROGRAM}`,
  );
  folder.write(
    'tests/b.c',
    '/* fencepost parts/c.c -I parts: sc assertion */\n#include "c.h"\nint main(void) { f(); }\n',
  );
  folder.write('tests/parts/c.c', '#include <assert.h>\nvoid f(void) { assert(0); }\n');
  folder.write('tests/parts/c.h', 'void f(void);\n');
  const run = () => fencepost(['check', '--suite', 'tests'], { cwd: folder.path });
  const { stdout, exit } = await run();
  expect(stdout).toContain('3 programs: 5 of 5 verdicts as expected');
  expect(exit).toBe(0);
  folder.write('tests/d.c', '\n// fencepost: tso\n');
  expect(await run()).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('tests/d.c:2:1: expected models and a verdict'),
  });
});

it('files that options name are those beside the table, not those of the same name elsewhere', async () => {
  folder.write('d/stub.c', '#include <assert.h>\nint helper(void);\nint main(void) { assert(helper() == 0); }\n');
  folder.write('d/input.c', '#include <assert.h>\n#include <stdio.h>\nint main(void) { assert(getchar() == 97); }\n');
  folder.write('d/stubs', 'helper=1\n');
  folder.write('d/input', 'b');
  folder.write('stubs', 'helper=0\n');
  folder.write('input', 'a');
  folder.write('d/s.tsv', 'file\toptions\tsc\nstub.c\t--stubs stubs\tfails\ninput.c\t--stdin input\tfails\n');
  const { stdout, exit } = await fencepost(['check', '--suite', 'd/s.tsv'], { cwd: folder.path });
  expect([exit, stdout]).toEqual([0, expect.stringContaining('2 of 2 verdicts as expected')]);
  folder.write('d/s.tsv', 'file\toptions\tsc\ninput.c\t--stdin inputs\tfails\n');
  const missing = await fencepost(['check', '--suite', 'd/s.tsv'], { cwd: folder.path });
  expect([missing.exit, missing.stderr]).toEqual([2, expect.stringMatching(/d\/s\.tsv:2:.*no such file.*d\/inputs/)]);
});

it.each([
  '// fencepost sc verified',
  '// Fencepost: sc verified',
  'int main(void) { return 0; } // fencepost: sc verified',
  ' * fencepost: sc verified',
])('a comment that is almost an expectation is refused: %s', async (line) => {
  folder.write('f/good.c', '// fencepost: sc verified\nint main(void) { return 0; }\n');
  folder.write('f/odd.c', `/*\n*/\n${line}\n`);
  const { stderr, exit } = await fencepost(['check', '--suite', 'f'], { cwd: folder.path });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('f/odd.c:3:')]);
});

it.each([
  ['defines', '-D A', 'takes macros'],
  ['options', '--help', 'unknown option'],
])('column %s does not take %s', async (column, cell, says) => {
  const { stderr, stdout, exit } = await suite([`file|${column}|sc`, `mp.c|${cell}|verified`]);
  expect([exit, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(new RegExp(`^fencepost: suite.tsv:2:.*${says}`)),
  ]);
});
