/**
 * `npm run bench -- page`: updates docs/performance.md from the recorded results. Its text is written by hand, except
 * for the parts between `<!-- made: NAME -->` and `<!-- end -->`, which are generated here and must not be edited.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { aims } from './aims.ts';
import { beside } from './beside.ts';
import { dporTable, estimates, graphs, limits, logs, machines, profiles } from './tables.ts';

export const PAGE: URL = new URL('../../docs/performance.md', import.meta.url);

const PARTS: Readonly<Record<string, () => string>> = {
  ...{ aims, beside, estimates, graphs, limits, logs, machines, profiles },
  dpor: dporTable,
};

const PART = /<!-- made: (\w+) -->\n[\s\S]*?<!-- end -->/g;

/** The page with its generated parts made from the current results. */
export function renewed(text: string): string {
  const used = new Set<string>();
  const made = text.replace(PART, (_, name: string) => {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`docs/performance.md: nothing makes "${name}"`);
    used.add(name);
    return `<!-- made: ${name} -->\n${part()}\n<!-- end -->`;
  });
  const missing = Object.keys(PARTS).filter((name) => !used.has(name));
  if (missing.length > 0) throw new Error(`docs/performance.md has no place for ${missing.join(', ')}`);
  return made;
}

export function writePage(): number {
  writeFileSync(PAGE, renewed(readFileSync(PAGE, 'utf8')));
  console.log('docs/performance.md');
  return 0;
}
