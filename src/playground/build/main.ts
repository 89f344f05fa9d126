/** `npm run playground`: makes the site in dist-playground. With `--serve`, serves it on this machine. */
import { statSync } from 'node:fs';
import { packaged } from '../../platform/package-folder.ts';
import { serveFolder } from './serve.ts';
import { buildSite } from './site.ts';

const PORT = 4748;

const outDir = packaged('dist-playground');
await buildSite({ outDir });
process.stdout.write(
  `The playground is in dist-playground; its page is ${statSync(`${outDir}/index.html`).size} bytes.\n`,
);
if (process.argv.includes('--serve')) {
  const { url } = await serveFolder(outDir, PORT);
  process.stdout.write(`Serving it at ${url}. Ctrl-C ends.\n`);
}
