/** `fencepost help MODEL` and `fencepost help models`: describes memory models, from the registry. */
import { existsSync } from 'node:fs';
import { MODELS, modelMeant } from '../../models/index.ts';
import type { Capability, ModelDescription } from '../../models/model.ts';
import { SC } from '../../models/sc.ts';
import { packaged, pageName } from '../../platform/package-folder.ts';
import { alignColumns } from '../../report/text.ts';
import { listText } from '../../util/list-text.ts';
import { paragraphs } from './help.ts';

/** The commands that take a model, and the capability that each needs. */
const COMMANDS: readonly (readonly [command: string, capability: Capability])[] = [
  ['check', 'check'],
  ['robust', 'monitors'],
  ['fix', 'fix'],
  ['hunt', 'hunt'],
  ['litmus', 'litmus'],
];

/** The text about this topic; `undefined` if it is not about models. */
export function modelHelp(topic: string): string | undefined {
  if (topic === 'models') return listOfModels();
  const model = MODELS.find(({ name }) => name === modelMeant(topic.toLowerCase()));
  return model === undefined ? undefined : aboutModel(model);
}

function listOfModels(): string {
  const rows = MODELS.map(({ name, help }) => [`  ${name}`, help.title, help.where]);
  return `Memory models, for --model:\n\n${alignColumns(rows).join('\n')}\n\nMore about one: fencepost help tso\nManual: ${pageName('docs/models.md')}\n`;
}

function aboutModel({ name, help, capabilities }: ModelDescription): string {
  const { title, where, allows, use, example } = help;
  const commands = COMMANDS.filter(([, capability]) => capabilities[capability]).map(([command]) => command);
  // If we are installed, the test is in the package.
  const test = existsSync(example.litmus) ? example.litmus : packaged(example.litmus);
  return [
    `${name}: ${title}`,
    '',
    `Where:    ${where}`,
    `Commands: ${listText(commands)}`,
    '',
    'What it allows',
    paragraphs(allows, '  '),
    '',
    'When to use it',
    paragraphs(use, '  '),
    '',
    'An example',
    paragraphs(example.title, '  '),
    '',
    ...example.code.map((line) => `    ${line}`),
    '',
    paragraphs(example.outcome, '  '),
    `  Try it: fencepost litmus ${test} --model ${name === SC.name ? name : `${SC.name},${name}`}`,
    '',
    `Manual: ${pageName('docs/models.md')}`,
    '',
  ].join('\n');
}
