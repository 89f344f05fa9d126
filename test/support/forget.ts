/** After every test file of a worker that runs several: lets go of what only that file needed. */
import { afterAll } from 'vitest';
import { forgetPrograms } from './c.ts';

afterAll(forgetPrograms);
