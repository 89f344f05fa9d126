/** Links and headings of Markdown pages, for the tests of the documentation. */

export interface Link {
  /** Without the part after `#`; empty if it leads to the same page. */
  readonly path: string;
  /** After `#`; empty if there is none. */
  readonly anchor: string;
  /** Leads to a file. */
  readonly isLocal: boolean;
}

export function linksOf(text: string): readonly Link[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => {
    const [path = '', anchor = ''] = target!.split('#');
    return { path, anchor, isLocal: !/^(?:https?|mailto):/.test(target!) };
  });
}

/** The names of a page's headings, as GitHub and `npm run docs` make them. */
export function anchorsOf(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading]) => slug(heading!));
}

function slug(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** Removes code, which is not text. */
function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}
