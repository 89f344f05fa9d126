/**
 * Bundles the command into one script, which `cli/main.ts` runs: loading two hundred modules would take longer than
 * most checks.
 */
import { readFileSync } from 'node:fs';
import { defineConfig, type UserConfig } from 'vite';

/** Packages bundled into the script, with their dependencies. */
const INCLUDED = ['commander', 'tinyglobby', 'fdir', 'picomatch'];

const config: UserConfig = defineConfig({
  publicDir: false,
  logLevel: 'warn',
  esbuild: { legalComments: 'inline' },
  ssr: { noExternal: INCLUDED },
  build: {
    ssr: true,
    outDir: 'dist/cli',
    emptyOutDir: false,
    target: 'node20',
    rollupOptions: {
      input: 'src/cli/command.ts',
      output: {
        format: 'cjs',
        entryFileNames: 'command.cjs',
        inlineDynamicImports: true,
        banner: INCLUDED.map((name) => `/*!\n${name}\n\n${licenceOf(name)}\n*/`).join('\n'),
      },
    },
  },
});
export default config;

function licenceOf(name: string): string {
  return readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim();
}
