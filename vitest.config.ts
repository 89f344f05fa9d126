import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Tests that replace a module of ours, which only vite's copies of the sources allow. */
const MOCKING = ['test/monitors/memory.test.ts'];

const common = {
  // No time limit on a unit test: these machines are noisy, and a slow pass is still a pass.
  testTimeout: 0,
  hookTimeout: 0,
  setupFiles: ['test/support/setup.ts'],
  // What a page shows late is shown; what it never shows is a failure.
  expect: { poll: { timeout: 120_000, interval: 20 } },
};

const config: ViteUserConfig = defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', './test/support/slowest.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'native',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: MOCKING,
          // Files share what is loaded and compiled: a quarter less time. No test may leave anything behind.
          isolate: false,
          // Node runs the sources itself, as fast as what is built: imported constants are constants, not lookups.
          server: { deps: { external: [/\/src\/(?!.*\.test\.ts$).*\.tsx?$/] } },
          execArgv: ['--import', new URL('bench/typescript.mjs', import.meta.url).href],
        },
      },
      { test: { ...common, name: 'mocked', include: MOCKING } },
    ],
  },
});
export default config;
