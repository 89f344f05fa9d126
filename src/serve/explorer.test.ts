import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Explorer } from './explorer.ts';
import { ServedFolder } from './folder.ts';

test('up to a limit, requests wait; the others are refused, and it keeps running', async () => {
  const explorer = new Explorer(new ServedFolder(fileURLToPath(new URL('../../litmus/SB', import.meta.url))));
  const ask = () => explorer.state({ file: 'SB.litmus', model: 'tso', defines: [], schedule: '' });
  const answers = await Promise.allSettled(Array.from({ length: 60 }, ask));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  expect(refused.length).toBe(60 - 32);
  expect(refused[0]).toMatchObject({ status: 503, message: 'too many requests at once; try again' });
  expect((await ask()).choices.length).toBe(2);
});
