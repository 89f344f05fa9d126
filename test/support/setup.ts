/**
 * Before every test file: generated programs are drawn from the seed of the run, clang is started by a small process,
 * and no line of progress is shown. Those come after two seconds, which on a busy machine is any time, and tests compare
 * standard error.
 */
import fc from 'fast-check';
import { startClangsFromSmallProcess } from './clang-starter.ts';
import { SEED } from './tier.ts';

fc.configureGlobal({ seed: SEED });
startClangsFromSmallProcess();
process.env['FENCEPOST_PROGRESS_MS'] = '3600000';
