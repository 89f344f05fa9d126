/** Bundles the command and the library to few files: to load two hundred modules takes longer than most checks. */
import { defineConfig, type UserConfig } from 'vite';

const config: UserConfig = defineConfig({
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node20',
    sourcemap: true,
    rollupOptions: {
      input: { 'cli/main': 'src/cli/main.ts', index: 'src/index.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
});
export default config;
