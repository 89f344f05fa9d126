/** A worker thread that runs from the sources. */
import { workerData } from 'node:worker_threads';
import { isWorkerData, runWorker } from './worker.ts';

if (isWorkerData(workerData)) runWorker(workerData);
