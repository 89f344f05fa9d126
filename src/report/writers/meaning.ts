/**
 * What the verdicts under several models mean together, if the language's model is among them: a table and one
 * sentence.
 */
import { isModel, MODELS, modelNamed } from '../../models/index.ts';
import type { Language } from '../../models/model.ts';
import { SC } from '../../models/sc.ts';
import { listText } from '../../util/list-text.ts';
import type { CheckReport } from '../schema.ts';
import { alignColumns } from '../text.ts';

/** The parts of a report that are needed here. */
type Result = Pick<CheckReport, 'model'> & Partial<Pick<CheckReport, 'verdict' | 'error' | 'bounds'>>;

/** Empty unless there are several models, the language's among them. */
export function printMeaning(results: readonly Result[]): readonly string[] {
  const sentence = meaningOf(results);
  if (sentence === undefined) return [];
  const rows = results.map((result) => [`  ${result.model}`, whereIs(result.model), outcomeOf(result)]);
  return ['What holds where:', ...alignColumns(rows), `  ${sentence}`];
}

/** The sentence; `undefined` unless there are several models, the language's among them. */
export function meaningOf(results: readonly Result[]): string | undefined {
  const language = results.find(({ model }) => languageOf(model) !== undefined);
  return language === undefined || results.length < 2
    ? undefined
    : sentenceOf(results, language, languageOf(language.model)!);
}

/** Where the model applies. */
export function whereIs(model: string): string {
  return isModel(model) ? modelNamed(model).help.where : 'a weaker machine';
}

function languageOf(model: string): Language | undefined {
  return isModel(model) ? modelNamed(model).language : undefined;
}

function outcomeOf({ verdict, error, bounds = [] }: Result): string {
  if (verdict === 'violation') return `wrong: ${error?.kind ?? 'violation'}`;
  return verdict === 'verified' ? 'right' : `open: ${bounds[0] ?? 'stopped'}`;
}

function sentenceOf(results: readonly Result[], { verdict, error }: Result, { name, lacks }: Language): string {
  const verdictOf = (model: string): string | undefined => results.find((r) => r.model === model)?.verdict;
  if (verdictOf(SC.name) === 'violation') return 'Wrong everywhere, whatever the memory model.';
  const right = MODELS.filter(({ name }) => verdictOf(name) === 'verified');
  const machines = [...new Set(right.flatMap(({ help }) => help.machine ?? []))].join(' and ');
  const wrong = results
    .filter((r) => languageOf(r.model) === undefined && r.verdict === 'violation')
    .map(({ model }) => model);
  if (verdict === 'violation') {
    const what = error?.kind === 'race' ? 'a data race' : 'wrong';
    const rest = `in ${name} ${what}: the compiler or an ARM machine may break it.`;
    const under = `under ${listText(wrong)}`;
    if (wrong.length > 0) return `${machines === '' ? 'Wrong' : `Right on ${machines}, wrong`} ${under}; ${rest}`;
    return machines === '' ? `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` : `Right on ${machines}; ${rest}`;
  }
  if (wrong.length > 0) return `Wrong under ${listText(wrong)}.`;
  if (verdict === 'verified')
    return `Right on every machine and with every compiler, ${lacks.what} aside (${lacks.page}).`;
  return machines === '' ? `Open in ${name}, and so on ARM.` : `Right on ${machines}; open in ${name}, and so on ARM.`;
}
