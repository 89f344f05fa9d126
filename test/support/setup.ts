/**
 * Before every test file: generated programs are drawn from the seed of the run, and clang is started by a small
 * process.
 */
import fc from 'fast-check';
import { startClangsFromSmallProcess } from './clang-starter.ts';
import { SEED } from './tier.ts';

fc.configureGlobal({ seed: SEED });
startClangsFromSmallProcess();
