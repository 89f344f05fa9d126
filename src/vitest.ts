/** `import 'fencepost/vitest'` adds the matchers to vitest's `expect`, with their types. */
import { expect } from 'vitest';
import { matchers, type VerifiedOptions } from './api/matchers.ts';

declare module 'vitest' {
  interface Matchers<T> {
    toBeVerified(options?: VerifiedOptions): Promise<T>;
    toFail(options?: VerifiedOptions & { readonly message?: string | RegExp }): Promise<T>;
  }
}

expect.extend(matchers);
