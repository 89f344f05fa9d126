/**
 * Matchers for vitest and jest: `expect.extend(matchers)`, then `await expect('ring.c').toBeVerified()`. Importing
 * `fencepost/vitest` or `fencepost/jest` makes the call to `extend`.
 */

import { withoutCode } from '../util/code-text.ts';
import { type CheckCallOptions, check } from './check.ts';
import { format } from './format.ts';
import type { ProgramInput } from './program.ts';

export type VerifiedOptions = CheckCallOptions;

interface Outcome {
  readonly pass: boolean;
  readonly message: () => string;
}

export type Matchers = {
  /** Passes if every model is verified; reaching a bound is a failure too. */
  toBeVerified(program: ProgramInput, options?: VerifiedOptions): Promise<Outcome>;
  /** Passes if some model has an error; given a text or pattern, an error whose message matches it. */
  toFail(program: ProgramInput, options?: VerifiedOptions & { readonly message?: string | RegExp }): Promise<Outcome>;
};

export const matchers: Matchers = {
  async toBeVerified(program: ProgramInput, options: VerifiedOptions = {}): Promise<Outcome> {
    const report = await check(program, options);
    const pass = report.results.every(({ verdict }) => verdict === 'verified');
    return { pass, message: () => `expected the program ${pass ? 'not ' : ''}to be verified\n\n${format(report)}` };
  },

  async toFail(
    program: ProgramInput,
    { message, ...options }: VerifiedOptions & { readonly message?: string | RegExp } = {},
  ): Promise<Outcome> {
    const report = await check(program, options);
    const errors = report.results.flatMap(({ error }) => (error === undefined ? [] : [error]));
    const isMeant = (text: string): boolean =>
      message === undefined || (typeof message === 'string' ? text.includes(message) : message.test(text));
    const pass = errors.some((error) => isMeant(error.message) || isMeant(withoutCode(error.message)));
    const what = message === undefined ? 'to fail' : `to fail with ${message}`;
    return { pass, message: () => `expected the program ${pass ? 'not ' : ''}${what}\n\n${format(report)}` };
  },
};
