/**
 * Bundles the viewer into one script and one style sheet in dist/viewer, which `report/writers/html.ts` embeds in
 * pages.
 */
import { defineConfig, type UserConfig } from 'vite';

const config: UserConfig = defineConfig({
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: 'dist/viewer/bundle',
    target: 'es2022',
    lib: {
      entry: 'src/viewer/main.tsx',
      formats: ['iife'],
      name: 'viewer',
      fileName: () => 'viewer.js',
      cssFileName: 'viewer',
    },
  },
});
export default config;
