/**
 * Finds pairs of events whose order divides a search into parts of about the same size
 * ([decision 43](../../../../docs/decisions/0043-parts-by-orders.md)): random executions show which events conflict in
 * all of them, and which orders are independent of each other.
 */
import { isUpdate } from '../../../machine/events/effects.ts';
import * as ev from '../../../machine/events/event.ts';
import type { Machine, Outcome } from '../../../machine/machine.ts';
import { IntVector } from '../../../util/int-vector.ts';
import { Prng } from '../../../util/prng.ts';
import { Exploration } from '../../explore.ts';
import type { Step } from '../../runnable.ts';
import { type ABANDON, NO_STEP, type Strategy } from '../../strategy.ts';
import { NO_EVENT } from '../dependence.ts';
import type { EventName, Order } from '../job.ts';
import type { Shortcuts } from '../shortcuts.ts';
import { MachineDependence } from './machine-dependence.ts';
import { MachineSteps } from './machine-steps.ts';

const RUNS = 300;
/** Most pairs to consider, and the number of executions to take them from. */
const MOST_PAIRS = 200;
const FIRST_RUNS = 5;
/** In bits: a pair that adds less to those already chosen is not worth it. */
const LEAST_BITS = 0.3;

interface Pair extends Order {
  /** Per execution: 1 if the first event came first. */
  readonly bits: number[];
}

/** Random executions. */
class RandomRuns implements Strategy {
  readonly name = 'random runs';
  readonly looksForSteps = true;
  readonly incomplete = undefined;
  readonly dependence: MachineDependence;
  private readonly machine: Machine;
  private readonly next: MachineSteps;
  private readonly prng = new Prng(1);
  private readonly enabled = new IntVector();
  private readonly ofThread = new IntVector();
  private left = RUNS;

  constructor(machine: Machine, shortcuts: Shortcuts) {
    this.machine = machine;
    this.next = new MachineSteps(machine, shortcuts);
    this.dependence = new MachineDependence(machine, shortcuts);
  }

  beginExecution(): number {
    this.dependence.rollback(0);
    this.next.forget();
    return this.left-- > 0 ? 0 : -1;
  }

  pick(): Step | typeof ABANDON | typeof NO_STEP {
    const { machine, next, enabled, ofThread, prng } = this;
    if (machine.isOver) return NO_STEP;
    let step = next.invisible(true);
    if (step >= 0) return step;
    enabled.clear();
    for (let thread = 0; ; thread++) {
      ofThread.clear();
      thread = next.addVisible(thread, ofThread);
      if (thread < 0) break;
      for (let i = 0; i < ofThread.length; i++) enabled.push(ofThread.get(i));
    }
    step = enabled.length > 0 ? enabled.get(prng.below(enabled.length)) : next.exit(0);
    return step < 0 ? NO_STEP : step;
  }

  observe(event: number): void {
    this.next.observe(event);
    this.dependence.catchUp();
  }

  endExecution(): void {}
}

/**
 * Up to `most` pairs, in one of their two orders; none unless every run is complete and without error. The machine must
 * not be used for anything else.
 */
export function chooseOrders(machine: Machine, shortcuts: Shortcuts, most: number, maxDepth: number): readonly Order[] {
  // Waits before idle reads, and operations that commute, have their own orders.
  if (machine.idleWaits !== undefined) return [];
  const runs = new RandomRuns(machine, shortcuts);
  const { dependence } = runs;
  if (dependence.mayCommute || dependence.usesAtomicSections) return [];
  let pairs: Pair[] = [];
  let count = 0;
  let isComplete = true;
  const onExecution = (_: Machine, outcome: Outcome): void => {
    if (outcome !== 'complete') isComplete = false;
    if (count < FIRST_RUNS) pairs.push(...newPairs(machine, dependence, pairs, count));
    pairs = pairs.filter((pair) => note(dependence, pair));
    count++;
  };
  const exploration = new Exploration(machine, runs, { maxDepth, onExecution });
  try {
    exploration.advance(Number.POSITIVE_INFINITY);
  } catch {
    // It needs more memory, or another kind of search: the search itself will find that too, and report it.
    return [];
  }
  const { errors, boundedBy } = exploration.result;
  if (!isComplete || count < RUNS || errors.length > 0 || boundedBy.length > 0) return [];
  return choose(pairs, most);
}

/**
 * The races of this execution, which is number `count`, that are not among the known pairs. How they were ordered in
 * earlier executions is not known: 0 stands for that.
 */
function newPairs(machine: Machine, dependence: MachineDependence, known: readonly Pair[], count: number): Pair[] {
  const names = new Set(known.map(nameOf));
  const pairs: Pair[] = [];
  const { races } = dependence;
  for (let r = 0; r < races.length && known.length + pairs.length < MOST_PAIRS; r += 2) {
    const [a, b] = [races.get(r), races.get(r + 1)];
    if (!dependence.areOrdered(a, b)) continue;
    const order = [eventName(machine, a), eventName(machine, b)].sort(byName);
    const pair: Pair = { first: order[0]!, second: order[1]!, bits: [] };
    if (names.has(nameOf(pair))) continue;
    names.add(nameOf(pair));
    for (let i = 0; i < count; i++) pair.bits.push(0);
    pairs.push(pair);
  }
  return pairs;
}

function eventName({ events }: Machine, event: number): EventName {
  return {
    thread: events.get(event, ev.E_THREAD),
    index: events.get(event, ev.E_INDEX),
    isUpdate: isUpdate(events, event),
  };
}

function byName(a: EventName, b: EventName): number {
  return a.thread - b.thread || a.index - b.index || Number(a.isUpdate) - Number(b.isUpdate);
}

function nameOf({ first, second }: Order): string {
  return [first, second].map(({ thread, index, isUpdate }) => `${thread} ${index} ${isUpdate}`).join(', ');
}

/** Notes the order of the pair in this execution; false if it is not decided there. */
function note(dependence: MachineDependence, { first, second, bits }: Pair): boolean {
  const [a, b] = [dependence.eventNamed(first), dependence.eventNamed(second)];
  if (a === NO_EVENT || b === NO_EVENT || !dependence.areOrdered(a, b)) return false;
  bits.push(a < b ? 1 : 0);
  return true;
}

/** Greedily chooses one pair after the other, each time the one that divides most. */
function choose(pairs: readonly Pair[], most: number): Order[] {
  const chosen: Order[] = [];
  let classes = new Int32Array(RUNS);
  let bits = 0;
  while (chosen.length < most) {
    let best: Pair | undefined;
    let reached = bits + LEAST_BITS;
    for (const pair of pairs) {
      const entropy = entropyOf(classes, pair.bits);
      if (entropy > reached + 1e-9) [best, reached] = [pair, entropy];
    }
    if (best === undefined) break;
    const { first, second } = best;
    chosen.push({ first, second });
    const { bits: added } = best;
    classes = classes.map((known, run) => 2 * known + added[run]!);
    bits = reached;
  }
  return chosen;
}

/** The entropy, in bits, of the classes of executions once `bits` divides them further. */
function entropyOf(classes: Int32Array, bits: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const [run, known] of classes.entries()) {
    const key = 2 * known + bits[run]!;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  let sum = 0;
  for (const count of counts.values()) sum -= (count / RUNS) * Math.log2(count / RUNS);
  return sum;
}

/** The parts: every combination of the two orders of each pair. */
export function partsOf(pairs: readonly Order[]): readonly (readonly Order[])[] {
  let parts: Order[][] = [[]];
  for (const { first, second } of pairs) {
    parts = parts.flatMap((part) => [
      [...part, { first, second }],
      [...part, { first: second, second: first }],
    ]);
  }
  return parts;
}
