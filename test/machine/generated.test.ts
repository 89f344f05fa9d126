/**
 * Generated code and the interpreter, step by step on the same random schedules: the same states, events, output and
 * errors (`support/lockstep.ts` says how they are compared).
 *
 * 4 schedules for every C program and model, 80 in the deep tier; fewer for each of the many small ones. The programs
 * of `programs/` are in `generated-programs.test.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLitmus } from '../../src/frontend/litmus/litmus.ts';
import { Machine } from '../../src/machine/machine.ts';
import { DEFAULT_PATIENCE } from '../../src/machine/machine-options.ts';
import type { Limits } from '../../src/machine/state/layout.ts';
import { modelNames } from '../../src/models/index.ts';
import { MODELS as CHECKED_MODELS, compileC } from '../support/c.ts';
import { CLASSICS, CLASSICS_SOURCE } from '../support/c-classics.ts';
import { generateProgram, programFile } from '../support/c-generate.ts';
import { WRONG, WRONG_SOURCE } from '../support/c-wrong.ts';
import { everything, forAllSketches } from '../support/for-all.ts';
import { Lockstep } from '../support/lockstep.ts';
import { buildProgram } from '../support/sketch.ts';
import { DEEP, samples } from '../support/tier.ts';

/** Enough room for these programs, and small enough to compare all of it often. */
const SMALL: Partial<Limits> = {
  threads: 6,
  frameWords: 1 << 12,
  stackBytes: 1 << 12,
  heapBytes: 1 << 13,
  syncObjects: 16,
  bufferEntries: 256,
  commits: 1 << 10,
};
const SCHEDULES = samples(4);

const folder = new URL('../../litmus/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.litmus'));

describe('C programs', () => {
  const examples = readdirSync(new URL('../../examples/', import.meta.url)).filter((name) => name.endsWith('.c'));

  it.each(CLASSICS.map(({ entry }) => entry))('run in lockstep with the interpreter: %s', async (entry) => {
    const program = await compileC(CLASSICS_SOURCE, { entry });
    for (const model of CHECKED_MODELS) new Lockstep(program, model, 1, { limits: SMALL }).run(SCHEDULES);
  });

  it.each(examples)('run in lockstep with the interpreter: examples/%s', async (name) => {
    const program = await compileC(readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8'));
    for (const model of CHECKED_MODELS) new Lockstep(program, model, 2, { limits: SMALL }).run(SCHEDULES);
  });

  // Nearly all of these have only one schedule, except for when stores reach memory.
  it.each(Object.keys(WRONG))('run in lockstep with the interpreter even if they are wrong: %s', async (entry) => {
    const program = await compileC(WRONG_SOURCE, { entry });
    for (const model of CHECKED_MODELS) new Lockstep(program, model, 3, { limits: SMALL }).run(samples(2));
  });
});

describe('generated C programs', () => {
  const ROOMY: Partial<Limits> = { ...SMALL, threads: 1, frameWords: 1 << 14, stackBytes: 1 << 18, heapBytes: 1 << 20 };
  const sources = Array.from({ length: DEEP ? 12 : 2 }, (_, file) =>
    programFile(Array.from({ length: DEEP ? 10 : 4 }, (_, i) => generateProgram(`p${i}`, 77 + file, i, false))),
  );

  it.each(sources.map((_, i) => i))('run in lockstep with the interpreter: file %i', async (file) => {
    const program = await compileC(sources[file]!);
    // Each compares far more than one execution of a program with threads.
    for (const model of DEEP ? CHECKED_MODELS : [CHECKED_MODELS[file % CHECKED_MODELS.length]!]) {
      const run = new Lockstep(program, model, file, { limits: ROOMY, maxSteps: 50_000 });
      run.run(1);
      expect(run.lastOutcome).toBe('complete');
    }
  });

  it.each([1, 10, 50, 200, 1000])(
    'run in lockstep with at most %i local instructions at a time',
    async (localSteps) => {
      const program = await compileC(sources[0]!);
      for (const entry of CHECKED_MODELS) {
        new Lockstep(program, entry, 5, { limits: { ...SMALL, localSteps }, maxSteps: 5000 }).run(2);
      }
    },
  );
});

describe('limits', () => {
  it.each([
    ['frames', { frameWords: 150 }],
    ['heap', { heapBytes: 64 }],
    ['stores that wait', { bufferEntries: 3 }],
    ['threads', { threads: 2 }],
    ['mutexes', { syncObjects: 1 }],
    ['local instructions', { localSteps: 12 }],
  ] satisfies [string, Partial<Limits>][])('end an execution in both engines alike: %s', async (_, limits) => {
    for (const entry of ['mutex_counter_3', 'read_of_freed', 'iriw', 'lock_order']) {
      const program = await compileC(CLASSICS_SOURCE, { entry });
      for (const model of CHECKED_MODELS) {
        new Lockstep(program, model, 4, { limits: { ...SMALL, ...limits } }).run(samples(6));
      }
    }
  });
});

describe('small programs', () => {
  it('run in lockstep with the interpreter if they are sketches', () => {
    forAllSketches(everything, 8, (sketch, seed) => {
      for (const model of modelNames()) new Lockstep(buildProgram(sketch), model, seed).run(20);
    });
  });

  it(`run in lockstep with the interpreter if they are litmus tests: ${files.length}`, () => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { program } = parseLitmus(readFileSync(new URL(file, folder), 'utf8'), file);
      for (const model of modelNames()) new Lockstep(program, model, 6).run(samples(1));
    }
  });
});

describe('loops', () => {
  it.each([{ spin: true }, { unroll: 2 }, { spin: true, unroll: 3 }])(
    'run in lockstep with the interpreter, with %o',
    async (machine) => {
      for (const { entry } of CLASSICS) {
        const program = await compileC(CLASSICS_SOURCE, { entry });
        for (const model of CHECKED_MODELS) new Lockstep(program, model, 8, { limits: SMALL, machine }).run(samples(2));
      }
      for (const file of files.filter((name) => name.startsWith('loops'))) {
        const { program } = parseLitmus(readFileSync(new URL(file, folder), 'utf8'), file);
        for (const model of CHECKED_MODELS) new Lockstep(program, model, 9, { machine }).run(samples(5));
      }
    },
  );
});

describe('the delay before code is generated', () => {
  it('changes nothing, whenever it ends', async () => {
    const program = await compileC(CLASSICS_SOURCE, { entry: 'mutex_counter_3' });
    for (const patience of [0, 1, 2, 7, 100]) {
      for (const model of CHECKED_MODELS) new Lockstep(program, model, 7, { limits: SMALL, patience }).run(samples(8));
    }
  });

  it('a machine without options ends up with generated code, and one that interprets does not', async () => {
    const program = await compileC(CLASSICS_SOURCE, { entry: 'sb' });
    const original = globalThis.Function;
    let generated = 0;
    globalThis.Function = new Proxy(original, {
      construct: (target, args) => {
        generated++;
        return Reflect.construct(target, args);
      },
    });
    try {
      for (const interpret of [true, false]) {
        generated = 0;
        const machine = new Machine(program, 'sc', SMALL, { interpret });
        for (let run = 0; run <= DEFAULT_PATIENCE; run++) {
          while (machine.enabled() > 0) machine.step(machine.steps.get(0));
          machine.rollback(0);
        }
        expect(generated > 0).toBe(!interpret);
      }
    } finally {
      globalThis.Function = original;
    }
  });
});
