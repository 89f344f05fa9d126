/**
 * Accesses that can happen at the same time ([simultaneous.ts](../../trace/simultaneous.ts)), found when the later one of
 * the sequence is added: f and e, of different threads, to the same bytes, one a write, neither in the ≺-past of the
 * other but for their conflict. What is in the past of f, or of e without its accesses, is then a partial trace, so there
 * is a real state in which both are next.
 */
import { WRITES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { SimultaneousAccesses } from '../../trace/simultaneous.ts';
import { type Outcome, SHUT } from './outcome.ts';
import { has } from './rows.ts';
import { R_EVENT, R_PLACE, R_SOURCE, type Sequence } from './sequence.ts';

export class Races {
  private readonly machine: Machine;
  private readonly sequence: Sequence;
  private readonly outcome: Outcome;
  private readonly accesses: SimultaneousAccesses;
  private indices = new Int32Array(4);

  constructor(machine: Machine, sequence: Sequence, outcome: Outcome, accesses: SimultaneousAccesses) {
    this.machine = machine;
    this.sequence = sequence;
    this.outcome = outcome;
    this.accesses = accesses;
  }

  /** The operation has begun, and its sources are set; so far it comes only after what it must in any case. */
  find(event: number): void {
    const { sequence } = this;
    const { opCells, opAccess, opSources } = sequence;
    if (sequence.opForwards) return;
    for (let i = 0; i < opCells.length; i++) {
      const cell = opCells.words[i]!;
      const source = opSources.words[i]!;
      const write = sequence.write(cell, source);
      if (write >= 0) this.lookAt(write, event);
      if ((opAccess.words[i]! & WRITES) !== 0) this.lookAtReaders(cell, source, event);
      else if (source < sequence.newest(cell)) this.accesses.add(event, sequence.write(cell, source + 1));
    }
  }

  private lookAtReaders(cell: number, source: number, event: number): void {
    const { sequence } = this;
    const { words, length } = sequence.cells.accesses[cell]!;
    for (let i = length - 1; i >= 0; i--) {
      const record = words[i]!;
      if (sequence.record(record, R_PLACE) === source) return;
      if (sequence.record(record, R_SOURCE) === source) this.lookAt(sequence.record(record, R_EVENT), event);
    }
  }

  private lookAt(first: number, event: number): void {
    const { sequence, accesses } = this;
    if (sequence.threadOf(first) === sequence.opThread || has(sequence.opPast, first)) return;
    if (accesses.isNew(first, event) && !this.waitsFor(first, event)) accesses.add(first, event);
  }

  /** Whether the new event would have had to wait before `first`, a write. */
  private waitsFor(first: number, event: number): boolean {
    const { machine, sequence, outcome } = this;
    const { opCells, opSources } = sequence;
    if ((machine.events.get(event, ev.E_FLAGS) & ev.BLOCKS) === 0) return false;
    if (this.indices.length < opCells.length) this.indices = new Int32Array(opCells.length);
    for (let i = 0; i < opCells.length; i++) {
      const source = opSources.words[i]!;
      this.indices[i] = sequence.write(opCells.words[i]!, source) === first ? source - 1 : source;
    }
    outcome.ofEvent(event);
    return outcome.at(opCells.words, this.indices, opCells.length) === SHUT;
  }
}
