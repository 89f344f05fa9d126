/**
 * However a program is written, `fix` proposes changes of the same cost; it compiles and verifies the patched text
 * itself, and this test does so once more. A few programs in the push tier, many in the deep tier.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Prng } from '../../../src/util/prng.ts';
import { sourceFolder } from '../../support/c.ts';
import { fixFile, holds, loadPatched } from '../../support/fix-c.ts';
import { oddSource } from '../../support/odd-sources.ts';
import { DEEP } from '../../support/tier.ts';

const COUNT = DEEP ? 200 : 8;

describe('sources that are written oddly', () => {
  it.each(Array.from({ length: COUNT }, (_, seed) => ({ seed, ...oddSource(new Prng(seed, 18)) })))(
    'are fixed: $title (seed $seed)',
    async ({ text, models, cost }) => {
      const file = join(sourceFolder({ 'test.c': Buffer.from(text, 'latin1') }), 'test.c');
      const result = await fixFile(file, { models });
      expect(result, text).toMatchObject({ kind: 'fixed', cost, boundedBy: [] });
      if (result.kind !== 'fixed') return;
      expect(holds(await loadPatched([file], result.patches), 'safe', models)).toBe(true);
    },
  );
});
