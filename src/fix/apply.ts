/** Changes in the program form; and probes, which show which places an execution passes. */
import type { Instruction, Program } from '../program/ir.ts';
import type { Order } from '../program/types.ts';
import { type Candidates, type Change, type ChangeKind, instructionAt, type Position } from './candidates.ts';

/** The program with these changes made. */
export function applyChanges({ program, places }: Candidates, changes: readonly Change[]): Program {
  const edits = new Edits(program);
  for (const change of changes) {
    for (const position of places[change.place]!.positions) edits.make(change, position);
  }
  return edits.result();
}

export interface Probed {
  readonly program: Program;
  /** By instruction: the place it belongs to. At a point, the instruction is a fence that orders nothing. */
  readonly places: ReadonlyMap<Instruction, number>;
  readonly probes: ReadonlySet<Instruction>;
}

/** The program with these changes made, and with probes at all other points. */
export function probe(candidates: Candidates, changes: readonly Change[]): Probed {
  const { program, places } = candidates;
  const edits = new Edits(program);
  const found = new Map<Instruction, number>();
  const probes = new Set<Instruction>();
  const changed = new Map(changes.map((change) => [change.place, change]));
  for (const [number, { kind, positions }] of places.entries()) {
    const change = changed.get(number);
    for (const position of positions) {
      if (change !== undefined) found.set(edits.make(change, position), number);
      else if (kind === 'access') found.set(instructionAt(program, position), number);
      else {
        const instruction: Instruction = { op: 'fence', order: 'acquire' };
        edits.insert(position, instruction);
        found.set(instruction, number);
        probes.add(instruction);
      }
    }
  }
  return { program: edits.result(), places: found, probes };
}

/** The order of an access after a change, or of the fence that it inserts. */
export function orderAfter(kind: ChangeKind, before: Instruction): Order {
  switch (kind) {
    case 'full-fence':
    case 'seq_cst':
      return 'seq_cst';
    case 'store-fence':
      return 'release';
    case 'release':
      return 'order' in before && before.order === 'acquire' ? 'acq_rel' : 'release';
  }
}

/** Insertions and replacements, all by positions in the original program. */
class Edits {
  private readonly program: Program;
  private readonly inserted = new Map<string, Instruction[]>();
  private readonly replaced = new Map<string, Instruction>();
  private readonly touched = new Set<string>();

  constructor(program: Program) {
    this.program = program;
  }

  make(change: Change, position: Position): Instruction {
    const before = instructionAt(this.program, position);
    const order = orderAfter(change.kind, before);
    if (change.kind === 'full-fence' || change.kind === 'store-fence') {
      const { location } = before;
      const fence = { op: 'fence', order, ...(location === undefined ? {} : { location }) } as Instruction;
      this.insert(position, fence);
      return fence;
    }
    const after = { ...before, order } as Instruction;
    this.replaced.set(key(position), after);
    this.touch(position);
    return after;
  }

  insert(position: Position, instruction: Instruction): void {
    const list = this.inserted.get(key(position));
    if (list === undefined) this.inserted.set(key(position), [instruction]);
    else list.push(instruction);
    this.touch(position);
  }

  private touch({ func, block }: Position): void {
    this.touched.add(`${func}`).add(`${func} ${block}`);
  }

  result(): Program {
    const { program, touched, inserted, replaced } = this;
    const functions = program.functions.map((f, func) => {
      if (!touched.has(`${func}`)) return f;
      const blocks = f.blocks.map((b, block) => {
        if (!touched.has(`${func} ${block}`)) return b;
        const body = b.body.flatMap((instruction, index) => {
          const at = key({ func, block, index });
          return [...(inserted.get(at) ?? []), replaced.get(at) ?? instruction];
        });
        return { ...b, body };
      });
      return { ...f, blocks };
    });
    return { ...program, functions };
  }
}

function key({ func, block, index }: Position): string {
  return `${func} ${block} ${index}`;
}
