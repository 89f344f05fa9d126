/** Prints a JSON report in other formats: `node format.mjs REPORT FORMAT…`. */
import { readFileSync } from 'node:fs';
import { format } from '../dist/index.js';

const [file, ...formats] = process.argv.slice(2);
const report = JSON.parse(readFileSync(file, 'utf8'));
for (const as of formats) process.stdout.write(`${format(report, as).trimEnd()}\n`);
