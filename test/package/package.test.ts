/**
 * Users get what `npm pack` makes: no install scripts, no source maps without sources, no dead links. It works from
 * another folder, with the functions of docs/api.md; in the deep tier on newer versions of Node, too.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt, REPOSITORY } from '../support/fencepost.ts';
import { linksOf } from '../support/markdown.ts';
import { DEEP } from '../support/tier.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-package-'));
const installed = join(folder, 'node_modules/fencepost');
let files: readonly string[];

beforeAll(async () => {
  await ensureBuilt();
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], REPOSITORY);
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  mkdirSync(installed, { recursive: true });
  run('tar', ['xzf', join(folder, archive!), '--strip-components=1', '-C', installed], folder);
  files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(installed, join(entry.parentPath, entry.name)));
  // As npm would install them.
  for (const scope of ['@types', '@yowasp']) mkdirSync(join(folder, 'node_modules', scope));
  for (const name of ['commander', 'tinyglobby', 'vitest', '@types/node', '@yowasp/clang'])
    symlinkSync(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'use.mjs'), inJavaScript(USE));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}

describe('the package', () => {
  it('runs nothing when it is installed', () => {
    const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    // npm warns about these; it runs `postprepare` only in the source repository.
    expect(Object.keys(scripts).filter((name) => /^(?:(?:pre|post)?install|prepare)$/.test(name))).toEqual([]);
  });

  it('has no source maps, which would lead nowhere', () => {
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    const scripts = files.filter((file) => /^dist\/.*\.c?js$/.test(file));
    expect(scripts.length).toBeGreaterThan(100);
    expect(scripts.filter((file) => readFileSync(join(installed, file), 'utf8').includes('sourceMappingURL='))).toEqual(
      [],
    );
  });

  it('has no link to a file that it lacks', () => {
    const pages = files.filter((file) => file.endsWith('.md'));
    expect(pages).toContain('docs/tutorial.md');
    const dead = pages.flatMap((page) =>
      linksOf(readFileSync(join(installed, page), 'utf8'))
        .filter(({ isLocal }) => isLocal)
        .filter(({ path }) => path !== '' && !existsSync(join(installed, dirname(page), path)))
        .map(({ path }) => `${page}: ${path}`),
    );
    expect(dead).toEqual([]);
  });

  it('has what its help and pages name', () => {
    for (const file of [
      'LICENSE',
      'CHANGELOG.md',
      'recipes/start/driver.c',
      'examples/spsc-ring.c',
      'litmus/SB/SB.litmus',
      'action.yml',
    ])
      expect(files).toContain(file);
  });
});

const USE = `
import { check, fix, format, hunt, InputError, litmus, replay, robust, UsageError } from 'fencepost';
const file = 'node_modules/fencepost/examples/store-buffering.c';
const report = await check(file, { models: ['sc', 'tso'] });
const wrong = await check({ source: 'int main(void) { return nothing; }' }).catch((error: unknown) => error);
const unknown = await check(file, { models: ['vax' as 'sc'] }).catch((error: unknown) => error);
console.log(
  JSON.stringify({
    check: report.results.map(({ verdict }) => verdict),
    replay: (await replay(report)).length,
    robust: (await robust(file, { models: ['tso'] })).results.map((result) => result.robust),
    fix: (await fix(file, { models: ['tso'] })).results.map(({ outcome }) => outcome),
    hunt: (await hunt(file, { models: ['tso'], runs: 5, trials: 2 })).results.map(({ verdict }) => verdict),
    litmus: (await litmus('node_modules/fencepost/litmus/SB/SB.litmus')).results.length,
    format: format(report, 'github').startsWith('::error file='),
    errors: [wrong instanceof InputError, unknown instanceof UsageError],
  }),
);
`;

const ANSWERS = {
  check: ['verified', 'violation'],
  replay: 1,
  robust: [false],
  fix: ['fixed'],
  hunt: ['violation'],
  litmus: 3,
  format: true,
  errors: [true, true],
};

/** Without the TypeScript types. */
const inJavaScript = (text: string): string => text.replaceAll(': unknown', '').replaceAll(" as 'sc'", '');

describe('the library that it brings', () => {
  const command = (): string => join(installed, 'dist/cli/main.js');
  const check = (more: NodeJS.ProcessEnv = {}) => {
    const env = { ...process.env, FENCEPOST_CACHE: '', XDG_CACHE_HOME: join(folder, 'cache'), ...more };
    const args = [command(), 'check', 'library.c', '--model', 'sc', '--no-out'];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
    return { status, text: stdout };
  };

  it('is there, and small', () => {
    const shipped = files.filter((file) => file.startsWith('dist/library/'));
    expect(shipped).toContain('dist/library/x86_64.ir');
    for (const file of shipped) expect(statSync(join(installed, file)).size).toBeLessThan(1_000_000);
  });

  it('is used as it is, and compiled once it is changed', () => {
    writeFileSync(
      join(folder, 'library.c'),
      '#include <assert.h>\n#include <stdlib.h>\nint main(void) { assert(abs(-2) == 2); return 0; }\n',
    );
    expect(check().status).toBe(0);
    // The user's file and nothing else.
    expect(readdirSync(join(folder, 'cache/fencepost/ir'))).toHaveLength(1);
    // Compiling the whole library takes long. `shipped-library.test.ts` tests which changes are noticed.
    if (!DEEP) return;
    const file = join(installed, 'lib/stdlib.c');
    const text = readFileSync(file, 'utf8');
    const changed = text.replace('int abs(int value) { return ', 'int abs(int value) { return value == -2 ? 3 : ');
    expect(changed).not.toBe(text);
    writeFileSync(file, changed);
    expect(check()).toMatchObject({ status: 1, text: expect.stringContaining('abs(-2) == 2') });
    writeFileSync(file, text);
    expect(check().status).toBe(0);
  });
});

describe('from another folder', () => {
  it('has types that fit', () => {
    // As `@jest/globals` has it.
    mkdirSync(join(folder, 'node_modules/expect'));
    writeFileSync(join(folder, 'node_modules/expect/package.json'), '{ "types": "./index.d.ts" }');
    writeFileSync(
      join(folder, 'node_modules/expect/index.d.ts'),
      'export interface Matchers<R extends void | Promise<void>, T = unknown> { toBe(other: T): R; }\n' +
        'export declare function expect<T>(value: T): Matchers<void, T>;\n',
    );
    const jest =
      "import { expect } from 'expect';\nimport 'fencepost/jest';\nawait expect(file).toBeVerified({ timeout: 9 });\n";
    const others = "import 'fencepost/vitest';\nimport 'fencepost/internals';\n";
    writeFileSync(join(folder, 'use.ts'), `${USE}${jest}${others}`);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    run(join(REPOSITORY, 'node_modules/.bin/tsc'), [...options, '--skipLibCheck', 'use.ts'], folder);
  });

  it('answers, and hides what is internal', () => {
    expect(JSON.parse(run(process.execPath, ['use.mjs'], folder))).toEqual(ANSWERS);
    const inside = spawnSync(process.execPath, ['-e', "import('fencepost/dist/index.js')"], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(inside.stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('has a command that begins a project and checks it', () => {
    const command = join(installed, 'dist/cli/main.js');
    run(process.execPath, [command, 'init', 'mine'], folder);
    const manual = run(process.execPath, [command, 'check', '--help'], folder);
    expect(manual).toMatch(/^Manual: node_modules\/fencepost\/docs\/check\.md$/m);
    const checked = run(process.execPath, [command, 'check', 'fencepost/driver.c', '--no-out'], join(folder, 'mine'));
    expect(checked).toContain('Right on every machine');
  });
});

describe.runIf(DEEP)('other versions of Node', () => {
  /** The path of this version, if npm can get it. */
  function nodeOf(version: string): string | undefined {
    const place = join(folder, `node${version}`);
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{}');
    const name = `node@npm:node-${process.platform}-${process.arch}@${version}`;
    const { status } = spawnSync('npm', ['install', '--prefer-offline', name], { cwd: place });
    return status === 0 ? join(place, 'node_modules/node/bin/node') : undefined;
  }

  it.for(['22', '24'])('answers on Node %s', (version, { skip }) => {
    const node = nodeOf(version) ?? skip(`npm cannot get Node ${version}`);
    expect(run(node, ['--version'], folder)).toMatch(new RegExp(`^v${version}\\.`));
    expect(JSON.parse(run(node, ['use.mjs'], folder))).toEqual(ANSWERS);
    const command = join(installed, 'dist/cli/main.js');
    const example = join(installed, 'recipes/start/driver.c');
    expect(run(node, [command, 'check', example, '--no-out'], folder)).toContain('Right on every machine');
  });
});
