/**
 * `npm run playground`: builds the site in dist-playground.
 *
 *   --out FOLDER    another folder
 *   --serve         then serves it on this machine
 *   --quick         for tests: one example without clang, and clang hardly compressed
 */
import { parseArgs } from 'node:util';
import { packaged } from '../../platform/package-folder.ts';
import { EXAMPLES } from '../examples.ts';
import { serveFolder } from './serve.ts';
import { buildSite } from './site.ts';

const PORT = 4748;

const { values } = parseArgs({
  options: { out: { type: 'string' }, serve: { type: 'boolean' }, quick: { type: 'boolean' } },
});
const outDir = values.out ?? packaged('dist-playground');
try {
  await buildSite({ outDir, ...(values.quick === true ? { examples: EXAMPLES.slice(0, 1), level: 1 } : {}) });
} catch (error) {
  process.stderr.write(`The playground could not be built: ${(error as Error).message}\n`);
  process.exit(1);
}
process.stdout.write(`The playground is in ${outDir}; any server for static files can serve it.\n`);
if (values.serve === true) {
  const { url } = await serveFolder(outDir, PORT);
  process.stdout.write(`Here: ${url} (Ctrl-C ends)\n`);
}
