/** Bundles the command to one script, which `cli/main.ts` runs: to load two hundred modules takes longer than most checks. */
import { readFileSync } from 'node:fs';
import { defineConfig, type UserConfig } from 'vite';

/** Packages that become part of the script, with what they need. */
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
