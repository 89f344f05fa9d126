/** The texts of what the page offers. */
import { EXAMPLES, LITMUS_TESTS } from '../examples.ts';

const texts = {
  ...import.meta.glob<string>('../../../examples/*.{c,cpp}', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../../../litmus/*/*.litmus', { query: '?raw', import: 'default', eager: true }),
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

/** Which of them has this text. */
export function exampleWith(name: string, text: string): string | undefined {
  const paths = [...EXAMPLES.map(({ path }) => path), ...LITMUS_TESTS];
  return paths.find((path) => nameOf(path) === name && textOf(path) === text);
}
