/** A strict XML reader: every tag closed, every attribute quoted, every special character escaped. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** Throws at the first thing that is not XML. */
export function parseXml(source: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!source.startsWith(declaration)) throw new Error('no XML declaration');
  let at = declaration.length;
  const root = element();
  if (source.slice(at).trim() !== '') throw new Error(`something after the root: ${source.slice(at)}`);
  return root;

  function element(): Element {
    const open = /^<([a-z-]+)((?: [a-z-]+="[^"<]*")*)>/.exec(source.slice(at));
    if (open === null) throw new Error(`no tag at ${source.slice(at, at + 60)}`);
    at += open[0].length;
    const attributes: Record<string, string> = {};
    for (const [, key, value] of open[2]!.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      if (key! in attributes) throw new Error(`${key} twice`);
      attributes[key!] = decoded(value!);
    }
    const children: Element[] = [];
    let text = '';
    const close = `</${open[1]}>`;
    while (!source.startsWith(close, at)) {
      if (at >= source.length) throw new Error(`${open[1]} is not closed`);
      if (source[at] === '<') children.push(element());
      else {
        const end = source.indexOf('<', at);
        text += decoded(source.slice(at, end));
        at = end;
      }
    }
    at += close.length;
    return { name: open[1]!, attributes, children, text };
  }

  function decoded(text: string): string {
    if (/&(?!#\d+;)|[>]/.test(text)) throw new Error(`not escaped: ${text}`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write them
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) throw new Error('a control character');
    return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  }
}
