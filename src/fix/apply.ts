/** Makes changes in the program form, and inserts probes, which show the places that an execution passes. */
import type { Instruction, Program } from '../program/ir.ts';
import { acquires, type FenceOrder, type Order, releases } from '../program/types.ts';
import {
  type Candidates,
  type Change,
  type ChangeKind,
  instructionAt,
  isFenceKind,
  type Position,
} from './candidates.ts';

/** The program with these changes made. */
export function applyChanges({ program, places }: Candidates, changes: readonly Change[]): Program {
  const edits = new Edits(program);
  for (const change of changes) {
    for (const position of places[change.place]!.positions) edits.make(change.kind, position);
  }
  return edits.result();
}

export interface Probed {
  readonly program: Program;
  /** By instruction: its place. At an unchanged point the instruction is a probe, a fence that orders nothing. */
  readonly places: ReadonlyMap<Instruction, number>;
  readonly probes: ReadonlySet<Instruction>;
}

/** The program with these changes made, and with probes at all other points. */
export function probe(candidates: Candidates, changes: readonly Change[]): Probed {
  const { program, places } = candidates;
  const edits = new Edits(program);
  const found = new Map<Instruction, number>();
  const probes = new Set<Instruction>();
  for (const [number, { kind, positions }] of places.entries()) {
    const own = changes.filter(({ place }) => place === number);
    for (const position of positions) {
      if (own.length > 0) {
        const made = own.map((change) => edits.make(change.kind, position));
        for (const instruction of kind === 'access' ? made.slice(-1) : made) found.set(instruction, number);
      } else if (kind === 'access') found.set(instructionAt(program, position), number);
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

/** The order of the fence that a change inserts. */
export function fenceOrder(kind: ChangeKind): FenceOrder {
  return kind === 'full-fence' ? 'seq_cst' : kind === 'acquire-fence' ? 'acquire' : 'release';
}

/** An access with another order. */
export function strengthen(access: Instruction, kind: ChangeKind): Instruction {
  if (!('order' in access)) throw new Error(`${access.op} has no order`);
  const isExchange = access.op === 'cmpxchg';
  if (kind === 'acquire-failure') return { ...access, failureOrder: 'acquire' } as Instruction;
  if (kind === 'seq_cst') {
    return { ...access, order: 'seq_cst', ...(isExchange ? { failureOrder: 'seq_cst' } : {}) } as Instruction;
  }
  return { ...access, order: orderAfter(kind, access) } as Instruction;
}

/** The order of an access after a change; for a compare-exchange, that for success. */
export function orderAfter(kind: ChangeKind, before: Instruction): Order {
  const order = 'order' in before ? before.order : 'relaxed';
  switch (kind) {
    case 'seq_cst':
      return 'seq_cst';
    case 'release':
      return order === 'seq_cst' ? order : acquires(order) ? 'acq_rel' : 'release';
    case 'acquire':
      return order === 'seq_cst' ? order : releases(order) ? 'acq_rel' : 'acquire';
    default:
      return order;
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

  /** Returns the instruction that it inserts, or that replaces an access. */
  make(kind: ChangeKind, position: Position): Instruction {
    const before = this.replaced.get(key(position)) ?? instructionAt(this.program, position);
    if (isFenceKind(kind)) {
      const { location } = before;
      const fence: Instruction = {
        op: 'fence',
        order: fenceOrder(kind),
        ...(location === undefined ? {} : { location }),
      };
      this.insert(position, fence);
      return fence;
    }
    const after = strengthen(before, kind);
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
