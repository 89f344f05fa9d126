/**
 * Partial order sampling ([POS]: X. Yuan, J. Yang, R. Gu, Partial order aware concurrency sampling, CAV 2018): every
 * event has a random priority, and the enabled event with the highest one goes first. Events that race with it then
 * draw new priorities, so that the order of events that do not conflict has no influence on the choice.
 *
 * [POS], Alg. 2     here
 *   pri(e)          `priorities`, of the next step of a process
 *   racing events   `racesWith`: they access the same bytes, and one of them writes
 *
 * Deviations: processes are threads and store buffers, so it works for every model. Operations on the same
 * synchronisation object race.
 */
import * as op from '../machine/code/opcodes.ts';
import type { Machine } from '../machine/machine.ts';
import { NextAccess, NO_ACCESS, READS_ONCE } from '../machine/next-access.ts';
import { N_ADDRESS, N_SIZE } from '../machine/state/layout.ts';
import { delaysStores } from '../models/model.ts';
import type { IntVector } from '../util/int-vector.ts';
import { Prng } from '../util/prng.ts';
import type { Bound } from './bound.ts';
import { type KnownOfRuns, NOTHING_KNOWN, type NumberedRuns } from './numbered-runs.ts';
import { Priorities } from './priorities.ts';
import { processOf, type Step } from './runnable.ts';

export class Pos implements NumberedRuns {
  readonly name = 'pos';
  readonly runs: number;
  next = 0;
  known: KnownOfRuns = NOTHING_KNOWN;
  private readonly seed: number;
  private readonly machine: Machine;
  private readonly isBuffered: boolean;
  private readonly access: NextAccess;
  private prng: Prng;
  private readonly priorities = new Priorities();
  /** What `look` last noted. */
  private address = 0;
  private bytes = 0;
  private isWrite = false;

  constructor(machine: Machine, seed: number, runs: number) {
    this.machine = machine;
    this.isBuffered = delaysStores(machine.description);
    this.access = new NextAccess(machine);
    this.seed = seed;
    this.runs = runs;
    this.prng = new Prng(seed);
  }

  /** However many runs there are, they prove nothing. */
  get incomplete(): Bound {
    return { kind: 'random runs', limit: this.runs };
  }

  beginExecution(): number {
    if (this.next === this.runs) return -1;
    // Each run has its own generator, so run n does not depend on the runs before it.
    this.prng = new Prng(this.seed, this.next++);
    this.priorities.clear();
    return 0;
  }

  pick(steps: IntVector): Step {
    const step = this.priorities.pick(steps, this.prng);
    this.drawAgain(steps, processOf(step));
    return step;
  }

  /** The process takes its next step: that uses up its priority, and the steps that race with it get new ones. */
  private drawAgain(steps: IntVector, process: number): void {
    const { priorities } = this;
    priorities.forget(process);
    if (!this.look(process)) return;
    const { address, bytes, isWrite } = this;
    for (let i = 0; i < steps.length; i++) {
      const other = processOf(steps.get(i));
      if (other !== process && this.look(other) && this.racesWith(address, bytes, isWrite)) priorities.forget(other);
    }
  }

  private racesWith(address: number, bytes: number, isWrite: boolean): boolean {
    return (isWrite || this.isWrite) && address < this.address + this.bytes && this.address < address + bytes;
  }

  /** Notes what the next step of the process accesses; false if no other process can access it. */
  private look(process: number): boolean {
    const { machine, access } = this;
    if (machine.processes.owner(process) !== process) {
      const entry = machine.memory.nextCommit(process);
      this.address = machine.state.words[entry + N_ADDRESS]!;
      this.bytes = machine.state.words[entry + N_SIZE]!;
      this.isWrite = true;
      return entry !== 0;
    }
    access.of(process);
    // A store enters the thread's own buffer, if it has one.
    if (access.access === NO_ACCESS || (this.isBuffered && access.operation === op.STORE)) return false;
    this.address = access.address;
    this.bytes = Math.max(1, access.size);
    this.isWrite = access.access !== READS_ONCE;
    return true;
  }

  observe(): void {}
  endExecution(): void {}
}
