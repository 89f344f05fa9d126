/**
 * `npm run docs`: builds a static site from README, docs/ and the examples, in site/dist. It needs no server, not even
 * for its search (docs/decisions/0036-docs-site.md).
 *
 *   pages.ts    which pages, in which order
 *   render.ts   Markdown to HTML
 *   shell.ts    what is around every page
 *   client.js   search and theme, in the browser
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Page, sectionsOf } from './pages.ts';
import { escapeHtml, type Rendered, render, type Site } from './render.ts';
import { shell } from './shell.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Linked files that are shown as pages with their text; the sources of Fencepost itself are not. */
const SHOWN = /^(?:examples|recipes|docs\/examples|docs\/schema|runtime|log|action\.yml|compose\.yaml|LICENSE)/;

/** Builds the site in this folder, which is emptied first; returns the names of its pages. */
export function buildSite(folder: string, root: string = ROOT): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  const sections = sectionsOf(root);
  const pages = sections.flatMap((section) => section.pages);
  const written: string[] = [];
  const files = new Set<string>();
  const write = (place: string, contents: string): void => {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), contents);
    if (place.endsWith('.html')) written.push(place);
  };
  const site = siteOf(pages, files, root);
  const index: unknown[] = [];
  for (const page of pages) {
    const rendered = render(page.text, page.file, page.place, site);
    write(page.place, shell({ ...page, body: rendered.html, contents: rendered.contents, sections }));
    index.push(...entriesOf(page, rendered));
  }
  for (const file of files) {
    const place = site.placeOf(file)!;
    if (isPicture(file)) {
      mkdirSync(dirname(join(folder, place)), { recursive: true });
      copyFileSync(join(root, file), join(folder, place));
    } else {
      const text = readFileSync(join(root, file), 'utf8');
      const body = `<h1>${escapeHtml(file)}</h1>\n<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      write(place, shell({ place, title: file, body, contents: [], sections }));
    }
  }
  // A script, not JSON: pages opened as local files may not fetch anything.
  write('search-index.js', `window.fencepostPages = ${JSON.stringify(index)};\n`);
  for (const name of ['style.css', 'client.js']) copyFileSync(join(ROOT, 'site', name), join(folder, name));
  return written;
}

/** Where files are on the site. Collects in `files` the other files that pages link to. */
function siteOf(pages: readonly Page[], files: Set<string>, root: string): Site {
  const places = new Map(pages.map(({ file, place }) => [file, place]));
  const decisions = new Map(
    pages.flatMap(({ file, place }) => {
      const number = /^docs\/decisions\/(\d+)-/.exec(file)?.[1];
      return number === undefined ? [] : [[Number(number), place] as const];
    }),
  );
  return {
    decision: (number) => decisions.get(number),
    placeOf(file) {
      const page = places.get(file);
      if (page !== undefined) return page;
      const path = join(root, file);
      if (!(SHOWN.test(file) || isPicture(file)) || !existsSync(path) || !statSync(path).isFile()) return undefined;
      files.add(file);
      return isPicture(file) ? `images/${posix.basename(file)}` : `files/${file}.html`;
    },
  };
}

function isPicture(file: string): boolean {
  return /\.(?:png|svg)$/.test(file);
}

/** Entries of the search index: page, heading, address, text. */
function entriesOf({ title, place }: Page, { passages }: Rendered): readonly object[] {
  return passages
    .filter(({ heading, text }) => heading !== '' || text.trim() !== '')
    .map(({ anchor, heading, text }) => ({
      page: title,
      heading: heading === title ? '' : heading,
      address: anchor === '' ? place : `${place}#${anchor}`,
      text: text.replaceAll(/\s+/g, ' ').trim(),
    }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(ROOT, 'site/dist');
  const pages = buildSite(folder);
  process.stdout.write(`${pages.length} pages in site/dist; open site/dist/index.html\n`);
}
