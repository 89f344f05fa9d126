/** Creates what must exist before the first module of the package looks for it. */
import { makeFolder, write } from '../node/files.ts';
import { HOME, PACKAGE } from '../node/process.ts';

declare const PACKAGE_VERSION: string;

for (const folder of [HOME, PACKAGE, '/cache/fencepost', '/tmp']) makeFolder(folder, true);
write(`${PACKAGE}/package.json`, new TextEncoder().encode(JSON.stringify({ version: PACKAGE_VERSION })));
