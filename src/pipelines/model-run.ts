/**
 * A program under one model, from start to verdict. A second search follows:
 *
 *   - if a thread waits for bytes that others write in parts: then threads read while they wait
 *     ([wait-order.ts](../trace/wait-order.ts))
 *   - if a thread waits before an exchange although the values of its location make a difference: then threads execute
 *     such exchanges ([nested-waits.ts](../machine/run/nested-waits.ts))
 *   - if a thread waits for a value written by too many commuting operations: then these are ordered
 *     ([commuting-writes.ts](../trace/commuting-writes.ts))
 *   - if a search with merged arrivals at barriers shows any error: then arrivals are ordered
 *     ([merged-arrivals.ts](../explore/merged-arrivals.ts))
 *   - if workers that made random runs failed: then the search runs alone
 *   - if execution graphs of a machine's model show an error: then the machine itself is searched, whose executions
 *     have store buffers and can be displayed. The two must agree.
 */
import type { Bound, Stop } from '../explore/bound.ts';
import type { FoundError } from '../explore/found-errors.ts';
import { OrderOfArrivals } from '../explore/merged-arrivals.ts';
import { type Model, modelNamed } from '../models/index.ts';
import type { CheckOptions } from '../options/check.ts';
import type { Program } from '../program/ir.ts';
import { CommutingWait } from '../trace/commuting-writes.ts';
import { MixedWait, NestedWait } from '../trace/wait-order.ts';
import type { Alarms } from './alarms.ts';
import type { ModelRunParts } from './model-parts.ts';
import type { CheckProgress, ModelResult } from './model-result.ts';
import { ModelSearch } from './model-search.ts';
import { NotTogether } from './shared-runs.ts';
import type { SavedModelRun, SavedSearch } from './together.ts';

export type { Watched } from './model-parts.ts';
export type { CheckProgress, ModelResult } from './model-result.ts';
export type { SavedModelRun } from './together.ts';

export class ModelRun {
  readonly model: Model;
  private readonly program: Program;
  private readonly options: CheckOptions;
  private parts: ModelRunParts;
  private search: ModelSearch;
  /** The result of the execution graphs of a machine's model, once the machine is being searched. */
  private graphs: ModelResult | undefined;
  /** Whether the search has begun again with threads that read while they wait. */
  private countsOrders = false;

  /** Monitors are for SC. */
  constructor(program: Program, model: Model, options: CheckOptions, parts: ModelRunParts = {}) {
    this.program = program;
    this.model = model;
    this.options = options;
    this.parts = parts;
    this.search = new ModelSearch(program, model, options, parts);
  }

  advance(steps: number): boolean {
    try {
      return this.search.advance(steps) && !this.confirms();
    } catch (error) {
      this.beginAgain(error);
      return false;
    }
  }

  /** Begins again without what made the search impossible. */
  private beginAgain(error: unknown): void {
    if (error instanceof NestedWait) {
      this.parts = { ...this.parts, nested: false };
      return this.begin(this.options);
    }
    if (error instanceof OrderOfArrivals) {
      this.parts = { ...this.parts, merging: false };
      return this.begin(this.options);
    }
    if (error instanceof NotTogether) {
      const { helpers: _, ...alone } = this.parts;
      this.parts = alone;
      return this.begin(this.options);
    }
    const countOrders = error instanceof MixedWait;
    if (!countOrders && !(error instanceof CommutingWait)) throw error;
    this.parts = { ...this.parts, commuting: false };
    this.countsOrders = countOrders;
    this.begin(countOrders ? { ...this.options, countOrders } : this.options);
  }

  private begin(options: CheckOptions): void {
    this.search = new ModelSearch(this.program, this.model, options, this.parts);
  }

  /** Whether the machine has yet to confirm an error of the graphs; if so, begins that search. */
  private confirms(): boolean {
    const { model, options, search, graphs } = this;
    if (options.strategy !== 'graph' || modelNamed(model).isAxiomatic || graphs !== undefined) return false;
    const { result } = search;
    if (result.errors.length === 0) return false;
    this.graphs = result;
    this.begin({ ...options, strategy: 'optimal' });
    return true;
  }

  /** What the monitors found, if there are any. */
  get alarms(): Alarms | undefined {
    return this.search.alarms;
  }

  get mayWait(): boolean {
    return this.search.mayWait;
  }

  get isTogether(): boolean {
    return this.search.isTogether;
  }

  get mayCommute(): boolean {
    return this.search.mayCommute;
  }

  /** The search so far; `undefined` if it can only start over. */
  save(): SavedModelRun | undefined {
    let search: SavedSearch | undefined;
    try {
      search = this.graphs === undefined ? this.search.save() : undefined;
    } catch (error) {
      this.beginAgain(error);
    }
    if (search === undefined) return undefined;
    const { model, countsOrders, parts } = this;
    return {
      model,
      search,
      countsOrders,
      commuting: parts.commuting !== false,
      nested: parts.nested !== false,
      merging: parts.merging !== false,
    };
  }

  /** Resumes a saved search. */
  resume({ search, countsOrders, commuting, nested, merging }: SavedModelRun): void {
    this.parts = {
      ...this.parts,
      ...(commuting ? {} : { commuting }),
      ...(nested ? {} : { nested }),
      ...(merging ? {} : { merging }),
    };
    if (countsOrders || !commuting || !nested || !merging)
      this.begin(countsOrders ? { ...this.options, countOrders: true } : this.options);
    this.countsOrders = countsOrders;
    this.search.resume(search);
  }

  /** While others work on it: a promise that resolves after a moment. */
  wait(): Promise<void> | undefined {
    return this.search.wait();
  }

  get progress(): CheckProgress {
    return this.search.progress;
  }

  get elapsed(): number {
    return this.search.elapsed;
  }

  /** The search has stood still for so many milliseconds, which do not count. */
  skip(milliseconds: number): void {
    this.search.skip(milliseconds);
  }

  stop(why: Stop): void {
    this.search.stop(why);
  }

  cut(bound: Bound): void {
    this.search.cut(bound);
  }

  get counts(): { executions: number; steps: number } {
    return this.search.counts;
  }

  /** What has been found so far. */
  get errors(): readonly FoundError[] {
    return this.search.exploration.result.errors;
  }

  get result(): ModelResult {
    const { graphs } = this;
    const { result } = this.search;
    if (graphs === undefined) return result;
    if (result.verdict.kind === 'verified') {
      throw new Error(`graph finds an error under ${this.model} that optimal does not find; please report this`);
    }
    return { ...result, executions: graphs.executions, blocked: graphs.blocked, blockedBy: graphs.blockedBy };
  }
}
