/**
 * Read-modify-writes that commute are explored in one order: fewer executions, the same final states, errors and hangs.
 * Each trace without the order of such operations is explored once. Exact counts are in `commuting-counts.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { ALL_SHORTCUTS, type Shortcuts } from '../../../src/explore/dpor/shortcuts.ts';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import type { Strategy } from '../../../src/explore/strategy.ts';
import type { Machine, MachineOptions } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { Prng } from '../../../src/util/prng.ts';
import { type CheckedModel, compileC, MODELS } from '../../support/c.ts';
import { CommutingGenerator, printCommuting } from '../../support/commuting.ts';
import { commutingTrace } from '../../support/commuting-trace.ts';
import { type FinalStates, finalStates, type Limited } from '../../support/final-states.ts';
import { SHORTCUT_VARIANTS } from '../../support/shortcuts.ts';
import { QUICK, SEED, samples } from '../../support/tier.ts';

const PROGRAMS = samples(32);
/** Programs in one translation unit. */
const BATCH = 16;
const MAX_STATES = 3000;

const COMMUTING: Shortcuts = { ...ALL_SHORTCUTS, commuting: true };
const READING: MachineOptions = { spin: true };
const WAITING: MachineOptions = { spin: true, awaits: true };

interface Found extends FinalStates {
  /** Traces of complete executions, without the order of operations that commute. */
  readonly traces: readonly string[];
}

const LIMITED: Limited = { maxExecutions: 300, maxDepth: 120, globals: /^(a|b|z|p|kept)$/ };

function search(
  program: Program,
  model: CheckedModel,
  make: (machine: Machine) => Strategy,
  options: MachineOptions,
): Found | undefined {
  const traces = new Set<string>();
  const onComplete = (machine: Machine): unknown => traces.add(commutingTrace(machine));
  const found = finalStates(program, model, make, options, { ...LIMITED, onComplete });
  return found === undefined ? undefined : { ...found, traces: [...traces].sort() };
}

const seen = { compared: 0, cut: 0, hanging: 0, failing: 0, saved: 0, traces: 0 };

describe('generated programs have the same ends if writes commute', () => {
  it.each(Array.from({ length: PROGRAMS / BATCH }, (_, batch) => batch))('batch %i', async (batch) => {
    const prng = new Prng(SEED, batch);
    const generator = new CommutingGenerator(prng);
    const programs = Array.from({ length: BATCH }, () => generator.program());
    const source = printCommuting(programs);
    for (const [i, commuting] of programs.entries()) {
      const program = await compileC(source, { entry: `main_${i}` });
      const text = printCommuting([commuting]);
      let isCut = false;
      for (const model of MODELS) {
        seen.compared++;
        // A program too large under one model is not smaller under a weaker one.
        isCut ||= !compare(program, model, text, prng);
        if (isCut) seen.cut++;
      }
    }
  });

  it.skipIf(QUICK)('most were small enough, and every kind occurred', () => {
    expect(seen.cut).toBeLessThan(seen.compared / 3);
    for (const kind of ['hanging', 'failing', 'saved'] as const)
      expect(seen[kind], kind).toBeGreaterThan(seen.compared / 50);
    expect(seen.traces).toBeGreaterThan(seen.compared / 3);
  });
});

/** False if the program is too large for the oracle. */
function compare(program: Program, model: CheckedModel, source: string, prng: Prng): boolean {
  const all = search(program, model, (m) => new Enumerator(m, MAX_STATES), READING);
  if (all === undefined) return false;
  if (all.errors.includes('liveness') || all.errors.includes('deadlock')) seen.hanging++;
  if (all.errors.includes('assertion')) seen.failing++;
  const plain = search(program, model, (m) => new MachineDpor(m, 'optimal'), WAITING);
  const waiting = search(program, model, (m) => new Enumerator(m, MAX_STATES), WAITING);
  const variant = SHORTCUT_VARIANTS[prng.below(SHORTCUT_VARIANTS.length)]!;
  const others: [string, 'optimal' | 'source', Shortcuts, MachineOptions][] = [
    ['optimal', 'optimal', COMMUTING, WAITING],
    ['source', 'source', COMMUTING, WAITING],
    [`optimal without ${variant.without}`, 'optimal', { ...variant.shortcuts, commuting: true }, WAITING],
    ['optimal, reading', 'optimal', COMMUTING, READING],
  ];
  for (const [name, mode, shortcuts, options] of others) {
    const what = `${name}, ${model}\n${source}`;
    const found = search(program, model, (m) => new MachineDpor(m, mode, shortcuts), options);
    if (found === undefined) {
      seen.cut++;
      continue;
    }
    // An error ends its execution, and may hide others.
    expect(found.errors.length > 0, what).toBe(all.errors.length > 0);
    for (const kind of found.errors) expect(all.errors, what).toContain(kind);
    for (const state of found.finals) expect(all.finals, what).toContain(state);
    if (all.errors.length > 0) continue;
    expect(found.finals, what).toEqual(all.finals);
    if (mode === 'optimal') {
      expect(found.executions, what).toBe(found.traces.length);
      expect(found.abandoned, what).toBe(0);
    }
    const reference = options === WAITING ? waiting : all;
    if (reference !== undefined) {
      seen.traces++;
      expect(found.traces, what).toEqual(reference.traces);
    }
    if (plain !== undefined && found.executions < plain.executions) seen.saved++;
  }
  return true;
}
