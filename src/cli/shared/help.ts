/** The end of a command's help: notes, exit codes and examples. */
import type { Command } from 'commander';
import { pageName } from '../../platform/package-folder.ts';
import { wrap } from '../../report/writers/columns.ts';

export interface HelpEnd {
  /** Paragraphs after the options. A line that begins with a blank is kept as it is. */
  readonly notes?: string;
  /** `0 verified; 1 violation; …`. */
  readonly exit: string;
  /** What a user may want to do, and the commands that do it. At least three. */
  readonly examples: readonly (readonly [what: string, ...commands: string[]])[];
  /** Pages of the manual, the most useful first. */
  readonly manual: readonly [string, ...string[]];
}

/** The default width of commander's own help, which adapts to the terminal. */
const WIDTH = 80;

export function addHelpEnd(command: Command, { notes, exit, examples, manual }: HelpEnd): Command {
  const text = [
    ...(notes === undefined ? [] : ['', paragraphs(notes)]),
    '',
    paragraphs(`Exit code: ${exit}`),
    '',
    'Examples:',
    ...examples.flatMap(([what, ...commands]) => [`  ${what}`, ...commands.map((line) => `    ${line}`)]),
    '',
    `Manual: ${manual.map(pageName).join(', ')}`,
  ];
  return command.addHelpText('after', text.join('\n'));
}

export function paragraphs(text: string, indent = ''): string {
  const lineOf = (line: string): readonly string[] =>
    /^\s|^$/.test(line) ? [line] : wrap(line, WIDTH - indent.length, '');
  return text
    .split('\n')
    .flatMap(lineOf)
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
}
