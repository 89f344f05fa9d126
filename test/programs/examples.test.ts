/** The table in `docs/examples.md` is correct and complete: every example, with the options given in its row. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, compileC, MODELS } from '../support/c.ts';
import { REPOSITORY } from '../support/fencepost.ts';

const FOLDER = join(REPOSITORY, 'examples');
const table = readFileSync(join(REPOSITORY, 'docs/examples.md'), 'utf8');

const rows = [...table.matchAll(/^\| \[([\w-]+\.c)\].*$/gm)].map(([line, file]) => {
  const [, , , options, ...verdicts] = line.split('|').map((cell) => cell.trim());
  const defines = [...options!.matchAll(/-D (\w+)/g)].map((match) => match[1]!);
  return { file: file!, defines, verdicts: verdicts.slice(0, MODELS.length + 1) };
});

it('lists every example', () => {
  const files = readdirSync(FOLDER).sort();
  expect([...new Set(rows.map(({ file }) => file))].sort()).toEqual(files.filter((file) => file.endsWith('.c')));
  // Examples that are recorded, not checked, are in test/commands/record.
  for (const file of files) expect(table).toContain(`(../examples/${file})`);
});

describe.each(rows)('$file $defines', ({ file, defines, verdicts }) => {
  const source = readFileSync(join(FOLDER, file), 'utf8');

  it('is as the table says', async () => {
    const program = await compileC({ [file]: source }, { defines });
    const found = [...MODELS, 'rc11' as const].map((model) => {
      const { verdict, errors } = check(program, model, { strategy: model === 'rc11' ? 'graph' : 'enumerate' });
      return errors[0]?.error.kind ?? verdict.kind;
    });
    expect(found).toEqual(verdicts);
  });

  it('is in the comment at the top', () => {
    const command = ['fencepost check', `examples/${file}`, ...defines.map((name) => `-D ${name}`)].join(' ');
    const comment = source.slice(0, source.indexOf('*/')).split('\n');
    expect(comment.some((line) => line.replace(/^ \* +/, '').split(/ {2,}/)[0] === command)).toBe(true);
  });
});
