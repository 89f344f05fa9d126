import { availableParallelism, totalmem } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import LongestFirst from './test/support/longest-first.ts';
import { LEFT_OUT } from './test/tiers.ts';

/**
 * One more than cores, because tests also wait: for clang, a browser, Redis. (Two more take as long: each has to compile
 * the engine.) Each may take 4 GB.
 */
const WORKERS = Math.max(1, Math.min(availableParallelism() + 1, Math.floor(totalmem() / 5e9)));

// Each machine has a buffer of a megabyte, most of it never written. After a large block has been freed once, glibc
// keeps such blocks and clears them for reuse, and a worker grows to gigabytes. With a fixed threshold they come from
// the system, which clears only the pages that are used.
process.env['MALLOC_MMAP_THRESHOLD_'] = '65536';

/** Tests that replace one of our modules, which works only if vite loads the sources. */
const MOCKING = ['test/monitors/memory.test.ts'];
/** Tests that register a model, which no other test may see. */
const REGISTERING = ['test/machine/{models,copied-models}.test.ts', 'test/contracts/*.contract.test.ts'];

const common = {
  // No time limit on a unit test: these machines are noisy, and a slow pass is still a pass.
  testTimeout: 0,
  hookTimeout: 0,
  setupFiles: ['test/support/setup.ts'],
  // A page may be slow to show something; only what never appears is a failure.
  expect: { poll: { timeout: 120_000, interval: 20 } },
};

const native = {
  ...common,
  // Node runs the sources directly, as fast as the built code: imported constants are constants, not lookups.
  server: { deps: { external: [/\/src\/(?!.*\.test\.ts$).*\.tsx?$/] } },
  // A large young generation: most objects die before they are copied. There are more workers than cores, so each
  // collects garbage and compiles in its own thread: a tenth less work in all.
  execArgv: [
    '--import',
    new URL('bench/typescript.mjs', import.meta.url).href,
    '--max-semi-space-size=32',
    '--single-threaded',
    '--no-flush-bytecode',
    // Most functions run only briefly: with optimisation ten times later, all tests take a fifth less.
    '--interrupt-budget=700000',
  ],
};

// Loading and warming up the sources takes longer than running most test files: each worker does it once.
const shared = { ...native, isolate: false, setupFiles: [...common.setupFiles, 'test/support/forget.ts'] };

/**
 * With `TEST_CLANGS=all`, for `.ci/run`: tests that depend on the clang run with an old one too; tests that exercise
 * most of clang and engine run with the other clang and the other engine.
 */
const OTHER_CLANGS = [
  {
    test: {
      ...shared,
      name: 'clang-16',
      env: { FENCEPOST_CLANG: 'clang-16' },
      include: [
        'src/frontend/llvm/clang/headers.test.ts',
        'src/frontend/llvm/ir/reader-clang.test.ts',
        'test/lang/c/{assembly,declarations}.test.ts',
        ...(process.env['TEST_TIER'] === 'deep'
          ? ['test/lang/c/{features,library,printing,scanning,signals}.test.ts']
          : []),
      ],
    },
  },
  {
    test: {
      ...shared,
      name: 'npm-clang-interpreter',
      env: { FENCEPOST_CLANG: 'npm', INTERPRET: '1' },
      include: [
        'test/lang/c/pairs.test.ts',
        ...(process.env['TEST_TIER'] === 'deep' ? ['test/lang/c/classics.test.ts'] : []),
      ],
    },
  },
];

const config: ViteUserConfig = defineConfig({
  test: {
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/slowest.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'native',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...MOCKING, ...REGISTERING, ...LEFT_OUT],
        },
      },
      { test: { ...native, name: 'registering', include: REGISTERING } },
      { test: { ...common, name: 'mocked', include: MOCKING } },
      ...(process.env['TEST_CLANGS'] === 'all' ? OTHER_CLANGS : []),
    ],
  },
});
export default config;
