import type { Language, ModelHelp } from './model.ts';

const HELP: ModelHelp = {
  title: 'The memory model of C11 and C++20, repaired (RC11)',
  where: 'C11: every compiler, ARM, POWER, RISC-V',
  allows:
    'Everything that the language allows: each load may read any store that the memory orders do not rule out. Relaxed ' +
    'accesses order nothing but accesses to the same location; release and acquire order what comes before and after them; seq_cst accesses have one order. ' +
    'A data race on plain variables is undefined behaviour, and therefore an error.',
  machine: undefined,
  use:
    'For code in C11 or C++ atomics that must be right with every compiler and on every machine: x86, ARM, POWER, RISC-V. ' +
    'It answers "may this load be relaxed?" and "is it right on ARM?". One exception: load buffering, which ARM may show, is not covered.',
  example: {
    title: 'Message passing, with a load that is too weak. data and ready are 0 at first.',
    code: [
      'thread 1                  thread 2',
      'data = 42;                r = ready;  (relaxed)',
      'ready = 1;  (release)     s = data;',
    ],
    outcome:
      'r == 1 and s == 0 is possible, though sc, tso and pso forbid it. An acquire load of ready forbids it here too. ' +
      '(If data is a plain int, the program is a data race, and undefined.)',
    litmus: 'litmus/C/MP+rel+rlx.litmus',
  },
};

const LANGUAGE: Language = {
  name: 'C11',
  racesAreErrors: true,
  isScWithoutRaces: true,
  lacks: {
    what: 'load buffering',
    where: 'which ARM may show where a relaxed store follows a relaxed load',
    page: 'docs/arm.md',
  },
};

/**
 * The model of C11 and C++20, as repaired by Lahav, Vafeiadis, Kang, Hur and Dreyer (PLDI 2017): [RC11]. Its axioms are
 * in `explore/graph/rc11.ts`; the machine only carries out the choices that are consistent.
 */
export const RC11 = {
  name: 'rc11',
  alsoCalled: [
    'c11',
    'c17',
    'c23',
    'c++11',
    'c++14',
    'c++17',
    'c++20',
    'c++23',
    'c',
    'c++',
    'arm',
    'arm64',
    'armv8',
    'aarch64',
    'risc-v',
    'riscv',
    'riscv64',
    'power',
    'language',
  ],
  buffers: 'none',
  atomicsWaitFor: 'nothing',
  heedsBarriers: false,
  loadsMayBeStale: true,
  unlockOrdersLoads: false,
  isAxiomatic: true,
  axioms: 'rc11',
  language: LANGUAGE as Language,
  isDefault: true,
  help: HELP as ModelHelp,
  capabilities: {
    check: true,
    dpor: false,
    bounded: false,
    litmus: true,
    monitors: false,
    robust: false,
    fix: true,
    hunt: false,
    graph: true,
  },
  why: {
    dpor: 'its executions are graphs, which explore/graph explores',
    monitors: 'its executions are graphs, for which no monitor is known; use check',
    robust: 'its executions are graphs, not schedules of a machine; use check',
    hunt: 'its executions are graphs, not schedules of a machine; use check',
  },
} as const;
