/** From Markdown to HTML: headings with addresses, links between pages, and the texts for the search. */
import { posix } from 'node:path';
import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';

/** Code of up to this many characters fits on a line everywhere, and is not broken. */
const SHORT = 26;

/** Part of a page, from a heading to the next one. */
export interface Passage {
  /** Empty before the first one. */
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly passages: readonly Passage[];
  /** Second-level headings. */
  readonly contents: readonly { readonly anchor: string; readonly heading: string }[];
}

export interface Site {
  /** Where a file of the repository is on the site; `undefined` if it is not there. */
  placeOf(file: string): string | undefined;
  /** Where the decision with this number is. */
  decision(number: number): string | undefined;
}

/** `file` is the page in the repository, `place` on the site. */
export function render(text: string, file: string, place: string, site: Site): Rendered {
  const passages: { anchor: string; heading: string; text: string }[] = [{ anchor: '', heading: '', text: '' }];
  const contents: { anchor: string; heading: string }[] = [];
  const used = new Map<string, number>();
  const marked = new Marked();

  /** The address of a file, as seen from this page. */
  const addressOf = (target: string): string | undefined => {
    if (/^(?:https?|mailto):/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (path === '') return hash;
    const there = site.placeOf(posix.normalize(posix.join(posix.dirname(file), path)));
    return there === undefined ? undefined : posix.relative(posix.dirname(place), there) + hash;
  };

  const decision = (number: number): string | undefined => {
    const there = site.decision(number);
    return there === undefined || there === place ? undefined : posix.relative(posix.dirname(place), there);
  };

  marked.use({
    extensions: [decisionLinks(decision)],
    walkTokens: (token) => {
      // Command output is long, and does not help a search.
      if (token.type === 'heading') {
        const heading = plain(token as Tokens.Heading);
        const base = slug(heading);
        const count = used.get(base) ?? 0;
        used.set(base, count + 1);
        const anchor = count === 0 ? base : `${base}-${count}`;
        (token as Tokens.Generic)['anchor'] = anchor;
        passages.push({ anchor, heading, text: '' });
        if (token['depth'] === 2) contents.push({ anchor, heading });
      } else if (token.type === 'paragraph' || token.type === 'code') {
        const isOutput = token.type === 'code' && token['lang'] === 'console';
        const words = isOutput ? commandsIn(token['text']) : plain(token as Tokens.Paragraph);
        passages.at(-1)!.text += `${words}\n`;
      } else if (token.type === 'text' && token['tokens'] !== undefined) {
        passages.at(-1)!.text += `${plain(token as Tokens.Text)}\n`;
      } else if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        for (const row of [header, ...rows]) passages.at(-1)!.text += `${row.map(plain).join(' · ')}\n`;
      }
    },
    renderer: {
      heading({ tokens, depth, ...rest }) {
        const { anchor } = rest as unknown as { anchor: string };
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="link to this section">#</a>`;
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inside = this.parser.parseInline(tokens);
        const address = addressOf(href);
        return address === undefined
          ? `<span class="file">${inside}</span>`
          : `<a href="${escapeHtml(address)}">${inside}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(addressOf(href) ?? href)}" alt="${escapeHtml(text)}">`;
      },
      code({ text, lang }) {
        const body = lang === 'console' ? text.split('\n').map(consoleLine).join('\n') : escapeHtml(text);
        return `<pre tabindex="0"><code>${body}</code></pre>\n`;
      },
      codespan({ text }) {
        // An option broken after its hyphens is hard to read.
        const classes = text.length > SHORT ? '' : text.includes(' ') ? ' class="short phrase"' : ' class="short"';
        return `<code${classes}>${escapeHtml(text)}</code>`;
      },
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`;
        const isBare = token.header.every(({ text }) => text === '');
        const head = isBare ? '' : `<thead>${cells(token.header, 'th')}</thead>\n`;
        const body = token.rows.map((row) => cells(row, 'td')).join('');
        return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { html, passages, contents };
}

/** `decision 24` in a text is a link: pages that are shipped without the decisions do not link to them. */
function decisionLinks(addressOf: (number: number) => string | undefined): TokenizerAndRendererExtension {
  return {
    name: 'decision',
    level: 'inline',
    start: (source) => /\bdecision \d/i.exec(source)?.index,
    tokenizer(source) {
      const [raw, number] = /^decision (\d+)\b/i.exec(source) ?? [];
      const address = raw === undefined || this.lexer.state.inLink ? undefined : addressOf(Number(number));
      return address === undefined ? undefined : { type: 'decision', raw: raw!, text: raw!, address };
    },
    renderer: ({ raw, ['address']: address }) => `<a href="${address}">${raw}</a>`,
  };
}

/** The anchor that GitHub gives a heading. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function consoleLine(line: string): string {
  return line.startsWith('$ ') ? `<b>${escapeHtml(line)}</b>` : escapeHtml(line);
}

function commandsIn(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .join('\n');
}

/** The text without markup. */
function plain(token: {
  readonly tokens?: readonly unknown[] | undefined;
  readonly text?: string;
  readonly raw?: string;
}): string {
  if (token.tokens === undefined) return withoutEntities(token.text ?? token.raw ?? '');
  return (token.tokens as Parameters<typeof plain>[0][]).map(plain).join('');
}

/** marked keeps entities in texts. */
function withoutEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
