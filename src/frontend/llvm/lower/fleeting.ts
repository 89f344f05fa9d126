/**
 * Fleeting variables: private local variables whose content is dead whenever the thread is about to take a step or is
 * at the head of a loop. In `do get(&v); while (v < 8);` each round writes `v` after its step and reads it before the
 * next one. A waiting thread is recognised because its state comes back. The content of a fleeting variable is not part
 * of that state: writing it is no reason for another round (`isIdle` in `program/ir.ts`), just as if it were in a
 * register that is dead there.
 *
 * A byte is *live* at a place if on some path from there it is read before it is written. A variable is fleeting if
 * none of its bytes is live at the beginning of a block that is the head of a loop, nor before an instruction that may
 * be a step. States are compared only at these places. What a function writes through a parameter is fleeting if the
 * same holds within the function, where the end of the function counts as reading it, and if it is not live at the
 * function's beginning.
 *
 * Functions with a loop that has several entries have no fleeting variables: which block is the head would depend on
 * the order of the search.
 */
import { dominates, immediateDominators } from '../../../program/dominators.ts';
import { depthFirst } from '../../../program/flow.ts';
import { successorsOf } from '../ir/block-targets.ts';
import type { LFunction, LInstruction, LValue, Module } from '../ir/module.ts';
import { isAssembly } from './assembly-operands.ts';
import type { DataLayout } from './data-layout.ts';
import { endedBy } from './lives.ts';
import { type Classified, isMemoryFunction } from './storage.ts';

/** Larger variables are not worth it. */
const MAX_BYTES = 64;

/**
 * What an instruction does with a variable, one bit per byte: which bytes it may read, and which it certainly writes.
 */
interface Effect {
  readonly reads: bigint;
  readonly writes: bigint;
}

/** The live bytes, for variables that have some. */
type Live = Map<string, bigint>;

/** Calls that neither are steps nor lead to any. */
const NO_STEP = /^llvm\.(dbg|lifetime)\./;

export interface FunctionParts {
  readonly func: LFunction;
  readonly module: Module;
  readonly layout: DataLayout;
  readonly classified: Classified;
}

interface Callees {
  /** Whether the first `bytes` bytes that this parameter points to are fleeting in the function. */
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

/**
 * Whether the first `bytes` bytes that the parameter points to are fleeting in the function, and written before they
 * are read.
 */
export function isFleetingParameter(parts: FunctionParts, callees: Callees, parameter: string, bytes: number): boolean {
  const flow = new Flow(parts, callees, new Map([[parameter, bytes]]), true);
  return flow.fleeting().has(parameter);
}

class Flow {
  private readonly parts: FunctionParts;
  private readonly callees: Callees;
  private readonly sizes: ReadonlyMap<string, number>;
  /** The variables belong to the caller and outlive the function. */
  private readonly outlive: boolean;
  private readonly known = new Map<LInstruction, ReadonlyMap<string, Effect>>();
  /** Addresses at a known offset from the beginning of a variable. */
  private readonly offsets = new Map<string, number>();

  constructor(parts: FunctionParts, callees: Callees, sizes: ReadonlyMap<string, number>, outlive: boolean) {
    this.parts = parts;
    this.callees = callees;
    this.sizes = sizes;
    this.outlive = outlive;
    this.findOffsets();
  }

  private findOffsets(): void {
    const { func, classified, layout } = this.parts;
    for (const name of classified.exact) this.offsets.set(name, 0);
    // The text may use an address before it computes it.
    for (let known = -1; known !== this.offsets.size; ) {
      known = this.offsets.size;
      for (const { body } of func.blocks) {
        for (const i of body) {
          if (i.op !== 'gep' || i.result === undefined || this.offsets.has(i.result)) continue;
          const base = i.base.value.kind === 'local' ? this.offsets.get(i.base.value.name) : undefined;
          const moved = base === undefined ? undefined : fixedOffset(i, layout);
          if (moved !== undefined) this.offsets.set(i.result, base! + moved);
        }
      }
    }
  }

  fleeting(): ReadonlySet<string> {
    const { blocks } = this.parts.func;
    const successors = successorsOf(blocks);
    const { retreating } = depthFirst(successors);
    const dominators = immediateDominators(successors, 0);
    for (const [head, sources] of retreating)
      for (const source of sources) if (!dominates(dominators, head, source)) return new Set();
    const live = this.liveAtStart(successors);
    const found = new Set(this.sizes.keys());
    const drop = (names: Iterable<string>): void => {
      for (const name of names) found.delete(name);
    };
    for (const head of retreating.keys()) drop(live[head]!.keys());
    if (this.outlive) drop(live[0]!.keys());
    blocks.forEach(({ body }, b) => {
      const now = this.liveAfter(successors[b]!, live);
      for (const i of body.toReversed()) {
        this.before(i, now);
        if (this.mayBeStep(i)) drop(now.keys());
      }
    });
    return found;
  }

  private liveAfter(next: readonly number[], live: readonly Live[]): Live {
    const found: Live = new Map();
    for (const block of next)
      for (const [name, bytes] of live[block]!) found.set(name, (found.get(name) ?? 0n) | bytes);
    return found;
  }

  private liveAtStart(successors: readonly (readonly number[])[]): readonly Live[] {
    const { blocks } = this.parts.func;
    const live: Live[] = blocks.map(() => new Map());
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (let b = blocks.length - 1; b >= 0; b--) {
        const now = this.liveAfter(successors[b]!, live);
        for (const i of blocks[b]!.body.toReversed()) this.before(i, now);
        const before = live[b]!;
        isNew ||= [...now].some(([name, bytes]) => before.get(name) !== bytes);
        live[b] = now;
      }
    }
    return live;
  }

  /** From what is live after the instruction to what is live before it. */
  private before(i: LInstruction, live: Live): void {
    if (i.op === 'ret' && this.outlive) for (const name of this.sizes.keys()) live.set(name, this.allOf(name));
    for (const [name, { reads, writes }] of this.effects(i)) {
      const bytes = ((live.get(name) ?? 0n) & ~writes) | reads;
      if (bytes === 0n) live.delete(name);
      else live.set(name, bytes);
    }
  }

  private allOf(name: string): bigint {
    return bits(0, this.sizes.get(name)!);
  }

  /** What the instruction does with each variable that it mentions. */
  private effects(i: LInstruction): ReadonlyMap<string, Effect> {
    const found = this.known.get(i) ?? this.findEffects(i);
    this.known.set(i, found);
    return found;
  }

  private findEffects(i: LInstruction): ReadonlyMap<string, Effect> {
    const { layout } = this.parts;
    const found = new Map<string, Effect>();
    const note: Note = (address, does) => {
      const name = this.variableAt(address);
      if (name === undefined) return;
      const { reads, writes } = found.get(name) ?? { reads: 0n, writes: 0n };
      const effect = does(name);
      found.set(name, { reads: reads | (effect.reads ?? 0n), writes: writes | (effect.writes ?? 0n) });
    };
    switch (i.op) {
      case 'load':
        note(i.address, () => ({ reads: this.bytesAt(i.address, layout.storedBytes(i.type), true) }));
        break;
      case 'store':
        note(i.address, () => ({ writes: this.bytesAt(i.address, layout.storedBytes(i.value.type), false) }));
        break;
      case 'call':
        this.callEffects(i, note);
        break;
      // These use only its address. Anything else makes it shared, or is a step; it is then not fleeting.
      case 'alloca':
      case 'gep':
      case 'icmp':
      case 'br':
      case 'ret':
      case 'unreachable':
        break;
      default:
        for (const name of mentioned(i))
          if (this.sizes.has(name)) found.set(name, { reads: this.allOf(name), writes: 0n });
    }
    return found;
  }

  private callEffects(i: LInstruction & { op: 'call' }, note: Note): void {
    const { module } = this.parts;
    const name = calleeName(i);
    if (NO_STEP.test(name)) return;
    const readsAll = (variable: string): Partial<Effect> => ({ reads: this.allOf(variable) });
    if (this.isMemoryCall(i)) {
      const [to, from, size] = i.arguments;
      const bytes = size?.value.kind === 'int' ? Number(size.value.value) : -1;
      const writes = to === undefined || this.mayBeStep(i) ? 0n : this.bytesAt(to.value, bytes, false);
      note(to?.value, (variable) => (writes === 0n ? readsAll(variable) : { writes }));
      if (!/memset/.test(name)) note(from?.value, () => ({ reads: this.bytesAt(from!.value, bytes, true) }));
      return;
    }
    i.arguments.forEach(({ value, byval }, place) => {
      const bytes = this.sizeAt(value);
      const isWritten =
        bytes !== undefined &&
        byval === undefined &&
        !isAssembly(i) &&
        this.callees.isFleeting(module, name, place, bytes);
      note(value, (variable) => (isWritten ? { writes: this.allOf(variable) } : readsAll(variable)));
    });
  }

  /** Whether the instruction may be a step of the thread, or lead to one. */
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

  /** Whether accesses through this address are not steps, in every copy of the function. */
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

  /**
   * The bytes of a variable that an access of this size at this address touches. If they are not known, all of them
   * (`isRead`) or none: reads are over-approximated, writes under-approximated.
   */
  private bytesAt(address: LValue, size: number, isRead: boolean): bigint {
    const name = this.variableAt(address);
    if (name === undefined) return 0n;
    const offset = address.kind === 'local' ? this.offsets.get(address.name) : undefined;
    const isInside = offset !== undefined && size > 0 && offset >= 0 && offset + size <= this.sizes.get(name)!;
    if (!isInside) return isRead ? this.allOf(name) : 0n;
    return bits(offset, size);
  }

  /** The size of the variable that begins at the address. */
  private sizeAt(address: LValue): number | undefined {
    const name = this.variableAt(address);
    const isBeginning = address.kind === 'local' && this.parts.classified.exact.has(address.name);
    return name === undefined || !isBeginning ? undefined : this.sizes.get(name);
  }
}

type Note = (address: LValue | undefined, does: (variable: string) => Partial<Effect>) => void;

/** `count` bits, beginning at `from`. */
function bits(from: number, count: number): bigint {
  return ((1n << BigInt(count)) - 1n) << BigInt(from);
}

/** How far the instruction moves an address, if that is constant. */
function fixedOffset({ source, indices }: LInstruction & { op: 'gep' }, layout: DataLayout): number | undefined {
  let type = source;
  let offset = 0;
  for (const [position, { value }] of indices.entries()) {
    if (value.kind !== 'int') return undefined;
    const index = Number(value.value);
    const resolved = layout.resolve(type);
    if (position === 0) offset += index * layout.sizeOf(type);
    else if (resolved.kind === 'struct' && resolved.fields[index] !== undefined) {
      offset += layout.offsetOf(resolved, index);
      type = resolved.fields[index];
    } else if (resolved.kind === 'array') {
      offset += index * layout.sizeOf(resolved.element);
      type = resolved.element;
    } else return undefined;
  }
  return offset;
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
