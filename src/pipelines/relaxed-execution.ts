/**
 * Turns a violation that a monitor saw in an SC execution into an execution of TSO or PSO that shows it ([MON] Fig. 4
 * and 5, `emit`).
 *
 * Event e of p could have come before the store w of q reached memory, although w happens before p's last event. So
 * everything that happens before p's last event, and e, is replayed under the relaxed model, with the same order of
 * conflicting accesses; but e comes before w reaches memory: e → w → … → p's last event → e. A store's commit counts as
 * its access; its entry into the buffer does not. Otherwise the order of the SC execution is kept where possible: steps
 * are taken in that order, each as soon as its predecessors have been taken.
 *
 *   paper                here
 *   E, e, w              `sc.events`, `event`, `write`
 *   prev[p]              `past`
 *   emit                 `run`
 *
 * Deviation: [MON] delays every store as long as possible. Here only stores that must wait do, which gives more
 * readable executions.
 */

import { Waker } from '../explore/wake.ts';
import { parseThread } from '../machine/describe/names.ts';
import { programError } from '../machine/describe/program-error.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { N_STORE } from '../machine/state/layout.ts';
import { choiceOf, processOf, type Step, stepOf } from '../machine/state/process.ts';
import type { CausalOrder } from '../monitor/causal-scan.ts';
import { isBuffered, overlaps } from '../monitor/mapping.ts';
import { ConflictOrder, type Task } from '../trace/conflict-order.ts';
import { IntVector } from '../util/int-vector.ts';

/**
 * `event` of `thread`, whose last event was `past`, could have come before `write`, as defined in `monitor/monitor.ts`.
 */
export interface Violation {
  readonly event: number;
  readonly write: number;
  readonly thread: number;
  readonly past: number;
}

interface Shown {
  /** The index of e in the relaxed execution. */
  readonly event: number;
  /** The number of steps after which e has happened and w has not. */
  readonly depth: number;
}

export class RelaxedExecution {
  private readonly sc: Machine;
  private readonly order: CausalOrder;
  readonly machine: Machine;
  private readonly waker: Waker;
  private readonly commits = new IntVector();

  /** `machine` has the same program as `sc`, under TSO or PSO. */
  constructor(sc: Machine, order: CausalOrder, machine: Machine) {
    this.sc = sc;
    this.order = order;
    this.machine = machine;
    this.waker = new Waker(machine);
  }

  /**
   * Leaves the machine where the cycle is complete. `undefined` if there is no such execution, which means that the
   * monitor was wrong. To be called while happens-before of the SC execution is known up to the violation.
   */
  show(violation: Violation): Shown | undefined {
    const { event, write } = violation;
    const { events } = this.sc;
    const waits = event === this.sc.depth || (events.get(event, ev.E_FLAGS) & ev.BLOCKS) !== 0;
    for (let held = write; held >= 0; held--) {
      if (held !== write && !(waits && this.isEarlier(held, write))) continue;
      const shown = this.run(violation, held);
      if (shown !== undefined) return shown;
    }
    return undefined;
  }

  /** If a step waits for a value, other stores of the same thread may have to be delayed as well. */
  private isEarlier(held: number, write: number): boolean {
    const { words } = this.sc.events;
    const [h, w] = [held * ev.EVENT_WORDS, write * ev.EVENT_WORDS];
    return words[h + ev.E_THREAD] === words[w + ev.E_THREAD] && isBuffered(words, h) && overlaps(words, h, w);
  }

  private run({ event, thread, past }: Violation, held: number): Shown | undefined {
    const { machine, sc } = this;
    const before: number[] = [];
    for (let e = 0; e < past; e++) if (this.order.happensBefore(e, past)) before.push(e);
    const order = new ConflictOrder(sc.events, [...before, past], isBuffered);
    const early = order.addFirst(event, thread, event < sc.depth, held);
    machine.rollback(0);
    let shown: Shown | undefined;
    while (order.rest.length > 0) {
      const next = order.rest.findIndex((task) => order.isNext(task) && this.take(this.stepOf(task)));
      if (next < 0) return undefined;
      const [task] = order.rest.splice(next, 1) as [Task];
      task.isDone = true;
      if (task === early.issue) shown = { event: machine.depth - 1, depth: machine.depth };
      if (task === early.commit) shown = { event: shown!.event, depth: machine.depth };
      // An error, which can only be a consequence of the violation.
      if (programError(machine) !== undefined) return shown;
    }
    return shown;
  }

  /** -1 if it cannot be taken yet. */
  private stepOf({ thread, event, isCommit }: Task): Step {
    const { machine, sc, commits } = this;
    const { events } = sc;
    const slot = parseThread(machine, sc.processes.threadName(thread));
    if (!isCommit) return stepOf(slot, event < sc.depth ? choiceOf(events.get(event, ev.E_STEP)) : 0);
    commits.clear();
    machine.memory.commits(slot, commits);
    for (let i = 0; i < commits.length; i++) {
      const entry = machine.memory.nextCommit(processOf(commits.get(i)));
      if (machine.state.words[entry + N_STORE] === events.get(event, ev.E_INDEX)) return commits.get(i);
    }
    return -1;
  }

  private take(step: Step): boolean {
    const { machine } = this;
    machine.enabled();
    for (let i = 0; i < machine.steps.length; i++) {
      if (machine.steps.get(i) !== step) continue;
      machine.step(step);
      this.waker.observe(machine.depth - 1);
      return true;
    }
    return false;
  }
}
