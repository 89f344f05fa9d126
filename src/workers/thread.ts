/**
 * A worker thread, seen from its owner. It runs the owner's own script: the bundled command or, from the sources,
 * `entry.ts`.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { SharedWork } from '../pipelines/together.ts';
import { ASKED, answerWord, type Question, type WorkerData } from './messages.ts';
import type { PoolData } from './pool-messages.ts';

interface ThreadOwner {
  /** Every question must be answered, except `give up`. */
  hear(question: Question): void;
  /** The thread has ended. */
  fail(why: string): void;
}

export class WorkerThread {
  private readonly worker: Worker;
  private readonly port: MessagePort;
  private readonly words: Int32Array;
  private readonly index: number;
  private readonly owner: ThreadOwner;

  /** `words` is shared by all threads of the owner. */
  constructor(work: SharedWork, words: Int32Array, index: number, owner: ThreadOwner) {
    const { port1: port, port2 } = new MessageChannel();
    this.port = port;
    this.words = words;
    this.index = index;
    this.worker = startThread({ isFencepostWorker: true, work, port: port2, words, index }, [port2]);
    this.owner = owner;
    port.on('message', (question: Question) => this.hear(question));
    this.worker.on('error', (error) => owner.fail(error.message));
    this.worker.on('exit', () => owner.fail('a worker has ended'));
  }

  /** Handles a question that has been asked, without waiting for the event loop. */
  listen(): void {
    const received = receiveMessageOnPort(this.port);
    if (received !== undefined) this.hear(received.message as Question);
  }

  private hear(question: Question): void {
    Atomics.sub(this.words, ASKED, 1);
    this.owner.hear(question);
  }

  answer(answer: unknown): void {
    this.port.postMessage(answer);
    Atomics.store(this.words, answerWord(this.index), 1);
    Atomics.notify(this.words, answerWord(this.index));
  }

  stop(): void {
    this.port.close();
    void this.worker.terminate();
  }
}

export function startThread(workerData: WorkerData | PoolData, transferList: MessagePort[]): Worker {
  const here = import.meta.url;
  if (here.endsWith('.cjs')) return new Worker(new URL(here), { workerData, transferList });
  if (here.endsWith('.js')) return new Worker(new URL('./entry.js', here), { workerData, transferList });
  // From the sources, types must be stripped first.
  const [bundler, entry] = ['../../bench/bundled.mjs', './entry.ts'].map((path) => new URL(path, here).href);
  const script = `import(${JSON.stringify(bundler)}).then(({ bundled }) => bundled(${JSON.stringify(entry)})).then((url) => import(url))`;
  return new Worker(script, { eval: true, workerData, transferList });
}
