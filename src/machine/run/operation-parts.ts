/** What operations work on; owned by the machine. */
import type { Code } from '../code/code.ts';
import type { EventLog } from '../events/event.ts';
import type { Memory } from '../memory/memory.ts';
import type { Layout } from '../state/layout.ts';
import type { ProcessTable } from '../state/process.ts';
import type { State } from '../state/state.ts';
import type { Frames } from './frames.ts';
import type { Runner } from './runner.ts';
import type { SyncObjects } from './sync.ts';

export interface OperationParts {
  readonly code: Code;
  readonly state: State;
  readonly layout: Layout;
  readonly frames: Frames;
  readonly processes: ProcessTable;
  readonly memory: Memory;
  readonly syncs: SyncObjects;
  readonly runner: Runner;
  readonly events: EventLog;
}
