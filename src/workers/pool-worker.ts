/** A thread of a pool: does one job after another. */
import { INTERRUPTED } from '../explore/bound.ts';
import { type HuntWork, TrialMaker } from '../pipelines/hunt/together.ts';
import { LitmusRun } from '../pipelines/litmus.ts';
import { ModelRun } from '../pipelines/model-run.ts';
import { ModelSearch } from '../pipelines/model-search.ts';
import { makeRuns } from '../pipelines/shared-runs.ts';
import type { SharedWork } from '../pipelines/together.ts';
import {
  type LitmusSetup,
  type ModelsSetup,
  type PoolAnswers,
  type PoolData,
  type PoolJobs,
  type PoolKind,
  type PoolNews,
  type PoolSetups,
  STOPPED,
} from './pool-messages.ts';

/** Does a job until it is done or stopped. */
type Handler<K extends PoolKind> = (
  job: PoolJobs[K],
  isStopped: () => boolean,
  note: (news: PoolNews[K]) => void,
) => PoolAnswers[K];

const HANDLERS: { readonly [K in PoolKind]: (setup: PoolSetups[K]) => Handler<K> } = {
  litmus: runTests,
  runs: runRuns,
  hunt: runTrials,
  models: runModels,
};

/** Steps between two looks at the stop signal. */
const PIECE = 20_000;
/** Between two saves, a search runs for at least this many times as long as saving takes. */
const TIMES = 20;

export function runPoolWorker<K extends PoolKind>({ kind, setup, port, words }: PoolData<K>): void {
  const isStopped = (): boolean => Atomics.load(words, STOPPED) !== 0;
  const note = (news: PoolNews[K]): void => port.postMessage({ news });
  let handle: Handler<K> | undefined;
  port.on('message', (job: PoolJobs[K]) => {
    try {
      handle ??= HANDLERS[kind](setup);
      port.postMessage({ done: handle(job, isStopped, note) });
    } catch (error) {
      port.postMessage({ why: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
    }
  });
}

function runTests({ maxStates, interpret }: LitmusSetup): Handler<'litmus'> {
  return ({ test, models }, isStopped) =>
    models.map((model) => {
      const started = performance.now();
      const run = new LitmusRun(test, model, maxStates, { interpret });
      do if (isStopped()) run.stop(INTERRUPTED);
      while (!run.advance(PIECE));
      const { test: _, ...result } = run.result;
      return { result, seconds: (performance.now() - started) / 1000 };
    });
}

function runRuns({ program, model, options, commuting, nested, merging }: SharedWork): Handler<'runs'> {
  const begin = (): ModelSearch => new ModelSearch(program, model, options, { commuting, nested, merging });
  let search = begin();
  let now = 0;
  return ({ time, ...job }) => {
    if (time !== now) search = begin();
    now = time;
    const started = performance.now();
    const part = makeRuns(search.runsSearch, job);
    search.demandFixed();
    return { part, milliseconds: performance.now() - started };
  };
}

function runTrials(work: HuntWork): Handler<'hunt'> {
  const maker = new TrialMaker(work);
  return (job, isStopped) => maker.make(job, isStopped);
}

function runModels({ program, options, pauses }: ModelsSetup): Handler<'models'> {
  return ({ model, saved: before }, isStopped, note) => {
    const run = new ModelRun(program, model, options);
    if (before !== undefined) run.resume(before);
    let isAsked = false;
    let noted = performance.now();
    let kept = noted;
    let pause = pauses.keep;
    while (!run.advance(PIECE)) {
      if (!isAsked && isStopped()) {
        isAsked = true;
        const saved = run.save();
        if (saved !== undefined) return { saved };
      }
      const now = performance.now();
      if (now - noted < pauses.note) continue;
      noted = now;
      const saved = now - kept < pause ? undefined : run.save();
      note({ progress: run.progress, ...(saved === undefined ? {} : { saved }) });
      if (now - kept < pause) continue;
      kept = performance.now();
      pause = Math.max(pauses.keep, TIMES * (kept - now));
    }
    return { result: run.result };
  };
}
