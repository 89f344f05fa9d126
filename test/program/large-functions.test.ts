/** Functions of ten thousand blocks, as generators write them, take time and room in proportion. */
import { expect, it } from 'vitest';
import { check, compileC, verdict } from '../support/c.ts';

const SIZE = 10_000;

/** A chain in which each block passes a number on by a phi, with the last blocks first in the text. */
function chain(order: 'forwards' | 'backwards'): string {
  const blocks = Array.from({ length: SIZE }, (_, k) => {
    const before = k === 0 ? '[ 0, %entry ]' : `[ %v${k - 1}, %b${k - 1} ]`;
    return `b${k}:\n  %p${k} = phi i32 ${before}\n  %v${k} = add i32 %p${k}, 1\n  br label %b${k + 1}\n`;
  });
  const end = `b${SIZE}:\n  ret i32 %v${SIZE - 1}\n`;
  const text = order === 'forwards' ? [...blocks, end] : [end, ...blocks.toReversed()];
  return `target triple = "x86_64-linux-gnu"\ndefine i32 @main() {\nentry:\n  br label %b0\n${text.join('')}}\n`;
}

it.each(['forwards', 'backwards'] as const)('a function may have a long chain of phis, %s', async (order) => {
  expect(verdict(check(await compileC({ 'a.ll': chain(order) }), 'sc'))).toBe('verified');
});

it('a function may have many branches, each of which may leave', async () => {
  const blocks = Array.from(
    { length: SIZE },
    (_, k) => `b${k}:\n  %c${k} = icmp eq i32 %argc, ${k + 7}\n  br i1 %c${k}, label %end, label %b${k + 1}\n`,
  );
  const text = `target triple = "x86_64-linux-gnu"
define i32 @main(i32 %argc) {
entry:
  br label %b0
${blocks.join('')}b${SIZE}:
  br label %end
end:
  %r = phi i32 ${blocks.map((_, k) => `[ ${k}, %b${k} ], `).join('')}[ 0, %b${SIZE} ]
  ret i32 %r
}
`;
  expect(verdict(check(await compileC({ 'a.ll': text }), 'sc'))).toBe('verified');
});
