/** `fencepost/jest` in jest's `setupFilesAfterEnv` adds the matchers to its `expect`, with their types. */
import { matchers, type VerifiedOptions } from './api/matchers.ts';

declare global {
  namespace jest {
    interface Matchers<R> {
      toBeVerified(options?: VerifiedOptions): Promise<R>;
      toFail(options?: VerifiedOptions & { readonly message?: string | RegExp }): Promise<R>;
    }
  }
}

// biome-ignore lint/suspicious/noTsIgnore: there is an error only where jest is not installed.
/** @ts-ignore For `@jest/globals`. */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> {
    toBeVerified(options?: VerifiedOptions): Promise<R>;
    toFail(options?: VerifiedOptions & { readonly message?: string | RegExp }): Promise<R>;
  }
}

interface Expect {
  extend(matchers: object): void;
}

const { expect } = globalThis as unknown as { readonly expect?: Expect };
if (expect === undefined)
  throw new Error('fencepost/jest: there is no global expect; import it in a test set-up of jest');
expect.extend(matchers);
