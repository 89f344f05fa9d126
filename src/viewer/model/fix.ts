/** The findings of `fix`, in words and tables. */

import { modelNamed } from '../../models/index.ts';
import { accessText, withoutBuffer } from '../../report/access-text.ts';
import type { AnyReport } from '../../report/page-data.ts';
import type { ChangeReport, FixReport, SourcePlace } from '../../report/schema.ts';
import { plural } from '../../report/text.ts';
import type { EventPlace } from '../../report/trace-schema.ts';
import { CHANGE_NAMES } from '../../report/writers/change-names.ts';
import { listText } from '../../util/list-text.ts';

export interface ShownChange {
  readonly title: string;
  readonly place: string;
  readonly cost: string;
  /** The accesses that the change keeps in order. */
  readonly why: string | undefined;
  /** The models that need the change, if known. */
  readonly askedBy: string | undefined;
  readonly model: string | undefined;
  readonly cycle: readonly CycleRow[];
}

/** An event on the cycle and how it precedes the next one; the last precedes the first. */
export interface CycleRow {
  readonly thread: string;
  readonly line: string;
  readonly effect: string;
  readonly relation: string;
}

export interface ModelRow {
  readonly model: string;
  /** The verdict on the unfixed program; absent if that was not explored. */
  readonly before?: string;
  readonly after?: { readonly verdict: string; readonly note: string };
}

export interface ShownFix {
  readonly headline: string;
  /** The goal holds, with or without changes, and no bound cut the search. */
  readonly isGood: boolean;
  /** Further remarks. */
  readonly notes: readonly string[];
  readonly models: readonly ModelRow[];
  readonly removed: readonly string[];
  readonly changes: readonly ShownChange[];
  readonly changesTitle: string;
  readonly others: readonly string[];
  readonly patch: string;
}

export function fixesOf({ fixes = [], results }: AnyReport): readonly ShownFix[] {
  return fixes.map((fix) => {
    const { changes = [], removed = [], weakest = [], others = [], hasMore = false, cost = 0 } = fix;
    const { patch = '', outcome } = fix;
    const isMinimised = removed.length > 0 || weakest.length > 0;
    return {
      headline: headlineOf(fix),
      isGood: (outcome === 'fixed' || outcome === 'unneeded') && fix.bounds.length === 0,
      notes: notesOf(fix),
      models: modelRows(fix, results),
      removed: [
        ...removed.map(({ place, before, after }) => {
          const becomes = after === null ? 'is not needed' : `can be a ${nameOf(after)}`;
          return `The ${nameOf(before)} at ${placeText(place)} ${becomes}.`;
        }),
        ...weakest.map(({ place, what, now, could }) => {
          const becomes = now === could ? 'is needed' : could === null ? 'is not needed' : `can be ${could}`;
          return `The ${now} ${what} at ${placeText(place)} ${becomes}.`;
        }),
      ],
      changes: changes.map((change) => shownChange(change, isMinimised)),
      changesTitle: isMinimised ? 'What is kept' : 'Changes',
      others: [
        ...others.map((set) => set.map(shortChange).join(', ')),
        ...(hasMore ? [`and more of cost ${cost}`] : []),
      ],
      patch,
    };
  });
}

function nameOf(kind: string): string {
  return (CHANGE_NAMES as Readonly<Record<string, string>>)[kind] ?? kind;
}

/** A headline that rests on a search which a bound cut short says so: the note below it is easily missed. */
function headlineOf(fix: FixReport): string {
  const { outcome, goal, models, changes = [], removed = [], weakest = [], cost = 0, bounds } = fix;
  const under = `under ${listText(models.map((m) => m.toUpperCase()))}`;
  const wanted = `${goal} ${under}`;
  const isBounded = bounds.length > 0;
  const within = isBounded ? 'Within the bounds: ' : '';
  const [stays, becomes] = isBounded ? ['stays', 'becomes'] : ['Stays', 'Becomes'];
  switch (outcome) {
    case 'fixed':
      if (weakest.length > 0) return `${within}${stays} ${wanted} with weaker orders, cost ${cost}`;
      if (removed.length > 0) {
        const kept =
          changes.length === 0 ? 'without any fence' : `with ${plural(changes.length, 'fence')}, cost ${cost}`;
        return `${within}${stays} ${wanted} ${kept}`;
      }
      return `${within}${becomes} ${wanted} with ${plural(changes.length, 'change')}, cost ${cost}`;
    case 'unneeded':
      if (!isBounded) return `Is ${wanted}: no change needed`;
      return goal === 'robust'
        ? `No execution beyond SC found within the bounds ${under}: no change suggested`
        : `No failure found within the bounds ${under}: no change suggested`;
    case 'sc':
      return 'Already fails under SC, which no fence can fix';
    case 'impossible':
      return `Cannot be made ${wanted} by fences or stronger orders`;
    default:
      return `Stopped before a fix was found${bounds.length === 0 ? '' : `: ${bounds.join('; ')}`}`;
  }
}

function notesOf({ outcome, bounds, written }: FixReport): readonly string[] {
  return [
    ...(written === true ? ['The files were changed.'] : []),
    ...(outcome !== 'stopped' && bounds.length > 0 ? [`Valid only up to a bound: ${bounds.join('; ')}.`] : []),
    ...(outcome === 'fixed' ? ['This holds for the threads and calls of this program; other uses may need more.'] : []),
    ...(outcome === 'impossible'
      ? ['With every fence between statements and every stronger order a bad execution is still possible.']
      : []),
  ];
}

function modelRows({ proofs = [], models, goal }: FixReport, results: AnyReport['results']): readonly ModelRow[] {
  const names = [...new Set([...results.map((r) => r.model), ...models])];
  const rows = names.map((model): ModelRow => {
    const before = results.find((r) => r.model === model)?.verdict;
    const proof = proofs.find((p) => p.model === model);
    const verdict = proof?.verdict === 'verified' && goal === 'robust' ? 'robust' : proof?.verdict;
    return {
      model,
      ...(before === undefined ? {} : { before: before === 'violation' && goal === 'robust' ? 'not robust' : before }),
      ...(proof === undefined ? {} : { after: { verdict: verdict!, note: plural(proof.executions, 'execution') } }),
    };
  });
  return rows.filter(({ before, after }) => before !== undefined || after !== undefined);
}

function shownChange({ kind, place, cost, orders, askedBy }: ChangeReport, isKept: boolean): ShownChange {
  return {
    title: isKept ? `Keep the ${nameOf(kind)} at` : `${capital(nameOf(kind))} ${isFence(kind) ? 'before' : 'of'}`,
    place: placeText(place),
    cost: `cost ${cost}`,
    askedBy: askedBy === undefined ? undefined : `asked for by ${listText(askedBy.map((m) => m.toUpperCase()))}`,
    why:
      orders === undefined
        ? undefined
        : `${access(orders.late)} must ${reach(orders.model)} before ${access(orders.early)} happens.`,
    model: orders?.model,
    cycle: (orders?.cycle ?? []).map(({ event, relation }) => ({
      thread: event.thread,
      line: event.line === undefined ? '' : `line ${event.line}`,
      effect: withoutBuffer(event.effect),
      relation,
    })),
  };
}

/** What the late access must do before the early one; the language's model has no store buffers. */
function reach(model: string): string {
  return modelNamed(model).isAxiomatic ? 'happen' : 'reach memory';
}

function shortChange({ kind, place }: ChangeReport): string {
  return `${nameOf(kind)} ${isFence(kind) ? 'before' : 'of'} ${placeText(place)}`;
}

function isFence(kind: ChangeReport['kind']): boolean {
  return kind.endsWith('-fence');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function access(event: EventPlace): string {
  return `${accessText(event)}${event.line === undefined ? '' : ` (line ${event.line})`}`;
}

/** The file's base name: the full path is above the diff. */
function placeText(place: SourcePlace | null): string {
  return place === null ? 'an unknown location' : `${place.file.split('/').at(-1)}:${place.line}`;
}
