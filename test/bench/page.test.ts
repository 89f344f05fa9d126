/** docs/performance.md is up to date with `npm run bench -- page`. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGE, renewed } from '../../bench/page/page.ts';

const text = readFileSync(PAGE, 'utf8');

it('is up to date', () => {
  expect(renewed(text), 'run npm run bench -- page').toBe(text);
});

it('has a place for everything that is made, and nothing else is', () => {
  expect(() => renewed(text.replace('made: dpor', 'made: nothing'))).toThrow('nothing makes "nothing"');
  expect(() => renewed(text.replace('<!-- made: dpor -->', ''))).toThrow('no place for dpor');
});

it('says more about every aim that is missed', () => {
  const anchors = new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-')),
  );
  const wanted = [...text.matchAll(/no: \[more\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor!);
  for (const anchor of wanted) expect(anchors).toContain(anchor);
});
