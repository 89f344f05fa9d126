import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringifyByStack, stringifyDeep } from './deep-json.ts';

it('is what JSON.stringify gives', () => {
  const data = fc.jsonValue();
  fc.assert(fc.property(data, (value) => stringifyByStack(value) === JSON.stringify(value)));
  const odd = { a: undefined, b: [undefined, Number.NaN, 'ü"\u2028'], c: null, d: {}, e: [] };
  expect(stringifyByStack(odd)).toBe(JSON.stringify(odd));
});

it('has no limit on depth', () => {
  let value: unknown = 'end';
  for (let i = 0; i < 100_000; i++) value = { children: [value] };
  const text = stringifyDeep(value);
  expect(text).toHaveLength(100_000 * '{"children":[]}'.length + '"end"'.length);
  let read = JSON.parse(text) as { readonly children?: readonly unknown[] };
  for (; read.children !== undefined; read = read.children[0] as typeof read);
  expect(read).toBe('end');
});
