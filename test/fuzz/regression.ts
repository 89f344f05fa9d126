/** Writes a finding of the fuzzer to a C file, with the answer of each side. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFreshValues } from './fresh.ts';
import { printFile } from './print-c.ts';
import type { Finding } from './session.ts';

export const REGRESSIONS: string = fileURLToPath(new URL('../../programs/regressions/', import.meta.url));

/** The file, relative to the current folder. */
export function writeRegression({ program, disagreements }: Finding): string {
  const { what } = disagreements[0]!;
  const name = `${what
    .replace(/[^a-z]+/gi, '-')
    .slice(0, 60)
    .replace(/-$/, '')}-${program.seed}.c`;
  const lines = disagreements.map(
    ({ what: kind, model, detail }) => ` * ${model}: ${kind}: ${detail.split('\n')[0]!.slice(0, 160)}`,
  );
  mkdirSync(REGRESSIONS, { recursive: true });
  const file = join(REGRESSIONS, name);
  writeFileSync(
    file,
    `/*\n * Found by the fuzzer (seed ${program.seed}) and made small. The right verdicts belong in expected.tsv.\n${lines.join('\n')}\n */\n${what.startsWith('uninitialised') ? printFile(withFreshValues(program), { uninitialised: true }) : printFile(program)}`,
  );
  return relative('.', file);
}
