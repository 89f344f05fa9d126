/**
 * Fleeting variables: private local variables that hold nothing of use whenever the thread is about to take a step or is at the head of a
 * loop. In `do get(&v); while (v < 8);` each round writes `v` after its step and reads it before the next one. A thread that waits is
 * recognised by its state, which comes back, and what a fleeting variable holds is no part of that: writing it is no reason for another round
 * (`isIdle` in `program/ir.ts`), as it would be no reason if it were in a register that is dead there.
 *
 * A variable is *live* in a place if on some way from there some of it is read before all of it has been written. It is fleeting if it is
 * live neither at the beginning of a block that is the head of a loop, nor before an instruction that may be a step. States are compared only
 * in these places. A function makes fleeting what it writes through a parameter if that is so in the function, where the
 * end of the function counts as reading it, and if it is not live at its beginning.
 *
 * Functions with a loop that has several entries have no fleeting variables: which block is the head depends on who looks.
 */
import { depthFirst } from '../../../program/flow.ts';
import { targetsOf } from '../ir/block-targets.ts';
import type { LFunction, LInstruction, LValue, Module } from '../ir/module.ts';
import { isAssembly } from './assembly-operands.ts';
import type { DataLayout } from './data-layout.ts';
import { Dominators } from './inlined-slots.ts';
import { endedBy } from './lives.ts';
import { type Classified, isMemoryFunction } from './storage.ts';

/** Larger variables are not worth it. */
const MAX_BYTES = 64;

/** What an instruction does with a variable: reads some of it, writes all of it. */
const READS = 1;
const REPLACES = 2;

/** Calls that are no steps, nor make any. */
const NO_STEP = /^llvm\.(dbg|lifetime)\./;

export interface FunctionParts {
  readonly func: LFunction;
  readonly module: Module;
  readonly layout: DataLayout;
  readonly classified: Classified;
}

export interface Callees {
  /** Whether what this parameter points to, so many bytes, is fleeting in the function. */
  isFleeting(module: Module, name: string, place: number, bytes: number): boolean;
  isDefined(module: Module, name: string): boolean;
}

/** The fleeting variables of a function. */
export function fleetingLocals(parts: FunctionParts, callees: Callees): ReadonlySet<string> {
  const { func, classified, layout } = parts;
  const sizes = new Map<string, number>();
  for (const { body } of func.blocks) {
    for (const i of body) {
      if (i.op !== 'alloca' || i.result === undefined || i.count !== undefined) continue;
      const bytes = layout.sizeOf(i.type);
      if (classified.storage.get(i.result) === 'private' && bytes > 0 && bytes <= MAX_BYTES) sizes.set(i.result, bytes);
    }
  }
  return sizes.size === 0 ? new Set() : new Flow(parts, callees, sizes, false).fleeting();
}

/** Whether what the parameter points to, so many bytes, is fleeting in the function, and written before it is read. */
export function isFleetingParameter(parts: FunctionParts, callees: Callees, parameter: string, bytes: number): boolean {
  const flow = new Flow(parts, callees, new Map([[parameter, bytes]]), true);
  return flow.fleeting().has(parameter);
}

class Flow {
  private readonly parts: FunctionParts;
  private readonly callees: Callees;
  private readonly sizes: ReadonlyMap<string, number>;
  /** The variables are parameters', and outlive the function. */
  private readonly outlive: boolean;
  private readonly known = new Map<LInstruction, ReadonlyMap<string, number>>();

  constructor(parts: FunctionParts, callees: Callees, sizes: ReadonlyMap<string, number>, outlive: boolean) {
    this.parts = parts;
    this.callees = callees;
    this.sizes = sizes;
    this.outlive = outlive;
  }

  fleeting(): ReadonlySet<string> {
    const { blocks } = this.parts.func;
    const numbers = new Map(blocks.map(({ name }, number) => [name, number]));
    const successors = blocks.map(({ body }) => targetsOf(body.at(-1)).map((name) => numbers.get(name)!));
    const { retreating } = depthFirst(successors);
    const dominators = retreating.size > 0 ? new Dominators(blocks) : undefined;
    for (const [head, sources] of retreating)
      for (const source of sources) if (dominators?.dominates(head, source) !== true) return new Set();
    const live = this.liveAtStart(successors);
    const found = new Set(this.sizes.keys());
    const drop = (names: Iterable<string>): void => {
      for (const name of names) found.delete(name);
    };
    for (const head of retreating.keys()) drop(live[head]!);
    if (this.outlive) drop(live[0]!);
    blocks.forEach(({ body }, b) => {
      const now = this.liveAfter(successors[b]!, live);
      for (const i of body.toReversed()) {
        this.before(i, now);
        if (this.mayBeStep(i)) drop(now);
      }
    });
    return found;
  }

  private liveAfter(next: readonly number[], live: readonly ReadonlySet<string>[]): Set<string> {
    return new Set(next.flatMap((block) => [...live[block]!]));
  }

  private liveAtStart(successors: readonly (readonly number[])[]): readonly ReadonlySet<string>[] {
    const { blocks } = this.parts.func;
    const live = blocks.map(() => new Set<string>());
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (let b = blocks.length - 1; b >= 0; b--) {
        const now = this.liveAfter(successors[b]!, live);
        for (const i of blocks[b]!.body.toReversed()) this.before(i, now);
        isNew ||= now.size !== live[b]!.size;
        live[b] = now;
      }
    }
    return live;
  }

  /** From what is live after the instruction to what is live before it. */
  private before(i: LInstruction, live: Set<string>): void {
    if (i.op === 'ret' && this.outlive) for (const name of this.sizes.keys()) live.add(name);
    for (const [name, does] of this.effects(i)) {
      if ((does & READS) !== 0) live.add(name);
      else if ((does & REPLACES) !== 0) live.delete(name);
    }
  }

  /** What the instruction does with each variable that it mentions. */
  private effects(i: LInstruction): ReadonlyMap<string, number> {
    const found = this.known.get(i) ?? this.findEffects(i);
    this.known.set(i, found);
    return found;
  }

  private findEffects(i: LInstruction): ReadonlyMap<string, number> {
    const { layout } = this.parts;
    const found = new Map<string, number>();
    const note = (address: LValue | undefined, does: number): void => {
      const name = this.variableAt(address);
      if (name !== undefined) found.set(name, (found.get(name) ?? 0) | does);
    };
    switch (i.op) {
      case 'load':
        note(i.address, READS);
        break;
      case 'store':
        note(i.address, this.isAll(i.address, layout.storedBytes(i.value.type)) ? REPLACES : 0);
        break;
      case 'call':
        this.callEffects(i, note);
        break;
      // These use its address only. What else does makes it shared, or is a step: then it is not fleeting.
      case 'alloca':
      case 'gep':
      case 'icmp':
      case 'br':
      case 'ret':
      case 'unreachable':
        break;
      default:
        for (const name of mentioned(i)) if (this.sizes.has(name)) found.set(name, READS);
    }
    return found;
  }

  private callEffects(
    i: LInstruction & { op: 'call' },
    note: (address: LValue | undefined, does: number) => void,
  ): void {
    const { module } = this.parts;
    const name = calleeName(i);
    if (NO_STEP.test(name)) return;
    if (this.isMemoryCall(i)) {
      const [to, from, size] = i.arguments;
      const bytes = size?.value.kind === 'int' ? Number(size.value.value) : -1;
      note(to?.value, this.isAll(to?.value, bytes) && !this.mayBeStep(i) ? REPLACES : READS);
      if (!/memset/.test(name)) note(from?.value, READS);
      return;
    }
    i.arguments.forEach(({ value, byval }, place) => {
      const bytes = this.sizeAt(value);
      const isWritten =
        bytes !== undefined &&
        byval === undefined &&
        !isAssembly(i) &&
        this.callees.isFleeting(module, name, place, bytes);
      note(value, isWritten ? REPLACES : READS);
    });
  }

  /** Whether the instruction may be a step of the thread, or lead to some. */
  private mayBeStep(i: LInstruction): boolean {
    if (this.endsShared(i)) return true;
    switch (i.op) {
      case 'load':
      case 'store':
        return i.order !== undefined || !this.isLocal(i.address);
      case 'call': {
        if (NO_STEP.test(calleeName(i))) return false;
        const accessed = /memset/.test(calleeName(i)) ? 1 : 2;
        return !this.isMemoryCall(i) || !i.arguments.slice(0, accessed).every(({ value }) => this.isLocal(value));
      }
      case 'alloca':
      case 'gep':
      case 'binary':
      case 'fneg':
      case 'icmp':
      case 'fcmp':
      case 'cast':
      case 'select':
      case 'phi':
      case 'freeze':
      case 'extractvalue':
      case 'insertvalue':
      case 'ret':
      case 'br':
      case 'condbr':
      case 'switch':
      case 'unreachable':
        return false;
      default:
        return true;
    }
  }

  /** Whether a shared variable ends here, which is an event. */
  private endsShared(i: LInstruction): boolean {
    const { lives, storage } = this.parts.classified;
    const ended = endedBy(i);
    const ending = ended === undefined ? (i.declares ?? []) : [ended, ...(i.declares ?? [])];
    return ending.some((name) => storage.get(name) === 'shared' && lives.of.has(name));
  }

  private isMemoryCall(i: LInstruction & { op: 'call' }): boolean {
    const name = calleeName(i);
    if (/^llvm\.(memcpy|memmove|memset)/.test(name)) return true;
    return isMemoryFunction(name) && !this.callees.isDefined(this.parts.module, name);
  }

  /** Whether accesses through this address are no steps, in whatever copy of the function. */
  private isLocal(address: LValue): boolean {
    const { derived, storage } = this.parts.classified;
    const root = address.kind === 'local' ? derived.get(address.name) : undefined;
    if (root === undefined) return false;
    return this.sizes.has(root) || (storage.get(root) !== 'shared' && !this.isParameter(root));
  }

  private isParameter(name: string): boolean {
    return this.parts.func.parameters.some((parameter) => parameter.name === name);
  }

  private variableAt(address: LValue | undefined): string | undefined {
    const root = address?.kind === 'local' ? this.parts.classified.derived.get(address.name) : undefined;
    return root !== undefined && this.sizes.has(root) ? root : undefined;
  }

  /** Whether so many bytes from this address on are all of a variable. */
  private isAll(address: LValue | undefined, bytes: number): boolean {
    return address !== undefined && this.sizeAt(address) === bytes;
  }

  /** The size of the variable that begins at the address. */
  private sizeAt(address: LValue): number | undefined {
    const name = this.variableAt(address);
    const isBeginning = address.kind === 'local' && this.parts.classified.exact.has(address.name);
    return name === undefined || !isBeginning ? undefined : this.sizes.get(name);
  }
}

function calleeName({ callee }: LInstruction & { op: 'call' }): string {
  return callee.kind === 'global' ? callee.name : '';
}

function mentioned(node: unknown, names: string[] = []): readonly string[] {
  if (typeof node !== 'object' || node === null) return names;
  if ('kind' in node && node.kind === 'local' && 'name' in node) names.push(node.name as string);
  else for (const part of Object.values(node)) mentioned(part, names);
  return names;
}
