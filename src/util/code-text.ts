/**
 * Code inside sentences. The sentences of a report have names and expressions of the program between backticks, as in
 * Markdown; each writer keeps the backticks, shows the text as code, or drops them.
 */

/** A name or expression as a part of a sentence. */
export function asCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return longest === 0 ? `${mark}${text}${mark}` : `${mark} ${text} ${mark}`;
}

interface SentencePart {
  readonly text: string;
  readonly isCode: boolean;
}

const SPANS = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs;

/** The parts of a sentence, in order. */
export function sentenceParts(sentence: string): readonly SentencePart[] {
  const parts: SentencePart[] = [];
  let at = 0;
  for (const match of sentence.matchAll(SPANS)) {
    if (match.index > at) parts.push({ text: sentence.slice(at, match.index), isCode: false });
    const inside = match[2]!;
    parts.push({ text: match[1]!.length === 1 ? inside : inside.replace(/^ (.*) $/s, '$1'), isCode: true });
    at = match.index + match[0].length;
  }
  if (at < sentence.length) parts.push({ text: sentence.slice(at), isCode: false });
  return parts;
}

/** For formats that cannot show code in sentences. */
export function withoutCode(sentence: string): string {
  return sentenceParts(sentence)
    .map(({ text }) => text)
    .join('');
}

/** Escapes everything but the code, so that Markdown shows it as it is. */
export function toMarkdown(sentence: string): string {
  return sentenceParts(sentence)
    .map(({ text, isCode }) => (isCode ? asCode(text) : text.replace(/[\\`*_[\]<>#|~]/g, '\\$&')))
    .join('');
}
