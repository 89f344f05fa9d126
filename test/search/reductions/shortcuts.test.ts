/**
 * With any shortcut of the search turned off: the same traces, each once. Decision 16 has a lemma for each shortcut.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_SHORTCUTS, type Shortcuts } from '../../../src/explore/dpor/shortcuts.ts';
import type { Program } from '../../../src/program/ir.ts';
import { everything, forAll, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import { sketches } from '../../support/generate.ts';
import { DPOR_MODELS, visit } from '../../support/searches.ts';
import { SHORTCUT_VARIANTS } from '../../support/shortcuts.ts';
import { buildSizedProgram, sizedSketches } from '../../support/sized-sketch.ts';
import { buildProgram, printSketch, type Sketch, store } from '../../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';
import { DEEP } from '../../support/tier.ts';

interface Sample {
  readonly program: Program;
  toString(): string;
}

const kinds: readonly [string, number, fc.Arbitrary<Sample>][] = [
  [
    'accesses of one size',
    20,
    sketches({ ...everything, threads: 4, totalOps: 7 })
      .filter((sketch) => sketch.length > 0)
      .map((sketch) => ({ program: buildProgram(sketch), toString: () => printSketch(sketch) })),
  ],
  [
    'accesses of several sizes',
    20,
    sizedSketches(3, 6).map((sketch) => ({ program: buildSizedProgram(sketch), toString: () => sketch.toString() })),
  ],
  [
    'locks, conditions, joins, frees, choices, loops',
    10,
    syncSketches().map((sketch) => ({ program: buildSyncProgram(sketch), toString: () => printSyncSketch(sketch) })),
  ],
];

/** False if there were too many traces to compare. */
function compare(program: Program, shortcuts: Shortcuts, seed: number): boolean {
  let compared = 0;
  // In the push tier, under one of the models.
  const models = DEEP ? DPOR_MODELS : [DPOR_MODELS[seed % DPOR_MODELS.length]!];
  for (const model of models) {
    const withAll = visit(program, model, 'optimal', 3000);
    if (withAll.bounds.length > 0) continue;
    compared++;
    const optimal = visit(program, model, 'optimal', Number.POSITIVE_INFINITY, shortcuts);
    expect([...optimal.distinct].sort(), `${model}, optimal`).toEqual([...withAll.distinct].sort());
    expect([optimal.traces.length, optimal.asleep, optimal.errors > 0], `${model}, optimal`).toEqual([
      withAll.traces.length,
      withAll.asleep,
      withAll.errors > 0,
    ]);
    const source = visit(program, model, 'source', Number.POSITIVE_INFINITY, shortcuts);
    expect([...source.distinct].sort(), `${model}, source`).toEqual([...withAll.distinct].sort());
  }
  return compared === models.length;
}

describe.each(SHORTCUT_VARIANTS)('the traces are the same without $without', ({ shortcuts }) => {
  it.each(kinds)('of %s: %d programs', (_, count, samples) => {
    forAll({ from: samples, count, print: String }, ({ program }, seed) =>
      compare(program, shortcuts, seed) ? undefined : SKIPPED,
    );
  });
});

/** Every thread does this many stores to a private place before each of its operations. */
const OWN = 130;
const OWN_LOCATION = 3;

function lengthened(sketch: Sketch): Sketch {
  return sketch.map((ops, thread) =>
    ops.flatMap((one) => [...Array.from({ length: OWN }, (_, i) => store(OWN_LOCATION + thread, i)), one]),
  );
}

it('a program of more than a thousand events has the same traces without clocks and without shortened rows', () => {
  let isLong = 0;
  forAllSketches({ ...everything, threads: 3, totalOps: 5, locations: 2 }, 6, (sketch) => {
    const program = buildProgram(lengthened(sketch));
    const plain = { ...ALL_SHORTCUTS, clocksFrom: Number.POSITIVE_INFINITY, longFrom: Number.POSITIVE_INFINITY };
    for (const model of ['sc', 'tso'] as const) {
      const expected = visit(program, model, 'optimal', 300, plain);
      if (expected.bounds.length > 0) return SKIPPED;
      for (const clocksFrom of [ALL_SHORTCUTS.clocksFrom, 100]) {
        const { traces, distinct, asleep } = visit(program, model, 'optimal', 1000, { ...ALL_SHORTCUTS, clocksFrom });
        expect([traces.length, asleep], model).toEqual([expected.traces.length, expected.asleep]);
        expect([...distinct].sort(), model).toEqual([...expected.distinct].sort());
      }
    }
    if (sketch.flat().length * OWN * 2 > ALL_SHORTCUTS.clocksFrom) isLong++;
    return undefined;
  });
  expect(isLong).toBeGreaterThan(2);
});

it('has a lemma and a variant for every shortcut, and names the lemma', () => {
  const decision = ['0016-dependence', '0027-commuting-operations']
    .map((name) => readFileSync(new URL(`../../../docs/decisions/${name}.md`, import.meta.url), 'utf8'))
    .join('\n');
  const source = readFileSync(new URL('../../../src/explore/dpor/shortcuts.ts', import.meta.url), 'utf8');
  const lemmas = [...decision.matchAll(/^\*\*(Lemma \d+) \((`\w+`(?:, `\w+`)*)\)\.\*\*/gm)].flatMap(
    ([, lemma, names]) => names!.split(', ').map((name): [string, string] => [name.slice(1, -1), lemma!]),
  );
  expect(lemmas.map(([name]) => name).sort()).toEqual(Object.keys(ALL_SHORTCUTS).sort());
  for (const [name, lemma] of lemmas)
    expect(source).toMatch(new RegExp(`\\(${lemma}\\)\\. \\*/\n {2}readonly ${name}:`));
  const off = SHORTCUT_VARIANTS.map(({ shortcuts }) =>
    Object.entries(shortcuts).flatMap(([name, value]) =>
      value === ALL_SHORTCUTS[name as keyof Shortcuts] ? [] : [name],
    ),
  );
  // `commuting` changes what a trace is, `lateExits` how many there are: see commuting.test.ts and exits.test.ts. Numeric
  // options are tried with both extremes.
  const names = Object.keys(ALL_SHORTCUTS).filter((name) => name !== 'commuting' && name !== 'lateExits');
  const isNumber = (name: string): boolean => typeof ALL_SHORTCUTS[name as keyof Shortcuts] === 'number';
  expect(off).toEqual(names.flatMap((name) => (isNumber(name) ? [[name], [name]] : [[name]])));
});

describe('the table in decision 16', () => {
  const folder = new URL('../../../docs/decisions/', import.meta.url);
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  const rows = read('0016-dependence.md')
    .split('\n')
    .filter((line) => line.startsWith('| '));

  it('has every lemma of every decision', () => {
    const stated = readdirSync(folder).flatMap((name) =>
      [...read(name).matchAll(/\*\*Lemma (\d+)\b/g)].map((m) => m[1]),
    );
    const listed = rows.flatMap((row) => /\| Lemmas? ([\d, ]+)/.exec(row)?.[1]?.match(/\d+/g) ?? []);
    expect(listed.map(Number).sort((a, b) => a - b)).toEqual(stated.map(Number).sort((a, b) => a - b));
  });

  it('names switches that exist', () => {
    const files: Readonly<Record<string, string>> = {
      Shortcuts: 'explore/dpor/shortcuts.ts',
      MachineOptions: 'machine/machine-options.ts',
      ModelRunParts: 'pipelines/model-parts.ts',
      GraphOptions: 'explore/graph/search.ts',
      CProgramOptions: 'frontend/llvm/c-program.ts',
    };
    const switches = rows.flatMap((row) => [...row.matchAll(/`([A-Z]\w+)\.(\w+)`/g)]);
    expect(switches.length).toBeGreaterThan(Object.keys(ALL_SHORTCUTS).length);
    for (const [, type, field] of switches) {
      const source = readFileSync(new URL(`../../../src/${files[type!]}`, import.meta.url), 'utf8');
      expect(source, type).toMatch(new RegExp(`interface ${type}\\b[^}]*\\n {2}readonly ${field}\\??:`));
    }
    const ours = switches.filter(([, type]) => type === 'Shortcuts').map(([, , field]) => field);
    expect(ours.sort()).toEqual(Object.keys(ALL_SHORTCUTS).sort());
  });
});
