/**
 * Heap blocks that can no longer be freed, at the end of an execution: neither freed nor reachable from global and
 * thread-local variables, the stacks of live threads, or the result of an ended thread. Any word that looks like an
 * address in a block, or of its end, keeps the block reachable, as in LeakSanitizer: may miss leaks, and reports no
 * block that the program could still find by a pointer.
 */

import type { Machine } from '../machine.ts';
import { Objects } from '../run/objects.ts';
import {
  ABSENT,
  ALIVE_HEAP,
  ALIVE_KEPT,
  ALIVE_STACK,
  FINISHED,
  MEMORY_BASE,
  O_SITE,
  O_SIZE,
  O_STATUS,
  T_HEAD,
  T_RESULT,
  T_STACK,
  T_STATUS,
  T_TOP,
} from '../state/layout.ts';

/** Finds leaks in the final states of one machine. */
export class Leaks {
  private readonly machine: Machine;
  private readonly objects: Objects;
  /** Allocation sites that have been reported. */
  private readonly known = new Set<number>();
  // For the current execution.
  private readonly blocks: number[] = [];
  private readonly roots: number[] = [];
  private readonly reached = new Set<number>();

  constructor(machine: Machine) {
    this.machine = machine;
    this.objects = new Objects(machine.state, machine.layout);
  }

  /** The leaked blocks whose allocation site is new. Call it when the execution is complete. */
  find(): readonly number[] {
    const { machine, objects, known } = this;
    this.collect();
    if (this.blocks.length === 0) return [];
    // A program that has called `exit` may leave pointers in its store buffers.
    for (let thread = 0; thread < machine.processes.threadCount; thread++) {
      if (machine.threads.get(thread, T_HEAD) !== 0) return [];
    }
    this.mark();
    const leaked = this.blocks.filter((block) => !this.reached.has(block));
    const fresh = leaked.filter((block) => !known.has(objects.header(block, O_SITE)));
    for (const block of fresh) known.add(objects.header(block, O_SITE));
    return fresh;
  }

  /** Collects the live heap blocks, unless all their sites have been reported, and the local variables as roots. */
  private collect(): void {
    const { machine, objects, blocks, roots } = this;
    const { threads } = machine;
    blocks.length = 0;
    roots.length = 0;
    for (let thread = 0; thread < machine.processes.threadCount; thread++) {
      if (threads.get(thread, T_STATUS) === ABSENT) continue;
      for (let object = objects.firstOf(thread); object !== 0; object = objects.after(thread, object)) {
        const status = objects.header(object, O_STATUS);
        if (status === ALIVE_HEAP) blocks.push(object);
        else if (status === ALIVE_STACK || status === ALIVE_KEPT) roots.push(object);
      }
    }
    if (blocks.every((block) => this.known.has(objects.header(block, O_SITE)))) blocks.length = 0;
  }

  private mark(): void {
    const { machine, objects, roots, reached } = this;
    const { layout, threads } = machine;
    reached.clear();
    this.scan(MEMORY_BASE >> 2, layout.threadLocals >> 2);
    for (let thread = 0; thread < machine.processes.threadCount; thread++) {
      const status = threads.get(thread, T_STATUS);
      if (status === ABSENT) continue;
      const locals = layout.threadLocals + thread * layout.threadLocalBytes;
      this.scan(locals >> 2, (locals + layout.threadLocalBytes) >> 2);
      this.visit(threads.get(thread, T_RESULT));
      if (status === FINISHED) continue;
      this.scan((layout.stacks + thread * layout.limits.stackBytes) >> 2, threads.get(thread, T_STACK) >> 2);
      this.scan(layout.frames + thread * layout.limits.frameWords, threads.get(thread, T_TOP));
    }
    // The list grows as blocks are reached.
    for (let i = 0; i < roots.length; i++) {
      const root = roots[i]!;
      this.scan(root >> 2, (root + objects.header(root, O_SIZE)) >> 2);
    }
  }

  private scan(from: number, to: number): void {
    const { words } = this.machine.state;
    const { heaps, memoryEnd } = this.machine.layout;
    for (let i = from; i < to; i++) if (words[i]! >= heaps && words[i]! <= memoryEnd) this.visit(words[i]!);
  }

  /** A pointer to the end of a block still belongs to it. */
  private visit(pointer: number): void {
    if (pointer < this.machine.layout.heaps) return;
    this.reach(this.objects.find(pointer));
    this.reach(this.objects.find(pointer - 1));
  }

  private reach(object: number): void {
    if (object <= 0 || this.reached.has(object) || this.objects.header(object, O_STATUS) !== ALIVE_HEAP) return;
    this.reached.add(object);
    this.roots.push(object);
  }
}
