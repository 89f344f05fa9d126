/**
 * Whether an execution can still end: a search of all states that its threads can reach from where they are, on a
 * machine that knows no rule about loops.
 */
import { IntVector } from '../util/int-vector.ts';
import * as ev from './events/event.ts';
import { Machine } from './machine.ts';
import type { Step } from './state/process.ts';

/** More states than this are not looked at, */
export const MAX_END_STATES = 20_000;
/** nor keys of more characters in all. */
const MAX_KEY_CHARACTERS = 2 ** 26;

interface Frame {
  readonly depth: number;
  readonly steps: readonly Step[];
  tried: number;
}

/** One for each machine that needs it. */
const searches = new WeakMap<Machine, EndSearch>();

export class EndSearch {
  private readonly machine: Machine;
  private readonly seen = new Set<string>();
  private readonly key = new IntVector();
  private keyCharacters = 0;

  static of(machine: Machine): EndSearch {
    const known = searches.get(machine);
    if (known !== undefined) return known;
    const made = new EndSearch(machine);
    searches.set(machine, made);
    return made;
  }

  private constructor({ program, model, layout, options, processes }: Machine) {
    const { interpret, patience } = options;
    const plain = { ...(interpret && { interpret }), ...(patience !== undefined && { patience }) };
    this.machine = new Machine(program, model, layout.limits, plain, processes);
  }

  /**
   * Whether some continuation of this execution comes to a state without steps: all threads have ended, or some have
   * failed, or are stuck. `undefined` if there are too many states.
   */
  finds({ events }: Machine): boolean | undefined {
    const { machine, seen } = this;
    machine.rollback(0);
    for (let event = 0; event < events.length; event++) machine.step(events.get(event, ev.E_STEP));
    seen.clear();
    this.keyCharacters = 0;
    const path: Frame[] = [];
    for (let next = this.enter(); ; ) {
      if (next !== undefined) {
        if (next.steps.length === 0) return machine.outcome === 'limit' ? undefined : true;
        path.push(next);
      }
      if (seen.size > MAX_END_STATES || this.keyCharacters > MAX_KEY_CHARACTERS) return undefined;
      while (path.length > 0 && path.at(-1)!.tried === path.at(-1)!.steps.length) path.pop();
      const top = path.at(-1);
      if (top === undefined) return false;
      machine.rollback(top.depth);
      machine.step(top.steps[top.tried++]!);
      next = this.enter();
    }
  }

  /** The state that has just been reached, unless it was reached before. */
  private enter(): Frame | undefined {
    const { machine, seen, key } = this;
    const steps = Array.from({ length: machine.enabled() }, (_, i) => machine.steps.get(i));
    if (steps.length === 0) return { depth: machine.depth, steps, tried: 0 };
    key.clear();
    machine.encode(key);
    const text = key.toKey();
    const before = seen.size;
    if (seen.add(text).size === before) return undefined;
    this.keyCharacters += text.length;
    return { depth: machine.depth, steps, tried: 0 };
  }
}
