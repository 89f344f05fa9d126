/** The texts of what the page offers. */
import type { Program } from '../engine/messages.ts';
import { EXAMPLES, LITMUS_TESTS, RECORDINGS } from '../examples.ts';

const texts = {
  ...import.meta.glob<string>('../../../examples/*.{c,cpp}', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../../../litmus/*/*.litmus', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../../../docs/examples/*.jsonl', { query: '?raw', import: 'default', eager: true }),
};

/** By its path in the repository. */
export function textOf(path: string): string | undefined {
  return texts[`../../../${path}`];
}

export function nameOf(path: string): string {
  return path.split('/').at(-1)!;
}

/** With the options that it begins with. */
export function optionsOf(path: string): string {
  return EXAMPLES.find((example) => example.path === path)?.options ?? '';
}

/** Which of them is asked about, if it is one as it is. */
export function exampleOf({
  name,
  text,
  others,
}: Program & { readonly others: readonly Program[] }): string | undefined {
  if (others.length > 0) return undefined;
  const paths = [...EXAMPLES.map(({ path }) => path), ...LITMUS_TESTS, ...RECORDINGS];
  return paths.find((path) => nameOf(path) === name && textOf(path) === text);
}
