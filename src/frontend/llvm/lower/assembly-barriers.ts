/**
 * Which accesses a barrier of a real machine keeps in order, and the fence of the program form that orders exactly
 * these under SC, TSO and PSO. There no load is ever delayed: what a barrier orders after loads needs no fence, except
 * for the acquire fence, which PSLO needs.
 *
 *   load–load                  acquire
 *   store–store                release
 *   both                       acq_rel
 *   store–load and store–store seq_cst; under PSLO it orders loads too, which may miss results
 *   store–load alone           none: PSO has no fence that makes later loads wait and not later stores
 */
import type { FenceOrder } from '../../../program/types.ts';
import type { AssemblyInstruction } from './assembly-text.ts';

interface Barrier {
  readonly loadLoad?: boolean;
  readonly storeStore?: boolean;
  readonly storeLoad?: boolean;
}

const NOTHING: Barrier = {};
const LOADS: Barrier = { loadLoad: true };
const STORES: Barrier = { storeStore: true };
const ALL_BUT_STORE_LOAD: Barrier = { loadLoad: true, storeStore: true };
const FULL: Barrier = { loadLoad: true, storeStore: true, storeLoad: true };

/** Instructions without operands. */
const ALONE: Readonly<Record<string, Barrier>> = {
  // x86
  mfence: FULL,
  sfence: STORES,
  lfence: LOADS,
  // POWER; `isync` orders only what depends on a branch.
  sync: FULL,
  hwsync: FULL,
  lwsync: ALL_BUT_STORE_LOAD,
  eieio: STORES,
  isync: NOTHING,
  // ARM: `dmb` and `dsb` without an operand are for the whole system; `isb` is `isync`.
  dmb: FULL,
  dsb: FULL,
  isb: NOTHING,
  // RISC-V
  fence: FULL,
  'fence.tso': ALL_BUT_STORE_LOAD,
  // SPARC
  stbar: STORES,
  // These only pass time.
  nop: NOTHING,
  pause: NOTHING,
  'rep nop': NOTHING,
  yield: NOTHING,
};

/** Operands of ARM's `dmb` and `dsb`. Those that cover only the current processor (`nsh`) are not here. */
const ARM: Readonly<Record<string, Barrier>> = {
  ...{ sy: FULL, ish: FULL, osh: FULL },
  ...{ st: STORES, ishst: STORES, oshst: STORES },
  ...{ ld: LOADS, ishld: LOADS, oshld: LOADS },
};

/** Bits of SPARC's `membar`. `#Lookaside` is not here. */
const SPARC: Readonly<Record<string, Barrier>> = {
  '#loadload': LOADS,
  '#loadstore': NOTHING,
  '#storestore': STORES,
  '#storeload': { storeLoad: true },
  '#memissue': FULL,
  '#sync': FULL,
};

/** The fence that an instruction acts as, if it is a barrier; or why it cannot be one. */
export function barrierOf(instruction: AssemblyInstruction): FenceOrder | 'nothing' | { refused: string } | undefined {
  const barrier = instruction.isLocked ? lockedBarrier(instruction) : plainBarrier(instruction);
  if (barrier === undefined) return undefined;
  const { loadLoad = false, storeStore = false, storeLoad = false } = barrier;
  if (storeLoad && !storeStore) {
    return { refused: 'a store-load barrier without store-store order is not modelled; order stores too' };
  }
  if (storeLoad) return 'seq_cst';
  if (storeStore) return loadLoad ? 'acq_rel' : 'release';
  return loadLoad ? 'acquire' : 'nothing';
}

/** `lock; addl $0,0(%esp)`: just a full fence, as no other thread accesses the top of this stack. */
function lockedBarrier({ name, operands }: AssemblyInstruction): Barrier | undefined {
  const [value, place, ...more] = operands;
  const isZero = value === '$$0' || value === '$$0x0';
  const isTop = /^(?:-?(?:0x[\da-f]+|\d+))?\(%[er]sp\)$/.test(place ?? '');
  return /^(?:add|sub|or|xor)[bwlq]?$/.test(name) && isZero && isTop && more.length === 0 ? FULL : undefined;
}

function plainBarrier({ name, rest, operands }: AssemblyInstruction): Barrier | undefined {
  if (rest === '') return own(ALONE, name);
  if (name === 'dmb' || name === 'dsb') return own(ARM, rest);
  if (name === 'isb' && rest === 'sy') return NOTHING;
  if (name === 'hint' && /^#?[01]$/.test(rest)) return NOTHING;
  if (name === 'membar')
    return rest
      .split('|')
      .map((bit) => own(SPARC, bit.trim()))
      .reduce(both);
  if (name === 'fence' && operands.length === 2) return riscvFence(operands[0]!, operands[1]!);
  // Moving a register to itself lowers the priority on POWER; reading into %g0 only takes time on SPARC.
  if (name === 'or' && /^(\d+), ?\1, ?\1$/.test(rest)) return NOTHING;
  if (name === 'rd' && /^%?%ccr, ?%?%g0$/.test(rest)) return NOTHING;
  return undefined;
}

/** Each is a set of: input, output, read, write. */
function riscvFence(before: string, after: string): Barrier | undefined {
  const isSet = (text: string): boolean => /^i?o?r?w?$/.test(text) && text !== '';
  if (!isSet(before) || !isSet(after)) return undefined;
  return {
    loadLoad: before.includes('r') && after.includes('r'),
    storeStore: before.includes('w') && after.includes('w'),
    storeLoad: before.includes('w') && after.includes('r'),
  };
}

function both(a: Barrier | undefined, b: Barrier | undefined): Barrier | undefined {
  if (a === undefined || b === undefined) return undefined;
  return {
    loadLoad: a.loadLoad === true || b.loadLoad === true,
    storeStore: a.storeStore === true || b.storeStore === true,
    storeLoad: a.storeLoad === true || b.storeLoad === true,
  };
}

function own(table: Readonly<Record<string, Barrier>>, key: string): Barrier | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
