import { expect, it } from 'vitest';
import { asCode, sentenceParts, toMarkdown, withoutCode } from './code-text.ts';

it('puts code between backticks, more of them if it has some itself', () => {
  expect(asCode('flag[0]')).toBe('`flag[0]`');
  expect(asCode("c == '`'")).toBe("`` c == '`' ``");
  expect(asCode('``')).toBe('``` `` ```');
});

it.each(['x', 'a[i] = 1', "c == '`'", '`', '``', ' x ', "'`' || '``'"])('finds %j again', (text) => {
  const sentence = `read ${asCode(text)} as 1; then ${asCode('y')}.`;
  expect(sentenceParts(sentence).map((part) => [part.text, part.isCode])).toEqual([
    ['read ', false],
    [text, true],
    [' as 1; then ', false],
    ['y', true],
    ['.', false],
  ]);
  expect(withoutCode(sentence)).toBe(`read ${text} as 1; then y.`);
});

it('takes a backtick that closes nothing for a character', () => {
  expect(sentenceParts('a ` b')).toEqual([{ text: 'a ` b', isCode: false }]);
});

it('escapes what Markdown would take for more than text', () => {
  expect(toMarkdown('`*p` in <stdin> of my_file.c, *x')).toBe('`*p` in \\<stdin\\> of my\\_file.c, \\*x');
});
