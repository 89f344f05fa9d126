/**
 * Help texts: three examples for each command, with options that exist; descriptions of the memory models, which are
 * true.
 */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { makeProgram } from '../../src/cli/run.ts';
import { COMMAND_NAMES } from '../../src/cli/shared/command-names.ts';
import { MODELS } from '../../src/models/index.ts';
import { CHECK } from '../../src/options/check.ts';
import { parseSeconds } from '../../src/options/parsers.ts';
import { VERSION } from '../../src/platform/version.ts';
import { fencepost } from '../support/fencepost.ts';

/** The command lines below "Examples:". */
function examplesIn(help: string): readonly string[] {
  const [, examples] = help.split('\nExamples:\n');
  return (examples ?? '').split('\n').filter((line) => line.startsWith('    '));
}

describe.each(COMMAND_NAMES)('%s --help', (name) => {
  it('has three examples, with options that exist', async () => {
    const { exit, stdout } = await fencepost([name, '--help']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^Exit code: /m);
    expect(stdout).toMatch(/^Manual: docs\/\w+\.md$/m);
    const examples = examplesIn(stdout);
    expect(examples.length).toBeGreaterThanOrEqual(3);
    expect(examples.some((line) => line.includes(`fencepost ${name}`))).toBe(true);
    for (const line of examples) {
      const [, used, rest] = /fencepost (\w+)(.*?)(?: -- .*|["']?$)/.exec(line) ?? [];
      if (used === undefined) continue;
      const command = makeProgram(used, () => {}).commands.find((known) => known.name() === used);
      expect(command, line).toBeInstanceOf(Command);
      const known = command!.options.flatMap(({ short, long }) => [short, long]);
      for (const word of rest!.split(' ')) if (/^-[a-zA-Z-]/.test(word)) expect(known, line).toContain(word);
    }
  });

  it('is not wider than a terminal', async () => {
    const { stdout } = await fencepost([name, '--help']);
    const isMeant = (line: string): boolean => line.length > 80 && !line.includes('{"full-fence"');
    expect(stdout.split('\n').filter(isMeant)).toEqual([]);
  });
});

describe('check --help', () => {
  it('shows first the options that most users need', async () => {
    const { stdout } = await fencepost(['check', '--help']);
    const headings = stdout.split('\n').filter((line) => /^[A-Z][^.]*:$/.test(line));
    expect(headings).toEqual([
      'Arguments:',
      'Most used:',
      'How the program is compiled and started:',
      'What is asked, and how it is searched:',
      'Where results go:',
      'Options:',
      'Examples:',
    ]);
    const most = stdout.split('\nMost used:\n')[1]!.split('\n\n')[0]!;
    expect(most.match(/--[\w-]+(?= )/g)!.slice(0, 7)).toEqual(
      expect.arrayContaining(['--define', '--include-path', '--model', '--timeout', '--jobs', '--html']),
    );
  });
});

describe('what was meant is said', () => {
  it.each([
    [['ok.c'], 'ok.c is no command; to check it: fencepost check ok.c'],
    [['SB.litmus'], 'SB.litmus is no command; to check it: fencepost litmus SB.litmus'],
    [['check'], 'as in `fencepost check driver.c`'],
    [['check', '--nope', 'x.c'], '(try fencepost check --help)'],
    [['check', 'x.c', '--timeout', '5 minutes'], 'such as 10, 0.5, 30s, 5m or 1h'],
  ])('for %j', async (args, says) => {
    const { exit, stderr } = await fencepost(args);
    expect(exit).toBe(2);
    expect(stderr).toContain(says);
  });

  it.each([
    ['x86', 'tso'],
    ['ARM', 'rc11'],
    ['c11', 'rc11'],
    ['c++20', 'rc11'],
  ])('for --model %s, which is %s', (word, name) => expect(CHECK.models.parse!(word)).toEqual([name]));

  it('for 1m, which is a time', () =>
    expect([parseSeconds('1m'), parseSeconds('0.5h'), parseSeconds('7s')]).toEqual([60, 1800, 7]));
});

describe.each(MODELS)('help $name', ({ name, help }) => {
  it('prints what the registry says', async () => {
    const { exit, stdout } = await fencepost(['help', name]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${name}: `));
    const flat = stdout.replaceAll(/\s+/g, ' ');
    for (const text of [help.allows, help.use, help.example.outcome]) expect(flat).toContain(text);
  });

  it('has an example that the model allows and sc does not', async () => {
    const models = name === 'sc' ? name : `sc,${name}`;
    const { stdout } = await fencepost(['litmus', help.example.litmus, '--model', models, '--json']);
    const { results } = JSON.parse(stdout) as { results: { model: string; condition: { holds: boolean } }[] };
    expect(results.map(({ model, condition }) => [model, condition.holds])).toEqual(
      name === 'sc'
        ? [['sc', false]]
        : [
            ['sc', false],
            [name, true],
          ],
    );
  });

  // "tso forbids it", "though sc, tso and pso forbid it"
  const [, others] = /(?:though | )((?:\w+, )*\w+(?: and \w+)?) forbids? it/.exec(help.example.outcome) ?? [];
  it.runIf(others !== undefined)('is forbidden by the models that it names', async () => {
    const models = others!.split(/, | and /).join(',');
    const { stdout } = await fencepost(['litmus', help.example.litmus, '--model', models, '--json']);
    const { results } = JSON.parse(stdout) as { results: { condition: { holds: boolean } }[] };
    expect(results.map(({ condition }) => condition.holds)).toEqual(results.map(() => false));
  });
});

it('lists all models, and refuses topics that it does not know', async () => {
  const { stdout } = await fencepost(['help', 'models']);
  for (const { name, help } of MODELS)
    expect(stdout).toMatch(new RegExp(`^ +${name} +${help.title.slice(0, 12)}`, 'm'));
  const { exit, stderr } = await fencepost(['help', 'mips']);
  expect(exit).toBe(2);
  expect(stderr).toContain('there is no help about "mips"; expected a command (check, ');
});

it('--version prints our version, and which clang is used', async () => {
  for (const option of ['--version', '-V']) {
    const { exit, stdout } = await fencepost([option]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^fencepost ${VERSION}\nclang.*: \\d+\\..*\n(?:clang for C\\+\\+: .*\n)?node: \\d+`),
    );
  }
});
