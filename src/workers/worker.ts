/** A worker thread: takes jobs of one search, one after the other, until it is ended. */
import { receiveMessageOnPort } from 'node:worker_threads';
import { ModelSearch } from '../pipelines/model-search.ts';
import { RaceFreedom } from '../pipelines/race-freedom.ts';
import {
  type AppendAnswer,
  answerWord,
  executionsWord,
  IDLE,
  type Question,
  type WorkAnswer,
  type WorkerData,
} from './messages.ts';
import type { PoolData } from './pool-messages.ts';
import { runPoolWorker } from './pool-worker.ts';

/** In milliseconds: how often to look whether others have nothing to do, and how long to work before sharing with them. */
const LOOK = 10;
const SHARE = 40;
/** Likewise: how much may be lost, unless handing over takes long: then so many times as long. */
const SLICE = 1000;
const TIMES = 20;

export function isWorkerData(data: unknown): data is WorkerData | PoolData {
  return typeof data === 'object' && data !== null && 'isFencepostWorker' in data;
}

export function runWorker(data: WorkerData | PoolData): void {
  if ('kind' in data) runPoolWorker(data);
  else runSearch(data);
}

function runSearch({ work, port, words, index }: WorkerData): void {
  const ask = (question: Question): unknown => {
    Atomics.store(words, answerWord(index), 0);
    port.postMessage(question);
    // The notice of an earlier answer may come only now.
    while (Atomics.load(words, answerWord(index)) === 0) Atomics.wait(words, answerWord(index), 0);
    return receiveMessageOnPort(port)?.message;
  };
  try {
    const { program, model, options, commuting, nested, merging, monitors, freedom } = work;
    const search = new ModelSearch(program, model, options, {
      commuting,
      nested,
      merging,
      ...(freedom ? { freedom: new RaceFreedom() } : {}),
      ...(monitors === undefined ? {} : { watched: { monitors, firstOnly: true } }),
    });
    const proposals = {
      propose: (node: number, known: number, actions: readonly string[]) =>
        ask({ ask: 'append', node, known, actions }) as AppendAnswer,
    };
    let executions = 16;
    let slice = SLICE;
    let { news } = search;
    for (let question: Question = { ask: 'work' }; ; ) {
      const { id, job } = ask(question) as WorkAnswer;
      search.take(job, proposals);
      const started = performance.now();
      for (let last = started; ; ) {
        const isDone = search.advanceJob(executions);
        const now = performance.now();
        Atomics.store(words, executionsWord(index), search.counts.executions);
        executions = Math.max(
          1,
          Math.min(100_000, Math.round(executions * Math.min(2, LOOK / Math.max(0.1, now - last)))),
        );
        last = now;
        const isHungry = Atomics.load(words, IDLE) > 0 && now - started > SHARE;
        if (!isDone && !isHungry && now - started < slice && search.news === news) continue;
        news = search.news;
        question = { ask: 'work', done: { id, left: search.left, part: search.part } };
        slice = Math.max(SLICE, TIMES * (performance.now() - now));
        break;
      }
    }
  } catch (error) {
    ask({ ask: 'give up', why: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
}
