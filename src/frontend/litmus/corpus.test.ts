import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validate } from '../../program/validate.ts';
import { type LitmusTest, parseLitmus } from './litmus.ts';

/** Public tests that live outside the repository; see the README there. */
const corpus = new URL('../../../../shared/corpora/x86-dat3m/', import.meta.url);
const present = existsSync(corpus);
if (!present) console.warn(`skipped: no litmus tests at ${corpus.pathname}`);

describe.skipIf(!present)('the x86 tests of Dartagnan', () => {
  const files = present ? readdirSync(corpus).filter((name) => name.endsWith('.litmus')) : [];
  const parse = (file: string): LitmusTest => parseLitmus(readFileSync(new URL(file, corpus), 'utf8'), file);

  it('are all there', () => expect(files).toHaveLength(487));

  it('have the threads, quantifiers and observed names of the published results', () => {
    const [, ...rows] = readFileSync(new URL('expected.tsv', corpus), 'utf8').trimEnd().split('\n');
    const seen = new Set<string>();
    for (const row of rows) {
      const [file, threads, quantifier, , , states] = row.split('\t');
      if (seen.has(file!)) continue;
      seen.add(file!);
      const test = parse(file!);
      const names = states!
        .split(' | ')[0]!
        .split(',')
        .map((binding) => binding.split('=')[0]);
      expect(test.program.roots, file).toHaveLength(Number(threads));
      expect(test.condition?.quantifier, file).toBe(quantifier);
      expect(test.observed.map(({ label }) => label).sort(), file).toEqual(names.sort());
    }
    expect(seen.size).toBe(487);
  });

  it('become well-formed programs', () => {
    for (const file of files) expect(validate(parse(file).program), file).toEqual([]);
  });

  it('keep the place and the text of every instruction', () => {
    for (const file of files) {
      const lines = readFileSync(new URL(file, corpus), 'utf8').split('\n');
      for (const { body } of parse(file).program.functions.flatMap(({ blocks }) => blocks)) {
        for (const { location } of body) {
          const { line, column, text } = location!;
          const written = lines[line - 1]!.slice(column - 1).replace(/\s+/g, ' ');
          expect(written.startsWith(text!), `${file}:${line}:${column}`).toBe(true);
        }
      }
    }
  });
});
