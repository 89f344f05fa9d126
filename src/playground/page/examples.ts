/** The texts of the programs that the page offers. */
import type { Program } from '../engine/messages.ts';
import { EXAMPLES, LITMUS_TESTS, RECORDINGS } from '../examples.ts';

const texts = {
  ...import.meta.glob<string>('../../../examples/*.{c,cpp}', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../../../litmus/*/*.litmus', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../../../docs/examples/*.jsonl', { query: '?raw', import: 'default', eager: true }),
};

/** By path in the repository. */
export function textOf(path: string): string | undefined {
  return texts[`../../../${path}`];
}

export function nameOf(path: string): string {
  return path.split('/').at(-1)!;
}

/** The options that an example starts with. */
export function optionsOf(path: string): string {
  return EXAMPLES.find((example) => example.path === path)?.options ?? '';
}

/** The path of the example that the question is about, if its text is unchanged. */
export function exampleOf({
  name,
  text,
  others,
}: Program & { readonly others: readonly Program[] }): string | undefined {
  if (others.length > 0) return undefined;
  const paths = [...EXAMPLES.map(({ path }) => path), ...LITMUS_TESTS, ...RECORDINGS];
  return paths.find((path) => nameOf(path) === name && textOf(path) === text);
}
