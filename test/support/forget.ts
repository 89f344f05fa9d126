/**
 * After every test file of a worker that runs several: releases what only that file needed.
 *
 * Only if the worker has become very large: afterwards the next file starts with a cold engine (garbage.ts).
 */
import { afterAll } from 'vitest';
import { modelNames } from '../../src/models/index.ts';
import { forgetPrograms } from './c.ts';
import { collectGarbage } from './garbage.ts';

/** In bytes. */
const LARGE = 4_000_000_000;

const before = modelNames().length;

afterAll(() => {
  if (modelNames().length > before)
    throw new Error(
      'this file registers a model, which the next ones would see: name it in REGISTERING (vitest.config.ts)',
    );
  forgetPrograms();
  collectGarbage(LARGE);
});
