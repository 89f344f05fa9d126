/** What is asked: a program, a command and its options. */

import { type Model, modelsWith } from '../../models/index.ts';
import { RC11 } from '../../models/rc11.ts';
import { CHECK } from '../../options/check.ts';
import { FIX } from '../../options/fix.ts';
import { HUNT } from '../../options/hunt.ts';
import { EXAMPLES } from '../examples.ts';
import { exampleWith, nameOf, optionsOf, textOf } from './examples.ts';

export const COMMANDS = ['check', 'robust', 'fix', 'hunt', 'litmus'] as const;
export type Command = (typeof COMMANDS)[number];

export interface Question {
  /** Of the file; its ending says what it is. */
  readonly name: string;
  readonly text: string;
  readonly command: Command;
  /** `undefined`: the command's own choice. */
  readonly models: readonly string[] | undefined;
  /** The rest of the command line. */
  readonly options: string;
}

export const LANGUAGES = ['C', 'C++', 'litmus test'] as const;
export type Language = (typeof LANGUAGES)[number];
const ENDINGS: Readonly<Record<Language, string>> = { C: '.c', 'C++': '.cpp', 'litmus test': '.litmus' };

export function languageOf(name: string): Language {
  return LANGUAGES.find((language) => name.endsWith(ENDINGS[language])) ?? 'C';
}

/** The same program under a name of this language. */
export function inLanguage(question: Question, language: Language): Question {
  const name = question.name.replace(/\.[^.]*$/, '') + ENDINGS[language];
  return withFitting({ ...question, name });
}

/** Of litmus tests, only two commands can be asked. */
export function commandsFor(name: string): readonly Command[] {
  return languageOf(name) === 'litmus test' ? ['litmus', 'robust'] : ['check', 'robust', 'fix', 'hunt'];
}

function withFitting(question: Question): Question {
  const fitting = commandsFor(question.name);
  return fitting.includes(question.command) ? question : { ...question, command: fitting[0]!, models: undefined };
}

export function questionOf(path: string): Question {
  return withFitting({
    name: nameOf(path),
    text: textOf(path) ?? '',
    command: 'check',
    models: undefined,
    options: optionsOf(path),
  });
}

/** Without clang: a litmus test, or an example that was compiled when the site was built. */
export function isAnsweredAtOnce({ name, text, command, options }: Question): boolean {
  const path = exampleWith(name, text);
  const example = EXAMPLES.find((known) => known.path === path);
  if (example === undefined) return path !== undefined;
  // `fix` compiles the program with its changes.
  return command !== 'fix' && [example.options, example.fixed].includes(options.trim());
}

interface Choice {
  readonly known: readonly Model[];
  readonly usual: readonly Model[];
}

/** The models that can be asked, and those that are if none is named. */
export function modelsOf({ command, text }: Question): Choice {
  switch (command) {
    case 'check':
      return { known: modelsWith('check'), usual: CHECK.models.initial ?? [] };
    case 'robust':
      return { known: modelsWith('monitors'), usual: modelsWith('monitors') };
    case 'fix':
      return { known: modelsWith('fix'), usual: FIX.models.initial ?? [] };
    case 'hunt':
      return { known: modelsWith('hunt'), usual: HUNT.models.initial ?? [] };
    case 'litmus': {
      const isC = /^C\b/.test(text);
      return { known: modelsWith('litmus'), usual: isC ? [...modelsWith('dpor'), RC11.name] : modelsWith('dpor') };
    }
  }
}

/** The words of a command line, with quotes as in a shell. */
export function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(.)/g, '$1'),
    ),
  );
}

/** What the command line would have after `fencepost`. */
export function argumentsOf({ name, command, models, options }: Question): readonly string[] {
  return [command, name, ...(models === undefined ? [] : ['--model', models.join(',')]), ...splitWords(options)];
}

export function commandLine({ name, command, models, options }: Question): string {
  const model = models === undefined ? '' : ` --model ${models.join(',')}`;
  return `fencepost ${command} ${name}${model}${options.trim() === '' ? '' : ` ${options.trim()}`}`;
}
