/** One execution of a machine, chosen at random, for tests of what is said about executions. */
import type { Machine } from '../../src/machine/machine.ts';
import { processOf } from '../../src/machine/state/process.ts';
import type { Prng } from '../../src/util/prng.ts';

/** Random steps; commits are rare, so that orders change. May end early, with stores still waiting. */
export function runAtRandom(machine: Machine, prng: Prng): void {
  const end = prng.below(3) === 0 ? 4 + prng.below(8) : Number.POSITIVE_INFINITY;
  while (machine.enabled() > 0 && machine.depth < end) {
    const steps = Array.from({ length: machine.steps.length }, (_, i) => machine.steps.get(i));
    const own = steps.filter((step) => machine.processes.isThread(processOf(step)));
    const from = own.length > 0 && prng.below(4) > 0 ? own : steps;
    machine.step(from[prng.below(from.length)]!);
  }
}
