/**
 * The documentation is true: every command in a `console` block prints what the block shows, and every link leads to
 * a file that exists. How to write such blocks is in CONTRIBUTING.md. `UPDATE=1 npx vitest run test/text/docs.test.ts`
 * puts the current output into the blocks; review the difference before you keep it.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, ensureBuilt, fencepost, REPOSITORY } from '../support/fencepost.ts';
import { anchorsOf, linksOf } from '../support/markdown.ts';

const UPDATE = process.env['UPDATE'] === '1';

const documents = [
  'programs/README.md',
  ...readdirSync(REPOSITORY).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].sort();

/** A command of a block, and what the block shows below it. */
interface Example {
  readonly command: string;
  readonly shown: string;
}

const BLOCK = /^```console\n([\s\S]*?)^```$/gm;

function parseBlock(text: string): readonly Example[] {
  const examples: Example[] = [];
  for (const part of text.split(/^\$ /m)) {
    if (part === '') continue;
    const end = part.indexOf('\n');
    examples.push({ command: part.slice(0, end), shown: part.slice(end + 1) });
  }
  return examples;
}

/** A folder that looks like the repository, so that files written by the commands do not end up there. */
const place = mkdtempSync(join(tmpdir(), 'fencepost-docs-'));
for (const name of readdirSync(REPOSITORY)) {
  // Files that `fix` changes are copied: patches do not follow symbolic links.
  if (/^(?:docs|examples|programs)$/.test(name)) cpSync(join(REPOSITORY, name), join(place, name), { recursive: true });
  else if (name !== 'fencepost-out') symlinkSync(join(REPOSITORY, name), join(place, name));
}
afterAll(() => rmSync(place, { recursive: true }));

/** These need the shell: everything else runs in this process, which saves starting one for each command. */
const NEEDS_SHELL = /["'|<>;&*]/;

/** Runs the commands of a block, one after the other. */
async function runBlock(examples: readonly Example[]): Promise<readonly string[]> {
  const outputs: string[] = [];
  let exit = 0;
  for (const { command } of examples) {
    expect(command).toMatch(/^(?:npx )?fencepost |^echo |^cat /);
    const words = command.replace(/^npx /, '').split(' ');
    if (words[0] === 'fencepost' && !NEEDS_SHELL.test(command)) {
      const run = await fencepost(words.slice(1), { cwd: place });
      exit = run.exit!;
      outputs.push(run.output);
      continue;
    }
    const script = [
      `fencepost() { "${process.execPath}" "${BINARY}" "$@"; }`,
      'npx() { "$@"; }',
      'exec 2>&1',
      `(exit ${exit})`,
      command,
    ];
    const run = spawnSync('bash', ['-c', script.join('\n')], { cwd: place, encoding: 'utf8' });
    exit = run.status!;
    outputs.push(run.stdout);
  }
  return outputs;
}

/** Times differ from run to run. */
const withoutTimes = (text: string) =>
  text
    .replace(/("seconds": )[\d.e-]+/g, '$10.01')
    .replace(/( time=")[\d.]+/g, '$10.010')
    .replace(/( after )\d+\.\d\d s/g, '$10.00 s');

/** A line `...` matches any lines. */
function matches(shown: string, output: string): boolean {
  const escaped = shown.split(/^\.\.\.\n/m).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[^]*')}$`).test(output);
}

describe.each(documents)('%s', (name) => {
  const path = join(REPOSITORY, name);
  const text = readFileSync(path, 'utf8');
  const blocks = [...text.matchAll(BLOCK)];

  beforeAll(ensureBuilt);

  it.runIf(blocks.length > 0)('shows what its commands print', async () => {
    let updated = text;
    for (const [whole, contents] of blocks) {
      const examples = parseBlock(contents!);
      const outputs = (await runBlock(examples)).map(withoutTimes);
      const isTrue = examples.every(({ shown }, i) => matches(withoutTimes(shown), outputs[i]!));
      if (isTrue) continue;
      const now = examples.map(({ command }, i) => `$ ${command}\n${outputs[i]}`).join('');
      if (!UPDATE) expect(contents).toBe(now);
      updated = updated.replace(whole, () => `\`\`\`console\n${now}\`\`\``);
    }
    if (updated !== text) writeFileSync(path, updated);
  });

  const lines = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) => block!.split('\n'));
  const commands = lines
    .map((line) => line.replace(/ +#.*/, '').split(' && ').at(-1)!)
    .filter((line) => /^(npx )?fencepost /.test(line));
  const isPattern = (line: string): boolean => /[[<…]/.test(line) || line.startsWith('fencepost serve');

  it.runIf(commands.some((line) => !isPattern(line)))('has no command that fails', async () => {
    const examples = commands.filter((line) => !isPattern(line)).map((command) => ({ command, shown: '' }));
    const exits = await runBlock(examples.flatMap((example) => [example, { command: 'echo exit $?', shown: '' }]));
    examples.forEach(({ command }, i) => {
      expect(exits[2 * i + 1], command).toMatch(/^exit [014]\n$/);
    });
  });

  it.runIf(commands.some(isPattern))('names only options that exist', async () => {
    for (const line of commands.filter(isPattern)) {
      const [help] = await runBlock([{ command: `fencepost ${line.split(' ')[1]} --help`, shown: '' }]);
      for (const [, option] of line.matchAll(/[ [](--?[a-zA-Z][a-z-]*)/g)) expect(help, line).toContain(option);
    }
  });

  it('has no broken link', () => {
    const broken = linksOf(text)
      .filter(({ isLocal }) => isLocal)
      .filter(({ path, anchor }) => !leadsSomewhere(join(dirname(name), path), path === '' ? name : undefined, anchor))
      .map(({ path, anchor }) => `${path}#${anchor}`);
    expect(broken).toEqual([]);
  });

  it('names no file of the repository that does not exist', () => {
    const named = [...text.matchAll(/`((?:src|test|bench|programs|recipes|examples|litmus|include)\/[\w./+-]*)`/g)];
    expect(
      named.map(([, path]) => path!).filter((path) => !/[A-Z]{4}/.test(path) && !existsSync(join(REPOSITORY, path))),
    ).toEqual([]);
  });
});

/** Whether there is such a file, with such a heading if it is a page; `page` instead of the file, if given. */
function leadsSomewhere(file: string, page: string | undefined, anchor: string): boolean {
  const path = join(REPOSITORY, page ?? file);
  if (!existsSync(path)) return false;
  return anchor === '' || !path.endsWith('.md') || anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
}

it('compares with the numbers that were measured', () => {
  const rowsOf = (page: string): readonly string[] => {
    const text = readFileSync(join(REPOSITORY, page), 'utf8');
    const table = text.slice(text.indexOf('| program | graphs | GenMC | Fencepost |\n'));
    return table.slice(0, table.indexOf('\n\n')).split('\n');
  };
  expect(rowsOf('docs/compared.md').length).toBeGreaterThan(5);
  expect(rowsOf('docs/compared.md')).toEqual(rowsOf('docs/performance.md'));
});
