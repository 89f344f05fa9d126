import type { ModelHelp } from './model.ts';

const HELP: ModelHelp = {
  title: 'Total store order',
  where: 'x86, SPARC',
  allows:
    'A store waits in a buffer of its thread before it reaches memory; the thread runs on, and only the thread itself sees ' +
    'the value meanwhile. The buffer is a queue, so stores of one thread arrive in program order. What is new compared with ' +
    'sc: a load can overtake an earlier store to another location.',
  machine: 'x86',
  use:
    'For code that runs on x86 only, above all with inline assembly or volatile. Code in C11 or C++ atomics that passes here ' +
    'can still be broken by the compiler, or on ARM: ask rc11 as well.',
  example: {
    title: 'Store buffering. x and y are 0 at first; r and s are what each thread reads.',
    code: ['thread 1      thread 2', 'x = 1;        y = 1;', 'r = y;        s = x;'],
    outcome:
      'r == 0 and s == 0 is possible: both stores still wait when the loads run. sc forbids it, and so does a full fence ' +
      'between store and load in both threads.',
    litmus: 'litmus/SB/SB.litmus',
  },
};

/** Total store order: stores of a thread reach memory late, in program order. */
export const TSO = {
  name: 'tso',
  alsoCalled: ['x86', 'x86-64', 'x86_64', 'x64', 'amd64'],
  buffers: 'thread',
  atomicsWaitFor: 'all',
  heedsBarriers: false,
  loadsMayBeStale: false,
  unlockOrdersLoads: false,
  isAxiomatic: false,
  axioms: 'buffers',
  language: undefined,
  isDefault: true,
  help: HELP as ModelHelp,
  capabilities: {
    check: true,
    dpor: true,
    bounded: false,
    litmus: true,
    monitors: true,
    robust: true,
    fix: true,
    hunt: true,
    graph: true,
  },
} as const;
