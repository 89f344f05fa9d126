/** The version of this package, from the one place that defines it. */
import { readFileSync } from 'node:fs';
import { packaged } from './package-folder.ts';

const manifest = JSON.parse(readFileSync(packaged('package.json'), 'utf8')) as { version: string };

export const VERSION: string = manifest.version;
