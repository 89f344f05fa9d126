/**
 * Schedules with few preemptions and a fair scheduler, as in the papers' tools: CHESS (Musuvathi and Qadeer, Fair
 * stateless model checking, PLDI 2008, Algorithm 1) and THRILLE, whose public code does the same. A thread that waits
 * in a loop yields in every iteration. When it yields, threads that have been enabled since its last yield, or that it
 * has disabled, but that have not run, get priority over it until they run. So waiting ends without a bound on
 * iterations.
 *
 * A yield is a load of the variable `yielded`, which is never written (`programs/fences.h`, `-D YIELD`).
 */
import { Bounded } from '../src/explore/bounded.ts';
import { processOf, type Step } from '../src/explore/runnable.ts';
import * as ev from '../src/machine/events/event.ts';
import type { Machine } from '../src/machine/machine.ts';
import type { IntVector } from '../src/util/int-vector.ts';

/** More preemptions than any search allows. */
const NEVER = 1000;

/**
 * Each thread's state since it last yielded, named as in Algorithm 1: sets of threads as bits. `undefined`: the thread
 * has not taken a step yet.
 */
interface Window {
  /** E: enabled all the time. */
  readonly enabled: number;
  /** D: disabled by a step of this thread. */
  readonly disabled: number;
  /** S: scheduled. */
  readonly scheduled: number;
  /** P: the threads that have priority over this thread. */
  readonly priority: number;
}
type Windows = readonly (Window | undefined)[];

const NOTHING: Window = { enabled: 0, disabled: 0, scheduled: 0, priority: 0 };

export class Fair extends Bounded {
  private readonly machine: Machine;
  private readonly yielded: number;
  /** By depth: the threads enabled there, as bits, and the windows. Valid up to the current depth. */
  private readonly enabledAt: number[] = [];
  private readonly windowsAt: Windows[] = [];

  constructor(preemptions: number, machine: Machine) {
    super(preemptions);
    this.machine = machine;
    const index = machine.program.globals.findIndex(({ name }) => name === 'yielded');
    this.yielded = index < 0 ? -1 : machine.layout.globals[index]!;
  }

  override pick(steps: IntVector): Step {
    const { machine, enabledAt, windowsAt } = this;
    const { depth } = machine;
    let enabled = 0;
    for (let i = 0; i < steps.length; i++) enabled |= this.bit(processOf(steps.get(i)));
    enabledAt[depth] = enabled;
    windowsAt[depth] = depth === 0 ? [] : this.after(depth - 1);
    return super.pick(steps);
  }

  private bit(thread: number): number {
    if (thread > 30) throw new Error('too many threads');
    return 1 << thread;
  }

  protected override price(previous: number, steps: IntVector, costs: IntVector): void {
    const canGoOn = previous >= 0 && this.isAllowed(previous);
    for (let i = 0; i < steps.length; i++) {
      const thread = processOf(steps.get(i));
      const isPreemption = canGoOn && thread !== previous;
      costs.push(this.isAllowed(thread) ? (isPreemption ? 1 : 0) : NEVER);
    }
  }

  /** The thread is enabled, and no thread with priority over it is. */
  private isAllowed(thread: number): boolean {
    const enabled = this.enabledAt[this.machine.depth]!;
    const { priority } = this.windowsAt[this.machine.depth]![thread] ?? NOTHING;
    return (enabled & this.bit(thread)) !== 0 && (priority & enabled) === 0;
  }

  /** The windows after an event, which is the last one so far. */
  private after(event: number): Windows {
    const thread = this.machine.events.get(event, ev.E_THREAD);
    const [before, after] = [this.enabledAt[event]!, this.enabledAt[event + 1]!];
    const known = [...this.windowsAt[event]!];
    known[thread] ??= NOTHING;
    const windows = known.map((window) => {
      if (window === undefined) return undefined;
      const { enabled, disabled, scheduled, priority } = window;
      const bit = this.bit(thread);
      return { enabled: enabled & after, disabled, scheduled: scheduled | bit, priority: priority & ~bit };
    });
    const { enabled, disabled, scheduled, priority } = windows[thread]!;
    const nowDisabled = disabled | (before & ~after);
    if (!this.isYield(event)) windows[thread] = { enabled, disabled: nowDisabled, scheduled, priority };
    else {
      const passed = (enabled | nowDisabled) & ~scheduled;
      windows[thread] = { enabled: after, disabled: 0, scheduled: 0, priority: priority | passed };
    }
    return windows;
  }

  private isYield(event: number): boolean {
    const { events } = this.machine;
    return events.get(event, ev.E_KIND) === ev.LOAD_EVENT && events.get(event, ev.E_ADDRESS) === this.yielded;
  }
}
