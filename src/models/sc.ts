import type { ModelHelp } from './model.ts';

const HELP: ModelHelp = {
  title: 'Sequential consistency',
  where: 'idealised: no reordering',
  allows:
    'One thread takes a step, then another, in any order. Every store is visible to all threads at once. This is how ' +
    'most people read code, but machines with several processors do not work like this.',
  machine: undefined,
  use:
    'Ask it first. What fails under sc is a plain bug, wrong on every machine, and no fence will help. ' +
    'What holds under sc and fails elsewhere lacks a fence or a stronger memory order.',
  example: {
    title: 'Store buffering. x and y are 0 at first; r and s are what each thread reads.',
    code: ['thread 1      thread 2', 'x = 1;        y = 1;', 'r = y;        s = x;'],
    outcome: 'r == 0 and s == 0 is impossible: the thread that reads last finds the store of the other.',
    litmus: 'litmus/SB/SB.litmus',
  },
};

/** Sequential consistency: every operation acts on memory at once. The reference for the other models. */
export const SC = {
  name: 'sc',
  buffers: 'none',
  atomicsWaitFor: 'nothing',
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
    bounded: true,
    litmus: true,
    monitors: false,
    robust: false,
    fix: false,
    hunt: false,
    graph: true,
  },
  why: {
    monitors: 'it is what monitors compare other models with',
    robust: 'it is what other models are compared with',
    fix: 'its stores are never delayed, so no fence makes a difference',
    hunt: 'its executions have no cycles, so there is nothing to hunt; use check',
  },
} as const;
