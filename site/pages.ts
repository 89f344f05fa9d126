/** Which pages the documentation site has, and where they are in its menu. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A Markdown file that becomes a page. */
export interface Page {
  /** In the repository: `docs/check.md`. */
  readonly file: string;
  /** On the site: `check.html`. */
  readonly place: string;
  readonly title: string;
  readonly text: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** In the order of the menu; names of files in docs/. */
const MENU: readonly (readonly [title: string, ...names: string[]])[] = [
  ['Begin', 'tutorial', 'driver', 'reports', 'inconclusive', 'arm', 'examples', 'faq', 'glossary'],
  [
    'Commands',
    'check',
    'suites',
    'fix',
    'robust',
    'hunt',
    'litmus',
    'replay',
    'viewer',
    'playground',
    'recording',
    'monitor',
  ],
  ['In your project', 'ci', 'api', 'report-format', 'parallel', 'cluster'],
  ['Reference', 'models', 'verdicts', 'cpp', 'limits', 'security', 'compared'],
];

/** Everything else, about how Fencepost is built. */
const REST = 'Inside';

/** All pages of docs/, so that none is forgotten: those not named in the menu come last. */
export function sectionsOf(root: string): readonly Section[] {
  const found = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.md$/, ''));
  const named = MENU.flatMap(([, ...names]) => names);
  const missing = named.filter((name) => !found.includes(name));
  if (missing.length > 0) throw new Error(`site/pages.ts names pages that do not exist: ${missing.join(', ')}`);
  const rest = found.filter((name) => !named.includes(name)).sort(byDepth);
  const page = (name: string): Page => readPage(root, `docs/${name}.md`, `${name}.html`);
  return [
    { title: '', pages: [readPage(root, 'README.md', 'index.html')] },
    ...MENU.map(([title, ...names]) => ({ title, pages: names.map(page) })),
    { title: REST, pages: [...rest.map(page), readPage(root, 'CHANGELOG.md', 'changelog.html')] },
  ];
}

/** Files before folders, by name. */
function byDepth(a: string, b: string): number {
  const depth = (name: string): number => name.split('/').length;
  return depth(a) - depth(b) || (a < b ? -1 : 1);
}

function readPage(root: string, file: string, place: string): Page {
  const text = readFileSync(join(root, file), 'utf8');
  const heading = /^# (.*)$/m.exec(text)?.[1] ?? posix.basename(file);
  return { file, place, title: heading.replaceAll('`', ''), text };
}
