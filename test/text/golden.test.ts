/**
 * The text report of a failing program, word for word, for errors of every kind. `UPDATE=1 npx vitest run
 * test/text/golden.test.ts` rewrites the files: read them as a reader who knows C but no memory models.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/models/index.ts';
import type { CheckOptions } from '../../src/options/check.ts';
import { COLOURED, PLAIN } from '../../src/report/style.ts';
import { printCheck } from '../../src/report/writers/check.ts';
import { REPOSITORY } from '../support/fencepost.ts';
import { type Checked, checkFile, reportsOf } from '../support/reports.ts';

interface Golden {
  readonly name: string;
  readonly file: string;
  readonly models: readonly Model[];
  readonly width?: number;
  readonly options?: Partial<CheckOptions> & { readonly defines?: readonly string[] };
  /** The source lines that a report must lead the reader to. */
  readonly lines: readonly number[];
}

const GOLDEN: readonly Golden[] = [
  { name: 'store-buffering', file: 'examples/store-buffering.c', models: ['sc', 'tso'], lines: [26, 28, 34, 36, 46] },
  {
    name: 'store-buffering-80',
    file: 'examples/store-buffering.c',
    models: ['tso'],
    width: 80,
    lines: [26, 28, 34, 36, 46],
  },
  { name: 'message-passing', file: 'examples/message-passing.c', models: ['tso', 'pso'], lines: [25, 26, 32] },
  { name: 'relaxed-flag', file: 'test/golden/relaxed-flag.c', models: ['rc11'], lines: [6, 7, 11, 12] },
  { name: 'store-buffering-rc11', file: 'examples/store-buffering.c', models: ['rc11'], lines: [26, 28, 34, 36] },
  { name: 'treiber-stack', file: 'examples/treiber-stack.c', models: ['pso'], lines: [37, 39, 49, 50] },
  { name: 'lock-order', file: 'examples/lock-order.c', models: ['sc', 'tso'], lines: [15, 16, 26, 27] },
  { name: 'hazard-pointers', file: 'programs/structures/hazard-pointers.c', models: ['tso'], lines: [22, 27, 40, 32] },
  { name: 'wait-queue', file: 'programs/patterns/wait-queue.c', models: ['tso'], lines: [30, 32, 19, 21, 22] },
  {
    name: 'mcs',
    file: 'programs/locks/mcs.c',
    models: ['pso'],
    options: { defines: ['EAGER_JOIN'] },
    lines: [31, 34, 35, 46],
  },
  { name: 'unowned-unlock', file: 'programs/patterns/unowned-unlock.c', models: ['sc'], lines: [14, 19] },
  { name: 'benign', file: 'test/golden/benign.c', models: ['tso'], options: { robust: true }, lines: [11, 12] },
  {
    name: 'lock-order-80',
    file: 'examples/lock-order.c',
    models: ['sc'],
    width: 80,
    lines: [15, 16, 26, 27],
  },
  {
    name: 'treiber-stack-80',
    file: 'examples/treiber-stack.c',
    models: ['pso'],
    width: 80,
    lines: [37, 39, 49, 50],
  },
  {
    name: 'mcs-80',
    file: 'programs/locks/mcs.c',
    models: ['pso'],
    width: 80,
    options: { defines: ['EAGER_JOIN'] },
    lines: [31, 34, 35, 46],
  },
  { name: 'message-passing-120', file: 'examples/message-passing.c', models: ['pso'], width: 120, lines: [25, 26, 32] },
  {
    name: 'wait-queue-120',
    file: 'programs/patterns/wait-queue.c',
    models: ['tso'],
    width: 120,
    lines: [30, 32, 19, 21, 22],
  },
  { name: 'race', file: 'examples/message-passing.c', models: ['sc'], options: { races: true }, lines: [25, 32] },
];

const LONG: readonly Golden[] = [
  // 777 events.
  { name: 'dekker', file: 'test/golden/dekker.c', models: ['sc', 'tso', 'pso'], lines: [10, 11, 12, 17] },
  { name: 'dekker-80', file: 'test/golden/dekker.c', models: ['tso'], width: 80, lines: [10, 11, 12, 17] },
  // Seven threads and 134 events; eight threads.
  { name: 'dining', file: 'test/golden/dining.c', models: ['sc', 'tso'], lines: [9, 13] },
  { name: 'bank', file: 'test/golden/bank.c', models: ['sc'], lines: [8, 9, 28] },
  { name: 'bank-120', file: 'test/golden/bank.c', models: ['sc'], width: 120, lines: [8, 9, 28] },
  // Over 500 events: a ring that is published too early, and one with a lost update among many steps.
  { name: 'ring', file: 'test/golden/ring.c', models: ['pso'], lines: [20, 34] },
  { name: 'lost-update', file: 'test/golden/lost-update.c', models: ['sc'], lines: [11, 36] },
];

const checked = new Map<string, Promise<Checked>>();
/** Once for all widths. */
function run({ file, models, options }: Golden): Promise<Checked> {
  const key = JSON.stringify([file, models, options]);
  let result = checked.get(key);
  if (result === undefined) {
    result = checkFile(file, models, options);
    checked.set(key, result);
  }
  return result;
}

describe.each([...GOLDEN, ...LONG])('$name', (golden) => {
  const path = join(REPOSITORY, 'test/golden', `${golden.name}.txt`);
  const width = golden.width ?? 100;

  it('has not changed', async () => {
    const reports = reportsOf(await run(golden));
    const text = `${printCheck(reports, { width, style: PLAIN })}\n`;
    if (process.env['UPDATE'] === '1') writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, 'utf8'));
  });

  it('leads to the right lines, fits the width, and is the same in colour', async () => {
    const reports = reportsOf(await run(golden));
    const text = printCheck(reports, { width, style: PLAIN });
    for (const line of golden.lines)
      expect(text).toMatch(new RegExp(`(^|\\D)${line}: |line ${line}\\b|:${line}\\b`, 'm'));
    for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(width);
    const coloured = printCheck(reports, { width, style: COLOURED });
    expect(coloured).toContain('\u001b[');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(text);
  });
});
