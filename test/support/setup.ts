/** Before every test file: generated programs come from the seed of the run. */
import fc from 'fast-check';
import { SEED } from './tier.ts';

fc.configureGlobal({ seed: SEED });
