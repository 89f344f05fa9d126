/** A sentence of a report, with the names and expressions of the program as code. */
import type { JSX } from 'preact';
import { sentenceParts } from '../util/code-text.ts';

export function Sentence({ text }: { text: string }): JSX.Element {
  return <>{sentenceParts(text).map((part) => (part.isCode ? <code>{part.text}</code> : part.text))}</>;
}
