/** The recipes of docs/ci.md: the files that `init` copies work, and so do the parts that can be run here. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, ensureBuilt, fencepost, REPOSITORY } from '../support/fencepost.ts';

/** Installed by .ci/run. */
const hasCmake = process.env['CI'] === 'true' || spawnSync('cmake', ['--version']).status === 0;
if (!hasCmake) console.warn('skipped: no cmake');

let folder: string;
beforeAll(ensureBuilt);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-recipes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('init', () => {
  it('copies a driver that is verified, and notices a weaker order', async () => {
    const { exit, stdout } = await fencepost(['init', folder]);
    expect(exit).toBe(0);
    expect(stdout).toContain(`Now: npx fencepost check ${join(folder, 'fencepost/driver.c')}`);
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
    const workflow = readFileSync(join(folder, '.github/workflows/fencepost.yml'), 'utf8');
    expect(workflow).toContain(`npx --yes fencepost@${version} check fencepost/driver.c`);
    const driver = join(folder, 'fencepost/driver.c');
    expect((await fencepost(['check', driver, '--no-out'])).exit).toBe(0);
    const ring = join(folder, 'fencepost/ring.h');
    writeFileSync(
      ring,
      readFileSync(ring, 'utf8').replace('written + 1, memory_order_release', 'written + 1, memory_order_relaxed'),
    );
    expect((await fencepost(['check', driver, '--no-out'])).exit).toBe(1);
  });

  it('changes nothing that is there', async () => {
    await fencepost(['init', folder]);
    writeFileSync(join(folder, 'fencepost/ring.h'), 'mine');
    const { exit, stderr } = await fencepost(['init', folder]);
    expect(exit).toBe(2);
    expect(stderr).toContain('nothing was written: ');
    expect(readFileSync(join(folder, 'fencepost/ring.h'), 'utf8')).toBe('mine');
  });
});

describe('the step of the GitHub action', () => {
  interface Step {
    readonly status: number | null;
    readonly stdout: string;
    readonly outputs: string;
  }

  /** With the variables that GitHub sets, in the user's folder. */
  function step(variables: Readonly<Record<string, string>>): Step {
    const output = join(folder, 'output');
    const { status, stdout } = spawnSync('bash', [join(REPOSITORY, 'recipes/github-check.sh')], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, FENCEPOST: BINARY, GITHUB_OUTPUT: output, ARGS: '', SARIF: '', ...variables },
    });
    const outputs = readFileSync(output, 'utf8');
    rmSync(output);
    return { status, stdout, outputs };
  }

  it('annotates, writes SARIF and gives the exit code; names may have blanks', () => {
    copyFileSync(join(REPOSITORY, 'examples/store-buffering.c'), join(folder, 'my driver.c'));
    const { status, stdout, outputs } = step({
      FILES: "'my driver.c'\n",
      ARGS: '--model\ntso\n-D "TEXT=a b"',
      SARIF: 'reports/fencepost.sarif',
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error file=my driver\.c,line=\d+/m);
    expect(outputs).toBe('sarif=reports/fencepost.sarif\nexit=1\n');
    expect(JSON.parse(readFileSync(join(folder, 'reports/fencepost.sarif'), 'utf8')).version).toBe('2.1.0');
  });

  it('annotates the line that the compiler does not understand', () => {
    writeFileSync(join(folder, 'bad.c'), 'int main(void) {\n  retrun 0;\n}\n');
    const { status, stdout, outputs } = step({ FILES: 'bad.c' });
    expect(status).toBe(3);
    expect(stdout).toMatch(/^::error file=bad\.c,line=2,col=3,.*undeclared identifier 'retrun'$/m);
    expect(outputs).toBe('exit=3\n');
  });

  it('says that no files are given', () => {
    expect(step({ FILES: ' \n' })).toEqual({
      status: 2,
      stdout: '::error::Fencepost: no files are given\n',
      outputs: 'exit=2\n',
    });
  });
});

const RING = `#include "ring.h"
#include <stdatomic.h>
#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif
static int slot;
static atomic_int full;
void put(int value) {
  slot = value;
  atomic_store_explicit(&full, 1, PUBLISH);
}
int take(int *value) {
  if (!atomic_load_explicit(&full, memory_order_acquire)) return 0;
  *value = slot;
  return 1;
}
`;
const DRIVER = `#include "ring.h"
#include <assert.h>
#include <pthread.h>
static void *producer(void *unused) {
  put(42);
  return unused;
}
int main(void) {
  pthread_t thread;
  int value;
  pthread_create(&thread, 0, producer, 0);
  if (take(&value)) assert(value == 42);
  pthread_join(thread, 0);
}
`;

/** A project as assumed by docs/ci.md, with Fencepost in its `node_modules`. */
function project(): void {
  for (const name of ['include', 'node_modules/.bin', 'node_modules/fencepost/recipes/cmake'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'include/ring.h'), 'void put(int value);\nint take(int *value);\n');
  writeFileSync(join(folder, 'ring.c'), RING);
  writeFileSync(join(folder, 'ring_driver.c'), DRIVER);
  const command = `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`;
  writeFileSync(join(folder, 'node_modules/.bin/fencepost'), command, { mode: 0o755 });
  const module = 'recipes/cmake/Fencepost.cmake';
  copyFileSync(join(REPOSITORY, module), join(folder, 'node_modules/fencepost', module));
}

/** The block of docs/ci.md in this language. */
function recipe(language: string): string {
  const page = readFileSync(join(REPOSITORY, 'docs/ci.md'), 'utf8');
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!;
}

function succeed(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

/** Not installed by .ci/run. */
const hasMeson = spawnSync('meson', ['--version']).status === 0;

describe.skipIf(!hasMeson)('Meson', () => {
  it('runs the recipe of docs/ci.md, and fails when the program does', () => {
    project();
    writeFileSync(join(folder, 'ring.tsv'), recipe('tsv'));
    writeFileSync(join(folder, 'meson.build'), `project('example')\n${recipe('meson')}`);
    succeed('meson', ['setup', 'build']);
    const stdout = succeed('meson', ['test', '-C', 'build']);
    expect(stdout).toMatch(/ring +OK/);
    expect(stdout).toMatch(/ring-versions +OK/);
    writeFileSync(join(folder, 'ring.c'), RING.replace('#ifdef RELAXED', '#ifndef RELAXED'));
    const wrong = spawnSync('meson', ['test', '-C', 'build'], { cwd: folder, encoding: 'utf8' });
    expect(wrong.status).not.toBe(0);
    expect(wrong.stdout).toMatch(/ring +FAIL .*exit status 1/);
    expect(wrong.stdout).toMatch(/ring-versions +FAIL .*exit status 1/);
  });
});

describe.skipIf(!hasCmake)('CTest', () => {
  it('runs the recipe of docs/ci.md', () => {
    project();
    writeFileSync(
      join(folder, 'CMakeLists.txt'),
      `cmake_minimum_required(VERSION 3.13)\nproject(example NONE)\n${recipe('cmake')}`,
    );
    succeed('cmake', ['-B', 'build']);
    const stdout = succeed('ctest', ['--test-dir', 'build']);
    expect(stdout).toMatch(/: ring \.+ +Passed/);
    expect(stdout).toMatch(/: ring-relaxed \.+ +Passed/);
  });

  it('passes and fails as the programs do', () => {
    const example = join(REPOSITORY, 'examples/message-passing.c');
    writeFileSync(
      join(folder, 'CMakeLists.txt'),
      `cmake_minimum_required(VERSION 3.13)
project(example NONE)
enable_testing()
include(${join(REPOSITORY, 'recipes/cmake/Fencepost.cmake')})
fencepost_add_test(NAME right SOURCES ${example} MODELS sc tso)
fencepost_add_test(NAME wrong SOURCES ${example} MODELS pso)
fencepost_add_test(NAME found SOURCES ${example} MODELS pso EXPECT violation)
fencepost_add_test(NAME missed SOURCES ${example} DEFINES RELEASE MODELS pso EXPECT violation)
fencepost_add_test(NAME bound SOURCES ${example} MODELS sc ARGS --max-executions 1)
`,
    );
    const command = join(folder, 'fencepost');
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`, { mode: 0o755 });
    const configured = spawnSync(
      'cmake',
      ['-S', folder, '-B', join(folder, 'build'), `-DFENCEPOST_COMMAND=${command}`],
      {
        encoding: 'utf8',
      },
    );
    expect(configured.stderr).toBe('');
    const { stdout } = spawnSync('ctest', ['--test-dir', join(folder, 'build'), '-j', '2'], { encoding: 'utf8' });
    const outcome = (name: string): string | undefined =>
      new RegExp(`: ${name} \\.+\\W*(Passed|Failed)`).exec(stdout)?.[1];
    expect(
      Object.fromEntries(['right', 'wrong', 'found', 'missed', 'bound'].map((name) => [name, outcome(name)])),
    ).toEqual({
      right: 'Passed',
      wrong: 'Failed',
      found: 'Passed',
      missed: 'Failed',
      bound: 'Failed',
    });
  });
});
