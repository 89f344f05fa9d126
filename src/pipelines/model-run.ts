/**
 * A program under one model, from start to verdict. Should a thread wait for bytes that others write in parts, the search
 * begins again, with threads that read while they wait: see [wait-order.ts](../trace/wait-order.ts). Should one wait for
 * what too many operations that commute have written, it begins again with their order:
 * [commuting-writes.ts](../trace/commuting-writes.ts).
 */
import type { Bound } from '../explore/bound.ts';
import type { Model } from '../models/index.ts';
import type { CheckOptions } from '../options/check.ts';
import type { Program } from '../program/ir.ts';
import { CommutingWait } from '../trace/commuting-writes.ts';
import { MixedWait } from '../trace/wait-order.ts';
import type { Alarms } from './alarms.ts';
import { type CheckProgress, type ModelResult, type ModelRunParts, ModelSearch } from './model-search.ts';

export type { CheckProgress, ModelResult, Watched } from './model-search.ts';

export class ModelRun {
  readonly model: Model;
  private readonly program: Program;
  private readonly options: CheckOptions;
  private parts: ModelRunParts;
  private search: ModelSearch;

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
      return this.search.advance(steps);
    } catch (error) {
      const countOrders = error instanceof MixedWait;
      if (!countOrders && !(error instanceof CommutingWait)) throw error;
      this.parts = { ...this.parts, commuting: false };
      const options = countOrders ? { ...this.options, countOrders } : this.options;
      this.search = new ModelSearch(this.program, this.model, options, this.parts);
      return false;
    }
  }

  /** What the monitors found, if there are any. */
  get alarms(): Alarms | undefined {
    return this.search.alarms;
  }

  get mayWait(): boolean {
    return this.search.mayWait;
  }

  get mayCommute(): boolean {
    return this.search.mayCommute;
  }

  get progress(): CheckProgress {
    return this.search.progress;
  }

  stop(why: string): void {
    this.search.stop(why);
  }

  cut(bound: Bound): void {
    this.search.cut(bound);
  }

  get counts(): { executions: number; steps: number } {
    return this.search.counts;
  }

  get result(): ModelResult {
    return this.search.result;
  }
}
