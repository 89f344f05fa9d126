import { expect, it } from 'vitest';
import { readCompilerFlag } from './compiler-flags.ts';

it("-target, clang's own form, is taken with its value", () => {
  const taken = { taken: [{ name: 'target', value: 'aarch64-linux-gnu' }], length: 2 };
  expect(readCompilerFlag(['-O2', '-target', 'aarch64-linux-gnu'], 1)).toEqual(taken);
});
