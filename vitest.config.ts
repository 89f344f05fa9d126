import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // No time limit on a unit test: these machines are noisy, and a slow pass is still a pass.
    maxWorkers: 2,
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', './test/support/slowest.ts'],
    testTimeout: 0,
    hookTimeout: 0,
    // What a page shows late is shown; what it never shows is a failure.
    expect: { poll: { timeout: 120_000, interval: 20 } },
  },
});
export default config;
