/** Builds the report of `fix` from its result. */

import { relative } from 'node:path';
import { printBound } from '../../explore/bound.ts';
import type { Place } from '../../fix/candidates.ts';
import type { Explanation } from '../../fix/explain.ts';
import type { Untouched } from '../../fix/present-fences.ts';
import type { WeakenedOrder } from '../../fix/present-orders.ts';
import type { EventDescription } from '../../machine/describe/describe.ts';
import { SC } from '../../models/sc.ts';
import type { ChangeResult, FixResult } from '../../pipelines/fix/fix.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { ChangeReport, FixReport, OrdersReport, SourcePlace, UntouchedReport } from '../schema.ts';
import type { SourceLines } from '../source-lines.ts';
import type { EventPlace } from '../trace-schema.ts';
import type { Executions } from './executions.ts';
import { eventPlace, sourcePlace } from './places-in-source.ts';

/** Call this before anything is written to the sources. `here`: the folder that names of files are relative to. */
export function reportFix(
  file: string,
  executions: Executions,
  result: FixResult,
  here: string = process.cwd(),
): FixReport {
  const { source } = executions;
  const common = {
    file,
    models: result.models,
    goal: result.goal,
    ...(result.minimise ? { minimise: true as const } : {}),
    outcome: result.kind,
    bounds: result.boundedBy.map(printBound),
    ...(result.boundedBy.length === 0 ? {} : { boundedBy: result.boundedBy }),
    ...(result.untouched.length === 0 ? {} : { untouched: result.untouched.map(reportUntouched) }),
  };
  const upTo = result.boundedBy.length === 0 ? 'verified' : 'inconclusive';
  switch (result.kind) {
    case 'sc':
      return { ...common, verdict: 'violation', ...reportSc(file, executions, result) };
    case 'stopped':
      return { ...common, verdict: 'inconclusive' };
    case 'unneeded':
      return { ...common, verdict: upTo, ...reportWeakest(result.orders, source) };
    case 'impossible': {
      const { between, learnt } = result;
      const { error, execution } = learnt;
      const { schedule, model } = execution;
      return {
        ...common,
        verdict: 'violation',
        model,
        ...(error === undefined ? {} : { error: executions.error(file, model, { error, schedule }) }),
        ...(between === undefined
          ? {}
          : { between: { ...reportOrders(between), why: between.why, advice: between.advice } }),
      };
    }
    case 'fixed':
      return {
        ...common,
        verdict: upTo,
        cost: result.cost,
        changes: result.changes.map((change) => reportChange(change, source)),
        ...(result.removed.length === 0
          ? {}
          : {
              removed: result.removed.map(({ place, before, after }) => ({
                place: reportPlace(place, source),
                before,
                after: after ?? null,
              })),
            }),
        ...reportWeakest(result.orders, source),
        others: result.others.map((set) => set.map((change) => reportChange(change, source))),
        hasMore: result.hasMore,
        ...reportPatch(result.patches.map(({ diff }) => diff).join('')),
        patchFolder: relative(here, result.folder) || '.',
        proofs: result.proofs.map(({ model, verdict, executions: count }) => ({
          model,
          verdict: verdict.kind,
          executions: count,
        })),
        written: false,
      };
    default:
      return unreachable(result);
  }
}

function reportSc(file: string, executions: Executions, { sc }: FixResult): Partial<FixReport> {
  const [found] = sc.errors;
  return {
    executions: sc.executions,
    blocked: sc.blocked,
    ...(sc.blocked > 0 ? { blockedBy: sc.blockedBy } : {}),
    ...(sc.warnings.length === 0 ? {} : { warnings: sc.warnings }),
    ...executions.failure(file, SC.name, found!),
  };
}

function reportWeakest(orders: readonly WeakenedOrder[], source?: SourceLines): Pick<FixReport, 'weakest'> {
  if (orders.length === 0) return {};
  const weakest = orders.map(({ place, what, now, could }) => ({
    place: reportPlace(place, source),
    what,
    now,
    could: could ?? null,
  }));
  return { weakest };
}

/** Patches keep the raw bytes of the files, which decoding to text may lose. */
function reportPatch(latin1: string): Pick<FixReport, 'patch' | 'patchBytes'> {
  const bytes = Buffer.from(latin1, 'latin1');
  const patch = bytes.toString('utf8');
  return { patch, ...(Buffer.from(patch, 'utf8').equals(bytes) ? {} : { patchBytes: bytes.toString('base64') }) };
}

function reportChange({ kind, place, cost, why, askedBy }: ChangeResult, source?: SourceLines): ChangeReport {
  const { behind } = place;
  return {
    kind,
    place: reportPlace(place, source),
    ...(behind === undefined ? {} : { behind: bareSourcePlace(behind, source) }),
    cost,
    ...(askedBy === undefined ? {} : { askedBy }),
    ...(why === undefined ? {} : { orders: reportOrders(why) }),
  };
}

function reportOrders({ model, late, early, cycle, error }: Explanation): OrdersReport {
  return {
    model,
    late: event(late),
    early: event(early),
    cycle: cycle.map(({ event: e, relation }) => ({ event: event(e), relation })),
    ...(error === undefined ? {} : { error }),
  };
}

function event(description: EventDescription): EventPlace {
  const { source, kind } = description;
  return { ...eventPlace(description), ...(source === undefined ? {} : { column: source.column }), kind };
}

function reportUntouched({ location: { file, line, column }, what, why }: Untouched): UntouchedReport {
  return { place: { file, line, column }, what, why };
}

function reportPlace({ location }: Place, source?: SourceLines): SourcePlace | null {
  return location === undefined ? null : bareSourcePlace(location, source);
}

function bareSourcePlace(location: Parameters<typeof sourcePlace>[0], source?: SourceLines): SourcePlace {
  const { variable: _, ...place } = sourcePlace(location, source);
  return place;
}
