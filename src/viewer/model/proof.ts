/** Results without an execution to show: how they were reached and what they rest on. */

import { blockedText } from '../../report/blocked-text.ts';
import { cutsOf, isVacuous } from '../../report/bounds.ts';
import type { AnyReport, AnyResult } from '../../report/page-data.ts';
import { isAxiomatic, searchText } from '../../report/search-text.ts';
import { plural } from '../../report/text.ts';
import { uncheckedTexts } from '../../report/unchecked-text.ts';
import { firstWarnings, warningTexts } from '../../report/writers/warnings.ts';

interface Proof {
  readonly model: string;
  readonly verdict: string;
  /** In sentences. */
  readonly how: readonly string[];
}

/** What an exhaustive search covered. */
const SEARCHED: Readonly<Record<string, string>> = {
  optimal: 'Every trace was explored, each exactly once',
  source: 'Every trace was explored',
  retrace: 'Every trace was explored, each exactly once',
  enumerate: 'Every state was visited, with every trace that leads to it',
  exhaustive: 'Every schedule was run',
  graph: 'Every execution graph was visited, each exactly once',
};

export function proofsOf({ command, results, input }: AnyReport): readonly Proof[] {
  return results.map((result) => ({
    model: result.model,
    verdict: result.verdict ?? 'unknown',
    // For `robust`, the search was under SC, and is described above.
    how: [
      ...answerOf(command, result, strategyOf(result, input?.strategy)),
      ...(result.how === 'robust' ? [] : partsOf(result)),
      ...uncheckedTexts([result]),
    ],
  }));
}

function strategyOf({ model, enumerated }: AnyResult, asked = 'optimal'): string {
  if (isAxiomatic(model)) return 'graph';
  return enumerated === undefined ? asked : 'enumerate';
}

function answerOf(command: string, result: AnyResult, strategy: string): readonly string[] {
  const { model, verdict, how, executions = 0 } = result;
  const [name, count] = [model.toUpperCase(), plural(executions, 'execution')];
  if (verdict === 'inconclusive') {
    const cuts = cutsOf(result);
    const stopped = cuts.length === 0 ? '' : ` It was stopped by: ${cuts.join('; ')}.`;
    if (isVacuous(result)) return [`No execution ran to its end, so any answer would be vacuous.${stopped}`];
    return [`No failure in ${count}, but the search was not exhaustive.${stopped}`];
  }
  if (verdict !== 'verified') return [];
  const searched = SEARCHED[strategy] ?? `Explored by the strategy ${strategy}`;
  if (command === 'robust') {
    return [
      `${searched.replace(/^(Every \S+)/, '$1 of SC')}: ${count}.`,
      `In none of them could an access overtake an earlier store, so SC allows every execution under ${name}.`,
    ];
  }
  if (how === 'robust' && isAxiomatic(model)) {
    return [
      `Every SC execution (${count}) is free of races, and all its atomic accesses are seq_cst: so C11 adds none.`,
      'What holds under SC therefore holds here.',
    ];
  }
  if (how === 'robust') {
    return [
      `Monitors watched every SC execution (${count}) and prove that ${name} adds none: the program is robust.`,
      'What holds under SC therefore holds here.',
    ];
  }
  if (how === 'subset') {
    const larger = result.subsetOf?.toUpperCase();
    return [
      `The search was stopped after ${count}, but that of ${larger}, which has all SC executions, was exhaustive.`,
      `What holds under ${larger} therefore holds here.`,
    ];
  }
  return [`${searched}: ${count}. None ends in an error.`];
}

function partsOf({ blocked = 0, blockedBy, cutsIdleLoops, robust, monitors }: AnyResult): readonly string[] {
  const { spin = 0, assume = 0, covered = 0, unroll = 0 } = blockedBy ?? {};
  const why = blockedText(blocked, [
    [spin, 'waiting in a loop'],
    [assume, 'at a failed assumption'],
    [covered, 'covered by other executions'],
    [unroll, 'at the bound on loops'],
  ]);
  return [
    ...(blocked > 0 ? [`${plural(blocked, 'more execution')} ${blocked === 1 ? 'is' : 'are'} blocked${why}.`] : []),
    ...(cutsIdleLoops === true ? ['Loop iterations that only wait were omitted.'] : []),
    ...(robust === true && monitors === undefined ? ['SC allows every execution.'] : []),
    ...(robust === false ? ['Some executions are impossible under SC, but none of them fails.'] : []),
    ...(monitors === undefined ? [] : [`Monitors: ${monitors.join(', ')}.`]),
  ];
}

/** What else must hold for a result to apply to the real program. */
export function restsOn({ results, fixes = [], input }: AnyReport): readonly string[] {
  if (input === undefined) return [];
  const bounds = [...new Set([...results, ...fixes].flatMap((r) => cutsOf(r)))];
  const { strategy, clang, entry, arguments: given, defines, undefines = [] } = input;
  const macros = [...defines.map((d) => `-D${d}`), ...undefines.map((u) => `-U${u}`)];
  return [
    `The search: strategy ${searchText(strategy, results)}, ${bounds.length === 0 ? 'without bounds' : `stopped by a bound (${bounds.join('; ')})`}.`,
    "The memory models as defined in Fencepost's docs/models.md.",
    codeText(clang === '' ? 'clang' : clang, input.optimise),
    `This program: from ${entry}()${given.length === 0 ? ' without arguments' : ` with the arguments ${given.join(' ')}`}${
      macros.length === 0 ? '' : `, compiled with ${macros.join(' ')}`
    }. Other threads, calls or inputs are other programs.`,
    ...(input.stubs !== undefined && input.stubs.length > 0
      ? [`Undefined functions were replaced by stubs: ${input.stubs.join(', ')}.`]
      : []),
    ...(input.uninitialised === true ? [] : [freshText(input.junk === true)]),
    ...(input.spurious === true ? ['Spurious wake-ups and failures of weak compare-exchanges were allowed.'] : []),
    ...(input.observations === true ? ['Results of operations were compared with those of serial executions.'] : []),
  ];
}

function freshText(isJunk: boolean): string {
  return isJunk
    ? 'Uninitialised memory held junk: bytes 0x59, which stand for any value.'
    : 'Uninitialised memory held zeroes. With other contents the program may fail.';
}

function codeText(clang: string, optimise: string | undefined): string {
  return optimise === undefined
    ? `The unoptimised code of the program, compiled by ${clang}.`
    : `The code that ${clang} makes with -O${optimise}: errors that its optimiser removed are not found, and other compilers may keep them.`;
}

/** Each warning once, whatever models it applies to. */
export function warningsOf({ results }: AnyReport): readonly string[] {
  return warningTexts(firstWarnings(results).flat(), results);
}
