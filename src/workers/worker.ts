/** A worker thread: does one job of a search after another, until it is ended. */
import { receiveMessageOnPort } from 'node:worker_threads';
import { type DoneJob, JobRunner } from './job-runner.ts';
import {
  type AppendAnswer,
  ASKED,
  answerWord,
  executionsWord,
  IDLE,
  type Question,
  type WorkAnswer,
  type WorkerData,
} from './messages.ts';
import type { PoolData } from './pool-messages.ts';
import { runPoolWorker } from './pool-worker.ts';

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
    Atomics.add(words, ASKED, 1);
    // The notification of an earlier answer may arrive only now.
    while (Atomics.load(words, answerWord(index)) === 0) Atomics.wait(words, answerWord(index), 0);
    return receiveMessageOnPort(port)?.message;
  };
  try {
    const runner = new JobRunner(work, {
      propose: (node, known, actions) => ask({ ask: 'append', node, known, actions }) as AppendAnswer,
    });
    const isHungry = (): boolean => Atomics.load(words, IDLE) > 0;
    for (let question: Question = { ask: 'work' }; ; ) {
      runner.take(ask(question) as WorkAnswer);
      let done: DoneJob | undefined;
      do {
        done = runner.advance(isHungry);
        Atomics.store(words, executionsWord(index), runner.executions);
      } while (done === undefined);
      question = { ask: 'work', done };
    }
  } catch (error) {
    ask({ ask: 'give up', why: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
}
