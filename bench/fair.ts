/**
 * Schedules with few preemptions and a fair scheduler, as in the papers' tools: CHESS (Musuvathi and Qadeer, Fair stateless model
 * checking, PLDI 2008, Algorithm 1) and THRILLE, whose code is public and does the same. A thread that waits in a loop yields in
 * every iteration. If some thread could run all the time since its last yield, and did not, that thread has priority over it until
 * it runs. So waiting ends, without a bound on iterations.
 *
 * A yield is a load of the variable `yielded`, which nobody writes (`programs/fences.h`, `-D YIELD`).
 */
import { Bounded } from '../src/explore/bounded.ts';
import { processOf, type Step } from '../src/explore/runnable.ts';
import * as ev from '../src/machine/events/event.ts';
import type { Machine } from '../src/machine/machine.ts';
import type { IntVector } from '../src/util/int-vector.ts';

/** More preemptions than any search allows. */
const NEVER = 1000;

/** What a thread knows since it last yielded, in the words of Algorithm 1. */
interface Window {
  /** E: enabled all the time. */
  enabled: ReadonlySet<number>;
  /** D: disabled by a step of this thread. */
  readonly disabled: Set<number>;
  /** S: scheduled. */
  readonly scheduled: Set<number>;
  /** P: those that have priority over this thread. */
  readonly priority: Set<number>;
}

export class Fair extends Bounded {
  private readonly machine: Machine;
  private readonly yielded: number;
  /** By depth: the threads that could go on there. */
  private readonly enabledAt: ReadonlySet<number>[] = [];

  constructor(preemptions: number, machine: Machine) {
    super(preemptions);
    this.machine = machine;
    const index = machine.program.globals.findIndex(({ name }) => name === 'yielded');
    this.yielded = index < 0 ? -1 : machine.layout.globals[index]!;
  }

  override pick(steps: IntVector): Step {
    const enabled = new Set<number>();
    for (let i = 0; i < steps.length; i++) enabled.add(processOf(steps.get(i)));
    this.enabledAt[this.machine.depth] = enabled;
    return super.pick(steps);
  }

  protected override price(previous: number, steps: IntVector, costs: IntVector): void {
    const allowed = this.allowed();
    for (let i = 0; i < steps.length; i++) {
      const thread = processOf(steps.get(i));
      const isPreemption = allowed.has(previous) && thread !== previous;
      costs.push(allowed.has(thread) ? (isPreemption ? 1 : 0) : NEVER);
    }
  }

  /** The threads that nobody with priority over them could run instead. */
  private allowed(): ReadonlySet<number> {
    const { machine, enabledAt } = this;
    const windows = new Map<number, Window>();
    const windowOf = (thread: number): Window => {
      const known = windows.get(thread);
      if (known !== undefined) return known;
      const made = { enabled: new Set<number>(), disabled: new Set<number>(), scheduled: new Set<number>() };
      windows.set(thread, { ...made, priority: new Set() });
      return windows.get(thread)!;
    };
    for (let e = 0; e < machine.depth; e++) {
      const thread = machine.events.get(e, ev.E_THREAD);
      const [before, after] = [enabledAt[e]!, enabledAt[e + 1]!];
      const own = windowOf(thread);
      for (const window of windows.values()) {
        window.priority.delete(thread);
        window.enabled = new Set([...window.enabled].filter((other) => after.has(other)));
        window.scheduled.add(thread);
      }
      for (const other of before) if (!after.has(other)) own.disabled.add(other);
      if (!this.isYield(e)) continue;
      for (const other of [...own.enabled, ...own.disabled]) if (!own.scheduled.has(other)) own.priority.add(other);
      own.enabled = after;
      own.disabled.clear();
      own.scheduled.clear();
    }
    const enabled = enabledAt[machine.depth]!;
    const isHeldBack = (thread: number): boolean => [...windowOf(thread).priority].some((other) => enabled.has(other));
    return new Set([...enabled].filter((thread) => !isHeldBack(thread)));
  }

  private isYield(event: number): boolean {
    const { events } = this.machine;
    return events.get(event, ev.E_KIND) === ev.LOAD_EVENT && events.get(event, ev.E_ADDRESS) === this.yielded;
  }
}
