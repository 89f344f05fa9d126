/** What the page offers to start from: the examples and some of the litmus tests of the repository. */

export interface Example {
  /** Its path in the repository. */
  readonly path: string;
  /** A description in a few words. */
  readonly about: string;
  /** Options with which it fails; `fixed`: options with which it is correct, if there are any. */
  readonly options: string;
  readonly fixed?: string;
}

export const EXAMPLES: readonly Example[] = [
  { path: 'examples/store-buffering.c', about: 'two flags, each read too early', options: '', fixed: '-D FENCED' },
  { path: 'examples/message-passing.c', about: 'the data, then a flag', options: '', fixed: '-D RELEASE' },
  { path: 'examples/peterson.c', about: "Peterson's lock", options: '', fixed: '-D FENCED -D RELEASE' },
  { path: 'examples/dekker.c', about: "Dekker's lock", options: '', fixed: '-D FENCED -D RELEASE' },
  { path: 'examples/spsc-ring.c', about: 'a ring buffer', options: '', fixed: '-D RELEASE' },
  { path: 'examples/treiber-stack.c', about: 'a lock-free stack', options: '', fixed: '-D RELEASE' },
  { path: 'examples/seqlock.c', about: 'a sequence lock', options: '', fixed: '-D FENCED' },
  { path: 'examples/ticket-lock.c', about: 'a ticket lock', options: '', fixed: '-D RELEASE' },
  { path: 'examples/double-checked-locking.c', about: 'created once', options: '', fixed: '-D RELEASE' },
  { path: 'examples/idle-wakeup.c', about: 'a wake-up that is lost', options: '', fixed: '-D FENCED' },
  { path: 'examples/lock-order.c', about: 'a deadlock', options: '' },
  { path: 'examples/message-passing.cpp', about: 'a mailbox in C++', options: '-D RELAXED', fixed: '' },
];

export const LITMUS_TESTS: readonly string[] = [
  'SB/SB',
  'SB/SB+mfences',
  'MP/MP',
  'MP/MP+sfence+po',
  'LB/LB',
  'IRIW/IRIW',
  'WRC/WRC',
  '2+2W/2+2W',
  'R/R',
  'S/S',
  'n6/n6',
  'loops/spinlock',
  'C/SB',
  'C/MP+rel+acq',
  'C/MP+rel+rlx',
  'C/LB',
  'C/IRIW+scs',
  'C/IRIW+acqs',
].map((name) => `litmus/${name}.litmus`);

/** Executions as `fencepost record` and `check --record` write them. */
export const RECORDINGS: readonly string[] = ['docs/examples/store-buffering.jsonl'];
