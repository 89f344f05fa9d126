import { defineConfig, type ViteUserConfig } from 'vitest/config';
import LongestFirst from './test/support/longest-first.ts';

/** Tests that replace a module of ours, which only vite's copies of the sources allow. */
const MOCKING = ['test/monitors/memory.test.ts'];
/** Tests that register a model, which no other test may see. */
const REGISTERING = ['test/models.test.ts', 'test/contracts/*.contract.test.ts'];

/** C++ needs a newer clang than the one that `.ci/run` tests C with first: it runs these last. */
const LATER = process.env['WITHOUT_CXX'] === '1' ? ['test/cxx/**'] : [];

const common = {
  // No time limit on a unit test: these machines are noisy, and a slow pass is still a pass.
  testTimeout: 0,
  hookTimeout: 0,
  setupFiles: ['test/support/setup.ts'],
  // What a page shows late is shown; what it never shows is a failure.
  expect: { poll: { timeout: 120_000, interval: 20 } },
};

const native = {
  ...common,
  // Node runs the sources itself, as fast as what is built: imported constants are constants, not lookups.
  server: { deps: { external: [/\/src\/(?!.*\.test\.ts$).*\.tsx?$/] } },
  // A large young generation: most objects die before they are copied. There are as many workers as cores, so each
  // collects garbage and compiles in its own thread: a tenth less work in all.
  execArgv: [
    '--import',
    new URL('bench/typescript.mjs', import.meta.url).href,
    '--max-semi-space-size=32',
    '--single-threaded',
  ],
};

const config: ViteUserConfig = defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/slowest.ts'],
    projects: [
      {
        test: {
          ...native,
          name: 'native',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...MOCKING, ...REGISTERING, ...LATER],
          // Loading and warming up the sources takes longer than most files: a worker does it once.
          isolate: false,
          setupFiles: [...common.setupFiles, 'test/support/forget.ts'],
        },
      },
      { test: { ...native, name: 'registering', include: REGISTERING } },
      { test: { ...common, name: 'mocked', include: MOCKING } },
    ],
  },
});
export default config;
