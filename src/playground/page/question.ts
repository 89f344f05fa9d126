/** The question: a program, a command and its options. */
import { defaultLitmusModels, defaultModels, type Model, modelsWith } from '../../models/index.ts';
import type { Program } from '../engine/messages.ts';
import { EXAMPLES, RECORDINGS } from '../examples.ts';
import { exampleOf, nameOf, optionsOf, textOf } from './examples.ts';

/** `record` is missing: it compiles for a real machine, which a browser does not have. Its recordings can be pasted. */
export const COMMANDS = ['check', 'robust', 'fix', 'hunt', 'litmus', 'monitor'] as const;
export type Command = (typeof COMMANDS)[number];

export interface Question {
  /** The name of the file; its extension determines the kind. */
  readonly name: string;
  readonly text: string;
  /** Headers and further sources of the same program. */
  readonly others: readonly Program[];
  readonly command: Command;
  /** `undefined`: the command's default. */
  readonly models: readonly string[] | undefined;
  /** The rest of the command line. */
  readonly options: string;
}

export const LANGUAGES = ['C', 'C++', 'litmus test', 'recording'] as const;
export type Language = (typeof LANGUAGES)[number];
const ENDINGS: Readonly<Record<Language, string>> = {
  C: '.c',
  'C++': '.cpp',
  'litmus test': '.litmus',
  recording: '.jsonl',
};

/** Valid names have no folder and cannot be taken for options. */
export function isNameOfMain(name: string): boolean {
  return /^\w[\w+.-]*\.(?:c|cpp|litmus|jsonl)$/.test(name);
}

export function isNameOfOther(name: string): boolean {
  return /^\w[\w+.-]*\.(?:c|cpp|h|hpp)$/.test(name);
}

export function filesOf({ name, text, others }: Question): readonly Program[] {
  return [{ name, text }, ...others];
}

/** Whether a program of this language can have several files. */
export function hasFiles({ name }: Question): boolean {
  return ['C', 'C++'].includes(languageOf(name));
}

export function isSameProgram(one: Question, other: Question): boolean {
  return JSON.stringify(filesOf(one)) === JSON.stringify(filesOf(other));
}

export function languageOf(name: string): Language {
  return LANGUAGES.find((language) => name.endsWith(ENDINGS[language])) ?? 'C';
}

/** The same program, with a file name of this language. */
export function inLanguage(question: Question, language: Language): Question {
  if (language === 'recording' && exampleOf(question) !== undefined) return questionOf(RECORDINGS[0]!);
  const name = question.name.replace(/\.[^.]*$/, '') + ENDINGS[language];
  const changed = { ...question, name };
  return withFitting({
    ...changed,
    others: hasFiles(changed) ? question.others.filter((file) => file.name !== name) : [],
  });
}

export function commandsFor(name: string): readonly Command[] {
  switch (languageOf(name)) {
    case 'litmus test':
      return ['litmus', 'robust'];
    case 'recording':
      return ['monitor'];
    default:
      return ['check', 'robust', 'fix', 'hunt'];
  }
}

function withFitting(question: Question): Question {
  const fitting = commandsFor(question.name);
  return fitting.includes(question.command) ? question : { ...question, command: fitting[0]!, models: undefined };
}

export function questionOf(path: string): Question {
  return withFitting({
    name: nameOf(path),
    text: textOf(path) ?? '',
    others: [],
    command: 'check',
    models: undefined,
    options: optionsOf(path),
  });
}

/** Whether no clang is needed: a litmus test, or an example that was compiled when the site was built. */
export function isAnsweredAtOnce(question: Question): boolean {
  const { command, options } = question;
  const path = exampleOf(question);
  const example = EXAMPLES.find((known) => known.path === path);
  if (example === undefined) return path !== undefined;
  // `fix` compiles the program with its changes.
  return command !== 'fix' && [example.options, example.fixed].includes(options.trim());
}

interface Choice {
  readonly known: readonly Model[];
  readonly usual: readonly Model[];
}

/** The models to choose from, and those that are used by default. */
export function modelsOf({ command, text }: Question): Choice {
  switch (command) {
    case 'check':
      return { known: modelsWith('check'), usual: defaultModels('check') };
    case 'robust':
      return { known: modelsWith('monitors'), usual: modelsWith('monitors') };
    case 'fix':
      return { known: modelsWith('fix'), usual: modelsWith('fix') };
    case 'hunt':
      return { known: modelsWith('hunt'), usual: defaultModels('hunt') };
    case 'monitor':
      return { known: [], usual: [] };
    case 'litmus':
      return { known: modelsWith('litmus'), usual: defaultLitmusModels(/^C\b/.test(text)) };
  }
}

/** Splits a command line into words, with quotes as in a shell. */
function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(.)/g, '$1'),
    ),
  );
}

function sourcesOf(question: Question): readonly string[] {
  return filesOf(question)
    .map(({ name }) => name)
    .filter((name) => !/\.h(?:pp)?$/.test(name));
}

/** The words after `fencepost` on the command line. */
export function argumentsOf(question: Question): readonly string[] {
  const { command, models, options } = question;
  const model = models === undefined ? [] : ['--model', models.join(',')];
  return [command, ...sourcesOf(question), ...model, ...splitWords(options)];
}

export function commandLine(question: Question): string {
  const { command, models, options } = question;
  const model = models === undefined ? '' : ` --model ${models.join(',')}`;
  return `fencepost ${command} ${sourcesOf(question).join(' ')}${model}${options.trim() === '' ? '' : ` ${options.trim()}`}`;
}
