/** The frame of every page of the site: head, menu, search, contents. */
import { posix } from 'node:path';
import type { Section } from './pages.ts';
import { escapeHtml } from './render.ts';

export interface Shell {
  /** On the site. */
  readonly place: string;
  readonly title: string;
  readonly body: string;
  readonly contents: readonly { readonly anchor: string; readonly heading: string }[];
  readonly sections: readonly Section[];
}

export function shell({ place, title, body, contents, sections }: Shell): string {
  const to = (target: string): string => posix.relative(posix.dirname(place), target);
  const root = to('.') === '' ? '.' : to('.');
  const name = title === 'Fencepost' ? title : `${escapeHtml(title)} · Fencepost`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${name}</title>
<link rel="stylesheet" href="${to('style.css')}">
<script src="${to('client.js')}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="name" href="${to('index.html')}">Fencepost</a>
<div class="search" role="search">
<input type="search" id="search" placeholder="Search  /" aria-label="Search" autocomplete="off" aria-controls="found" aria-expanded="false" role="combobox">
<ol id="found" role="listbox" hidden></ol>
</div>
<button type="button" id="theme" aria-label="Light or dark">◐</button>
</header>
<div class="columns">
<nav aria-label="Pages"><details id="menu"><summary>Pages</summary>
${menu(place, sections, to)}
</details></nav>
<main id="main">
${body}</main>
${contentsOf(contents)}
</div>
</body>
</html>
`;
}

function menu(place: string, sections: readonly Section[], to: (target: string) => string): string {
  return sections
    .map(({ title, pages }) => {
      const items = pages.map((page) => {
        const current = page.place === place ? ' aria-current="page"' : '';
        return `<li><a href="${to(page.place)}"${current}>${escapeHtml(shortTitle(page.title))}</a></li>`;
      });
      const list = `<ul>\n${items.join('\n')}\n</ul>`;
      if (title === '') return list;
      // This section is long and seldom needed, so it is folded.
      if (title !== 'Inside') return `<h2>${escapeHtml(title)}</h2>\n${list}`;
      const isHere = pages.some((page) => page.place === place);
      return `<details class="inside"${isHere ? ' open' : ''}><summary>${escapeHtml(title)}</summary>\n${list}</details>`;
    })
    .join('\n');
}

/** `fencepost check: C programs` becomes `check`, `Tutorial: from two flags …` becomes `Tutorial`. */
function shortTitle(title: string): string {
  return (
    /^fencepost (\w+)/.exec(title)?.[1] ?? title.replace(/^(Compared with) .*/, '$1 others').replace(/[:,] .*/, '')
  );
}

function contentsOf(contents: Shell['contents']): string {
  if (contents.length < 2) return '<aside></aside>';
  const items = contents.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`);
  return `<aside aria-label="On this page"><h2>On this page</h2>\n<ul>\n${items.join('\n')}\n</ul></aside>`;
}
