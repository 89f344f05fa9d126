/** `fencepost init`: a driver, the code that it checks and a CI file, to start from. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { packaged } from '../../platform/package-folder.ts';
import { VERSION } from '../../platform/version.ts';
import { printable } from '../../report/text.ts';
import { EXIT_VERIFIED } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { usage } from '../shared/program.ts';

/** Paths in the package, and below the user's folder. */
const FILES: readonly (readonly [from: string, to: string])[] = [
  ['driver.c', 'fencepost/driver.c'],
  ['ring.h', 'fencepost/ring.h'],
  ['fencepost.yml', '.github/workflows/fencepost.yml'],
];

const HELP: HelpEnd = {
  notes: `Writes ${FILES.map(([, to]) => to).join(', ')}.`,
  exit: '0 written; 2 a file exists already, and nothing was written.',
  examples: [
    ['Start in this folder, and check the example:', 'fencepost init', 'fencepost check fencepost/driver.c'],
    ['Start in another folder:', 'fencepost init ~/queue'],
    ['After making a release in ring.h relaxed, find what is missing:', 'fencepost fix fencepost/driver.c'],
  ],
  manual: ['docs/driver.md'],
};

export function addInitCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('init')
    .summary('copy a starter driver, example and CI file')
    .description(
      'Copies a small program that checks a ring buffer, and a workflow that checks it on GitHub, into a folder. Replace the ' +
        'ring with your own code. Files that exist are never changed.',
    )
    .argument('[folder]', 'the root of your project', '.');
  addHelpEnd(command, HELP).action((folder: string) => finish(runInitCommand(folder)));
}

function runInitCommand(folder: string): number {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile() === true)
    return usage(`${printable(folder)}: is a file, not a folder`);
  const files = FILES.map(([from, to]) => ({ from: packaged(`recipes/start/${from}`), to: join(folder, to) }));
  const existing = files.filter(({ to }) => existsSync(to));
  if (existing.length > 0) {
    const names = existing.map(({ to }) => printable(to)).join(', ');
    return usage(`nothing was written: ${names} ${existing.length === 1 ? 'exists' : 'exist'} already`);
  }
  try {
    for (const { from, to } of files) {
      makeFolder(dirname(to));
      // Pins the version: a newer one may find more, which should not break a build on its own.
      writeFileSync(to, readFileSync(from, 'utf8').replaceAll('fencepost@VERSION', `fencepost@${VERSION}`), {
        flag: 'wx',
      });
      process.stdout.write(`wrote ${printable(to)}\n`);
    }
  } catch (error) {
    return usage(`cannot write: ${(error as Error).message}`);
  }
  process.stdout.write(`Now: npx fencepost check ${printable(join(folder, 'fencepost/driver.c'))}\n`);
  return EXIT_VERIFIED;
}

/** With those that it is in. (`mkdirSync` itself never returns where none can be made, such as in /proc.) */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}
