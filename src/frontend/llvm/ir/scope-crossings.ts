/**
 * Finds where control enters and leaves a source block (`lexical-scopes.ts`), and puts marks for the block's variables
 * there.
 *
 * An instruction *tells* whether control is inside, by the scope of its place in the source. Jumps do not: clang gives
 * a jump the place of the code before it. But a loop's jump back tells that blocks inside the loop have been left, and
 * a return that all have. Marks tell nothing, nor do accesses to clang's own variables in which it saves where to
 * continue.
 *
 * Between two instructions that tell different things, control crosses the border of the block. Code that tells nothing
 * is taken to be on the same side as the code before it or, if that depends on the path, as the code after it. If that
 * depends on the path, too, there are no marks.
 *
 * Why no end is too early: an instruction from outside of the block is executed only after the block has been left, as
 * clang emits the code of a statement between the code that begins and ends the statement's block.
 */
import { targetsOf } from './block-targets.ts';
import { isWithin, type LexicalScopes, type Scope } from './lexical-scopes.ts';
import type { LBlock, LInstruction, Place } from './module.ts';

const OUTSIDE = 1;
const INSIDE = 2;
const EITHER = 3;

export function isMark(i: LInstruction): boolean {
  return i.op === 'call' && i.callee.kind === 'global' && i.callee.name.startsWith('llvm.lifetime.');
}

/**
 * The blocks with marks for the variables of this scope; none if it is unknown where control crosses the scope's
 * border.
 */
export function markScope(
  blocks: readonly LBlock[],
  scope: Scope,
  names: readonly string[],
  scopes: LexicalScopes,
  isSlot: (name: string) => boolean,
): readonly LBlock[] | undefined {
  const crossings = new Crossings(blocks, scope, names, scopes, isSlot);
  return crossings.settle() ? crossings.mark() : undefined;
}

class Crossings {
  private readonly blocks: readonly LBlock[];
  private readonly scope: Scope;
  private readonly names: readonly string[];
  private readonly scopes: LexicalScopes;
  private readonly isSlot: (name: string) => boolean;
  private readonly successors: readonly (readonly number[])[];
  /** Only for reachable blocks. */
  private readonly predecessors: readonly number[][];
  /** What the first and the last instruction of each block that tell something tell; 0 if none does. */
  private readonly atStart: Uint8Array;
  private readonly atEnd: Uint8Array;

  constructor(
    blocks: readonly LBlock[],
    scope: Scope,
    names: readonly string[],
    scopes: LexicalScopes,
    isSlot: (name: string) => boolean,
  ) {
    this.blocks = blocks;
    this.scope = scope;
    this.names = names;
    this.scopes = scopes;
    this.isSlot = isSlot;
    const numbers = new Map(blocks.map(({ name }, number) => [name, number]));
    this.successors = blocks.map(({ body }) => [
      ...new Set(targetsOf(body.at(-1)).flatMap((name) => numbers.get(name) ?? [])),
    ]);
    this.predecessors = blocks.map(() => []);
    const reached = new Set([0]);
    for (const block of reached) {
      for (const next of this.successors[block]!) {
        this.predecessors[next]!.push(block);
        reached.add(next);
      }
    }
    this.atStart = new Uint8Array(blocks.length);
    this.atEnd = new Uint8Array(blocks.length);
    blocks.forEach(({ body }, block) => {
      for (const i of body) {
        const told = this.tells(i);
        if (told === 0) continue;
        if (this.atStart[block] === 0) this.atStart[block] = told;
        this.atEnd[block] = told;
      }
    });
  }

  private tells(i: LInstruction): number {
    if (i.op === 'ret') return OUTSIDE;
    if (i.op === 'br' || i.op === 'condbr') return this.isLeftByLoop(i) ? OUTSIDE : 0;
    if (i.op === 'alloca' || isMark(i) || targetsOf(i).length > 0 || this.isOwn(i)) return 0;
    const scope = this.scopes.at(i.at);
    if (scope === undefined) return 0;
    return isWithin(scope, this.scope) ? INSIDE : OUTSIDE;
  }

  /**
   * Whether this is the jump back of a loop around the block. (Clang has an extra block around a loop, which begins
   * where the loop does.)
   */
  private isLeftByLoop(i: LInstruction): boolean {
    const { scope, scopes } = this;
    const loop = scopes.ofLoop(i.loop);
    if (loop === undefined || loop.scope === scope || !isWithin(scope, loop.scope)) return false;
    return scope.line !== loop.line || scope.column !== loop.column;
  }

  private isOwn(i: LInstruction): boolean {
    if (i.op === 'load' || i.op === 'store') return i.address.kind === 'local' && this.isSlot(i.address.name);
    return i.op === 'call' && i.callee.kind === 'global' && /^llvm\.stack(save|restore)/.test(i.callee.name);
  }

  /** Decides about blocks that tell nothing; false if that is impossible. */
  settle(): boolean {
    const before = this.spread(this.predecessors, this.atEnd, OUTSIDE);
    const after = this.spread(this.successors, this.atStart, 0);
    return this.blocks.every((_, block) => {
      if (this.atEnd[block] !== 0 || before[block] === 0) return true;
      const settled = before[block] === EITHER ? after[block]! : before[block]!;
      if (settled === EITHER) return false;
      this.atStart[block] = settled;
      this.atEnd[block] = settled;
      return true;
    });
  }

  /** For each block, what the nearest blocks that tell something tell, in the direction of `neighbours`. */
  private spread(neighbours: readonly (readonly number[])[], told: Uint8Array, atEntry: number): Uint8Array {
    const found = new Uint8Array(told.length);
    found[0] = atEntry;
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (let block = 0; block < found.length; block++) {
        let all = found[block]!;
        for (const next of neighbours[block]!) all |= told[next] === 0 ? found[next]! : told[next]!;
        isNew ||= all !== found[block];
        found[block] = all;
      }
    }
    return found;
  }

  mark(): readonly LBlock[] | undefined {
    const marked: LBlock[] = this.blocks.map((block, number) => ({ ...block, body: this.markInside(number) }));
    const split: LBlock[] = [];
    for (let from = 0; from < this.blocks.length; from++) {
      const isReached = from === 0 || this.predecessors[from]!.length > 0;
      const crossed = isReached ? this.successors[from]!.filter((to) => this.crosses(from, to)) : [];
      if (crossed.length === 0) continue;
      const { name, body } = marked[from]!;
      const marks = this.marks(this.atEnd[from] === OUTSIDE, this.placeAtEnd(from), body.at(-1)!);
      if (crossed.length === this.successors[from]!.length) {
        marked[from] = { name, body: [...body.slice(0, -1), ...marks, body.at(-1)!] };
        continue;
      }
      // A computed jump cannot be redirected: its labels keep their addresses.
      if (body.at(-1)!.op === 'indirectbr') return undefined;
      for (const to of crossed) {
        const old = this.blocks[to]!.name;
        const between = `${name}.${old}.${this.names[0]}`;
        const { textLine } = body.at(-1)!;
        split.push({ name: between, body: [...marks, { op: 'br', target: old, textLine }] });
        const current = marked[from]!;
        marked[from] = { name, body: [...current.body.slice(0, -1), retarget(current.body.at(-1)!, old, between)] };
        marked[to] = { name: old, body: marked[to]!.body.map((i) => renamed(i, name, between)) };
      }
    }
    return [...marked, ...split];
  }

  private crosses(from: number, to: number): boolean {
    return this.atEnd[from] !== this.atStart[to] && this.atStart[to] !== 0;
  }

  private markInside(block: number): readonly LInstruction[] {
    const { body } = this.blocks[block]!;
    // No jump leads to the first block of a function.
    let now = block === 0 ? OUTSIDE : this.atStart[block]!;
    let place: Place | undefined;
    const found: LInstruction[] = [];
    for (const i of body) {
      const told = this.tells(i);
      if (told !== 0 && told !== now) {
        found.push(...this.marks(told === INSIDE, place, i));
        now = told;
      }
      if (told === INSIDE) place = i.place ?? place;
      found.push(i);
    }
    return found;
  }

  /** The place at which the scope is left at the end of this block. */
  private placeAtEnd(block: number): Place | undefined {
    const isInside = (i: LInstruction): boolean => isWithin(this.scopes.at(i.at), this.scope);
    return this.blocks[block]!.body.findLast((i) => i.place !== undefined && isInside(i))?.place;
  }

  private marks(begins: boolean, place: Place | undefined, { textLine }: LInstruction): readonly LInstruction[] {
    const callee = `llvm.lifetime.${begins ? 'start' : 'end'}.p0`;
    return this.names.map((name) => ({
      op: 'call',
      type: { kind: 'void' },
      variadic: false,
      callee: { kind: 'global', name: callee },
      arguments: [{ type: { kind: 'ptr' }, value: { kind: 'local', name } }],
      textLine,
      ...(place === undefined ? {} : { place }),
    }));
  }
}

function retarget(last: LInstruction, from: string, to: string): LInstruction {
  const changed = (target: string): string => (target === from ? to : target);
  switch (last.op) {
    case 'br':
      return { ...last, target: changed(last.target) };
    case 'condbr':
      return { ...last, ifTrue: changed(last.ifTrue), ifFalse: changed(last.ifFalse) };
    case 'switch': {
      const cases = last.cases.map((one) => ({ ...one, target: changed(one.target) }));
      return { ...last, default: changed(last.default), cases };
    }
    default:
      return last;
  }
}

/** Values of a phi that came from one block now come from another. */
function renamed(i: LInstruction, from: string, to: string): LInstruction {
  if (i.op !== 'phi') return i;
  return { ...i, incoming: i.incoming.map((one) => (one.block === from ? { ...one, block: to } : one)) };
}
