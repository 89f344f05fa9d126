/**
 * What the distinct violations of dekker and snark in [MON] Tables 1 and 2 depend on: how the program is written, which
 * of the pending stores that meet line 6 of the figures counts as e', and how the search proceeds. The paper prints
 * neither the programs nor their harnesses. The monitors are the figures themselves. Operations are instructions, so
 * `counter++` counts as two; those on mutexes are atomic.
 */
import { Bounded } from '../src/explore/bounded.ts';
import { explore } from '../src/explore/explore.ts';
import { processOf } from '../src/explore/runnable.ts';
import { Waker } from '../src/explore/wake.ts';
import * as ev from '../src/machine/events/event.ts';
import { Machine } from '../src/machine/machine.ts';
import type { IntVector } from '../src/util/int-vector.ts';
import { type FigureEvent, figure } from '../test/support/mon-figure.ts';
import { loadProgram } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

const KINDS: Readonly<Record<number, FigureEvent['kind']>> = {
  [ev.LOAD_EVENT]: 'ld',
  [ev.STORE_EVENT]: 'st',
  [ev.RMW_EVENT]: 'atm',
  [ev.LOCK_EVENT]: 'atm',
  [ev.UNLOCK_EVENT]: 'atm',
};

/** Where a thread ends or waits, only the first of the others continues: the search branches only at preemptions. */
const FIRST = 'first';

export const VARIANTS: Readonly<Record<'dekker' | 'snark', readonly (readonly string[])[]>> = {
  dekker: [
    ['EMPTY'],
    ['EMPTY', FIRST],
    ['EMPTY', 'START'],
    ['EMPTY', 'ROUNDS=1'],
    ['EMPTY', 'ROUNDS=2'],
    ['EMPTY', 'ROUNDS=5'],
    [],
    ['INSIDE'],
    ['INSIDE', FIRST],
  ],
  snark: [[], ['PLACES'], ['AT_ONCE'], ['AT_ONCE', 'EARLY'], ['AT_ONCE', 'UNMARKED'], ['AT_ONCE', 'EARLY', 'UNMARKED']],
};
export type Varied = keyof typeof VARIANTS;
export const BOUNDS = [1, 2] as const;
/**
 * Which stores count: the newest one that meets line 6, the oldest one, all of them; or only the first alarm of a run.
 */
export const CHOICES = ['newest', 'oldest', 'all', 'first alarm'] as const;

export function pairsCase(program: Varied, words: readonly string[], preemptions: number): string {
  return [program, ...words, preemptions].join(' ');
}

const CASES = new Map(
  (Object.keys(VARIANTS) as Varied[]).flatMap((program) =>
    VARIANTS[program].flatMap((words) =>
      BOUNDS.map((most) => [pairsCase(program, words, most), { file: `mon/${program}.c`, words, most }] as const),
    ),
  ),
);

export const pairs: Suite = {
  name: 'pairs',
  about: "distinct violations of MON's dekker and snark, written, searched and counted in several ways",
  alone: 'it counts interleavings as a paper does',
  cases: [...CASES.keys()],
  measure: (name) => {
    const { file, words, most } = CASES.get(name)!;
    return countPairs(file, words, most, Object.values(KINDS));
  },
};

/** `kinds`: the kinds of events that count as e. */
export async function countPairs(
  file: string,
  words: readonly string[],
  most: number,
  kinds: readonly FigureEvent['kind'][],
): Promise<Measurement> {
  const program = await loadProgram(
    [file],
    words.filter((word) => word !== FIRST),
  );
  const machine = new Machine(program, 'sc', {}, { spin: true });
  const found = new Pairs(machine, kinds);
  let interleavings = 0;
  explore(machine, words.includes(FIRST) ? new FirstOnly(most) : new Bounded(most), {
    followers: [new Waker(machine)],
    onExecution: () => {
      interleavings++;
      found.add();
    },
  });
  return { counts: { interleavings, ...found.counts }, rates: {} };
}

/** More preemptions than any search allows. */
const NEVER = 1000;

class FirstOnly extends Bounded {
  protected override price(previous: number, steps: IntVector, costs: IntVector): void {
    super.price(previous, steps, costs);
    const isFree = (i: number): boolean => costs.get(costs.length - steps.length + i) === 0;
    let isFirst = true;
    for (let i = 0; i < steps.length; i++) {
      if (!isFree(i)) continue;
      if (!isFirst && processOf(steps.get(i)) !== previous) costs.words[costs.length - steps.length + i] = NEVER;
      isFirst = false;
    }
  }
}

class Pairs {
  private readonly machine: Machine;
  private readonly kinds: readonly FigureEvent['kind'][];
  private readonly byName = new Map<string, Set<string>>();

  constructor(machine: Machine, kinds: readonly FigureEvent['kind'][]) {
    this.machine = machine;
    this.kinds = kinds;
  }

  /** Adds the figures' signals in the current execution. */
  add(): void {
    const { events } = this.machine;
    const accesses = Array.from({ length: events.length }, (_, e) => e).filter(
      (e) => KINDS[events.get(e, ev.E_KIND)] !== undefined,
    );
    const run = accesses.map((e) => ({
      process: events.get(e, ev.E_THREAD),
      kind: KINDS[events.get(e, ev.E_KIND)]!,
      address: events.get(e, ev.E_ADDRESS),
    }));
    const site = (n: number): number => events.get(accesses[n]!, ev.E_SITE);
    for (const model of ['tso', 'pso'] as const) {
      const signals = figure(run, model).filter(({ event }) => this.kinds.includes(run[event]!.kind));
      for (const [i, { event, stores }] of signals.entries()) {
        const note = (choice: (typeof CHOICES)[number], store: number): void => {
          const name = `${model} ${choice}`;
          this.byName.set(name, (this.byName.get(name) ?? new Set()).add(`${site(event)} ${site(store)}`));
        };
        for (const store of stores) note('all', store);
        note('oldest', stores[0]!);
        note('newest', stores.at(-1)!);
        if (i === 0) note('first alarm', stores[0]!);
      }
    }
  }

  get counts(): Readonly<Record<string, number>> {
    const names = (['tso', 'pso'] as const).flatMap((model) => CHOICES.map((choice) => `${model} ${choice}`));
    return Object.fromEntries(names.map((name) => [name, this.byName.get(name)?.size ?? 0]));
  }
}
