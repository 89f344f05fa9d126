/**
 * Programs that wait with futexes (`programs/futexes`): what the language promises about a futex call, and what Linux
 * promises beyond it (`--futex linux`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, loadFiles, verdict } from '../support/c.ts';

const FOLDER = join(import.meta.dirname, '../../programs/futexes');
const MODELS = ['sc', 'tso', 'pso', 'rc11'] as const;

interface Row {
  readonly name: string;
  readonly file: string;
  readonly defines: readonly string[];
  readonly isLinux: boolean;
  readonly expected: readonly string[];
}

const ROWS: readonly Row[] = readFileSync(join(FOLDER, 'expected.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [file, defines, futex, ...expected] = line.split('\t');
    return {
      name: `${file} ${defines} ${futex}`,
      file: file!,
      defines: defines === '-' ? [] : defines!.split(' '),
      isLinux: futex === 'linux',
      expected: expected.slice(0, MODELS.length),
    };
  });

describe('futexes', () => {
  it('has every program in its table', () =>
    expect([...new Set(ROWS.map(({ file }) => file))].sort()).toEqual(
      readdirSync(FOLDER)
        .filter((name) => name.endsWith('.c'))
        .sort(),
    ));

  it.each(ROWS)('have their verdicts in $name', async ({ file, defines, isLinux, expected }) => {
    const program = await loadFiles([join(FOLDER, file)], { defines, ...(isLinux ? { futex: 'linux' } : {}) });
    const found = MODELS.map((model) => verdict(check(program, model, { strategy: 'optimal' })).replace(/:.*/, ''));
    expect(found).toEqual(expected);
  });
});
