/** Bundles the engine, with `node/` in place of Node's modules and `engine/clang.ts` in place of clang. */
import { fileURLToPath } from 'node:url';
import type { InlineConfig, Plugin } from 'vite';
import { VERSION } from '../../platform/version.ts';
import { type Bundle, renderPage } from '../../report/writers/html.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const NODE: Readonly<Record<string, string>> = {
  buffer: 'buffer',
  crypto: 'crypto',
  events: 'events',
  fs: 'fs',
  'fs/promises': 'fs-promises',
  path: 'path',
  process: 'process',
  ...Object.fromEntries(
    ['child_process', 'module', 'os', 'readline', 'timers', 'url', 'v8', 'vm', 'zlib'].map((name) => [name, 'other']),
  ),
  tinyglobby: 'other',
};

/** Our modules that are replaced in a browser, and the modules of `engine/` that replace them. */
export const REPLACED: readonly (readonly [module: RegExp, by: string])[] = [
  [/\/(?:clang-npm|libcxx)\.ts$/, 'clang'],
  [/\/(?:workers\/team|pool|cluster\/helpers|cluster\/redis)\.ts$/, 'alone'],
];

/** Node's globals, which need imports in a browser. */
const GLOBALS: readonly (readonly [used: RegExp, line: string])[] = [
  [/\bprocess\.\w/, "import process from 'node:process';"],
  [/\bBuffer\b/, "import { Buffer } from 'node:buffer';"],
  ...['setImmediate', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'].map(
    (name) => [new RegExp(`\\b${name}\\(`), `import { ${name} } from 'node:timers';`] as const,
  ),
];

function nodeInMemory(): Plugin {
  return {
    name: 'node-in-memory',
    enforce: 'pre',
    resolveId(id) {
      const known = NODE[id.replace(/^node:/, '')];
      if (known !== undefined) return here(`../node/${known}.ts`);
      if (id.startsWith('node:')) throw new Error(`${id} has nothing in its place in a browser`);
      const replaced = REPLACED.find(([module]) => module.test(id));
      return replaced && here(`../engine/${replaced[1]}.ts`);
    },
    transform(code, id) {
      if (!/\/src\/(?!playground\/)[^?]*\.(?:ts|mjs)$/.test(id)) return undefined;
      const lines = GLOBALS.filter(([used]) => used.test(code)).map(([, line]) => line);
      return lines.length === 0 ? undefined : { code: `${lines.join(' ')}${code}`, map: null };
    },
  };
}

/**
 * The page's worker, and `seed.js`, which Node runs once when the site is built; most of both is in a shared script.
 */
export function engineConfig(outDir: string): InlineConfig {
  return {
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { PACKAGE_VERSION: JSON.stringify(VERSION) },
    plugins: [nodeInMemory()],
    build: {
      outDir,
      emptyOutDir: false,
      chunkSizeWarningLimit: 2000,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: {
        input: { worker: here('../engine/worker.ts'), seed: here('../engine/seed.ts') },
        // Nearly everything is used, and finding out what is not takes longer than the rest of the build.
        treeshake: false,
        preserveEntrySignatures: 'strict',
        output: {
          format: 'es',
          entryFileNames: ({ name }) => (name === 'seed' ? 'seed.js' : 'worker-[hash].js'),
          chunkFileNames: 'engine-[hash].js',
        },
      },
    },
  };
}

/** The page. `engine` is its worker's script. The viewer's own script and style may run in frames of the page. */
export function pageConfig(engine: string, viewer: Bundle, outDir: string): InlineConfig {
  return {
    configFile: false,
    root: here('../page'),
    base: './',
    publicDir: false,
    logLevel: 'warn',
    define: { ENGINE: JSON.stringify(engine) },
    plugins: [
      {
        name: 'policy',
        transformIndexHtml: (html) => html.replace('POLICY', policyOf(viewer)),
      },
    ],
    build: { outDir, emptyOutDir: false, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  };
}

/** The page loads nothing but our own files, and sends nothing anywhere. */
function policyOf(viewer: Bundle): string {
  const own = /Security-Policy" content="([^"]*)"/.exec(
    renderPage('', { report: { command: '', results: [] }, sources: {} }, viewer),
  )![1]!;
  const hashOf = (kind: string): string => new RegExp(`${kind} ('sha256-[^']*')`).exec(own)![1]!;
  return [
    "default-src 'none'",
    `script-src 'self' ${hashOf('script-src')}`,
    `style-src 'self' ${hashOf('style-src')}`,
    "connect-src 'self'",
    "worker-src 'self'",
    'frame-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
