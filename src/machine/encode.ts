/** States as words, for tables of visited states. */
import type { IntVector } from '../util/int-vector.ts';
import type { Memory } from './memory/memory.ts';
import type { Progress } from './run/progress.ts';
import type { SyncObjects } from './run/sync.ts';
import {
  GRANULE_SHIFT,
  H_ATOMIC,
  H_EXITED,
  type Layout,
  MEMORY_BASE,
  T_EVENTS,
  T_FLOOR,
  T_HEAD,
  T_HEAP,
  T_PC,
  T_STACK,
  T_STATUS,
  T_TOP,
  T_WRITES,
  THREAD_WORDS,
} from './state/layout.ts';
import type { ProcessTable } from './state/process.ts';
import type { State } from './state/state.ts';
import type { Threads } from './state/thread.ts';
import { UndefinedBits } from './state/undefined-bits.ts';

/** What a machine's state consists of. */
interface Encoded {
  readonly state: State;
  readonly layout: Layout;
  readonly processes: ProcessTable;
  readonly threads: Threads;
  readonly memory: Memory;
  readonly operations: { readonly syncs: SyncObjects };
  /** If it is counted, the counts are part of the state. */
  readonly progress: Pick<Progress, 'isCounted'>;
}

/** Adds all that future steps depend on, and nothing about how the state was reached. */
export function encodeState(machine: Encoded, out: IntVector): void {
  const { layout, processes, threads } = machine;
  const { words } = machine.state;
  const bits = new UndefinedBits(machine.state, layout);
  for (const thread of processes.slotsInNameOrder) {
    if (!threads.exists(thread)) continue;
    out.push(processes.handle(thread));
    out.push(threads.get(thread, T_STATUS));
    const end = machine.progress.isCounted ? THREAD_WORDS : T_WRITES;
    for (let field = T_PC; field < end; field++) {
      // How many events there were says how the state was reached. From `T_HEAD` to `T_FLOOR`, the fields belong to the
      // memory: `memory.encode` adds what matters of them.
      if (field !== T_EVENTS && (field < T_HEAD || field > T_FLOOR)) out.push(threads.get(thread, field));
    }
    const top = threads.get(thread, T_TOP);
    const bottom = layout.frames + thread * layout.limits.frameWords;
    for (let w = bottom; w < top; w++) out.push(words[w]!);
    if (bits.has(thread)) for (let w = bottom; w < top; w++) out.push(bits.ofRegister(w));
    const stack = layout.stacks + thread * layout.limits.stackBytes;
    for (let a = stack; a < threads.get(thread, T_STACK); a += 4) out.push(words[a >> 2]!);
    const heap = layout.heaps + thread * layout.limits.heapBytes;
    for (let a = heap; a < threads.get(thread, T_HEAP); a += 4) out.push(words[a >> 2]!);
    const locals = layout.threadLocals + thread * layout.threadLocalBytes;
    for (let a = locals; a < locals + layout.threadLocalBytes; a += 4) out.push(words[a >> 2]!);
  }
  out.push(0);
  for (let a = MEMORY_BASE; a < layout.threadLocals; a += 4) out.push(words[a >> 2]!);
  for (const [mutex, holder] of machine.operations.syncs.held()) {
    out.push(mutex);
    out.push(processes.handle(holder));
  }
  out.push(-1);
  if (layout.tracksUndefined) encodeUndefined(machine, out);
  out.push(words[H_ATOMIC]!);
  out.push(words[H_EXITED]!);
  machine.memory.encode(out);
}

/** The undefined bits of memory: only of the memory in use, since all of it is large. */
function encodeUndefined({ state, layout, processes, threads }: Encoded, out: IntVector): void {
  const { words } = state;
  const add = (start: number, end: number): void => {
    for (let granule = start >> GRANULE_SHIFT; granule << GRANULE_SHIFT < end; granule++) {
      if (words[layout.shadow + granule]! >= -1) continue;
      out.push(granule);
      out.push(words[layout.undefinedMemory + 2 * granule]!);
      out.push(words[layout.undefinedMemory + 2 * granule + 1]!);
    }
  };
  add(MEMORY_BASE, layout.threadLocals);
  for (const thread of processes.slotsInNameOrder) {
    if (!threads.exists(thread)) continue;
    add(layout.stacks + thread * layout.limits.stackBytes, threads.get(thread, T_STACK));
    add(layout.heaps + thread * layout.limits.heapBytes, threads.get(thread, T_HEAP));
    const locals = layout.threadLocals + thread * layout.threadLocalBytes;
    add(locals, locals + layout.threadLocalBytes);
  }
  out.push(-1);
}
