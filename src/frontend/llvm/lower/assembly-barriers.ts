/**
 * Which accesses a barrier of a real machine keeps in order, and the corresponding fence of the program form.
 *
 * Under SC, TSO and PSO, loads are never delayed. So only two orders matter, and the fence is exact:
 *
 *   store–store                release
 *   store–load and store–store seq_cst
 *   store–load alone           none: PSO has no fence that delays later loads but not later stores
 *
 * An acquire fence is for PSLO and RC11. RC11 has the fences of C11, each of which orders several kinds of accesses:
 *
 *   load–load, load–store                           acquire
 *   load–store, store–store                         release
 *   all but store–load                              acq_rel
 *   all                                             seq_cst
 *   load–store alone                                nothing, which is weaker; RC11 never delays a load past a store
 *
 * A barrier that orders anything else (`dmb ishst`: store–store alone) would be too strong as any of these. It is
 * marked `partial`, and RC11 gives no answer where it is reached. On x86 only store–load can be out of order, so its
 * three fences are fences of C11. PSLO treats a partial seq_cst fence as a whole one, which may miss results.
 */
import type { FenceOrder } from '../../../program/types.ts';
import type { AssemblyInstruction } from './assembly-text.ts';

/** The orders it keeps: the first letter is the earlier access. */
interface Barrier {
  readonly ll?: boolean;
  readonly ls?: boolean;
  readonly ss?: boolean;
  readonly sl?: boolean;
}

const NOTHING: Barrier = {};
const ACQUIRE: Barrier = { ll: true, ls: true };
const STORES: Barrier = { ss: true };
const ALL_BUT_STORE_LOAD: Barrier = { ll: true, ls: true, ss: true };
const FULL: Barrier = { ll: true, ls: true, ss: true, sl: true };

/** Instructions without operands. */
const ALONE: Readonly<Record<string, Barrier>> = {
  // x86
  mfence: FULL,
  sfence: STORES,
  lfence: ACQUIRE,
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
  // These only let time pass.
  nop: NOTHING,
  pause: NOTHING,
  'rep nop': NOTHING,
  yield: NOTHING,
  // ARM: an event may come at any time, so waiting for one may take no time. `sb` only stops speculation.
  wfe: NOTHING,
  wfi: NOTHING,
  sev: NOTHING,
  sevl: NOTHING,
  sb: NOTHING,
};

/** Instructions as bytes, for old assemblers. */
const BYTES: Readonly<Record<string, Barrier>> = {
  '0xf3 0x90': NOTHING,
  '0x0f 0xae 0xf0': FULL,
  '0x0f 0xae 0xf8': STORES,
  '0x0f 0xae 0xe8': ACQUIRE,
};

/** Operands of ARM's `dmb` and `dsb`. Those that cover only the current processor (`nsh`) are not here. */
const ARM: Readonly<Record<string, Barrier>> = {
  ...{ sy: FULL, ish: FULL, osh: FULL },
  ...{ st: STORES, ishst: STORES, oshst: STORES },
  ...{ ld: ACQUIRE, ishld: ACQUIRE, oshld: ACQUIRE },
};

/** Bits of SPARC's `membar`. `#Lookaside` is not here. */
const SPARC: Readonly<Record<string, Barrier>> = {
  '#loadload': { ll: true },
  '#loadstore': { ls: true },
  '#storestore': STORES,
  '#storeload': { sl: true },
  '#memissue': FULL,
  '#sync': FULL,
};

/** Every barrier of the tables, as it is written. */
export const BARRIER_TEXTS: readonly string[] = [
  ...Object.keys(ALONE),
  ...Object.keys(BYTES).map((bytes) => `.byte ${bytes.replaceAll(' ', ',')}`),
  ...Object.keys(ARM).flatMap((kind) => [`dmb ${kind}`, `dsb ${kind}`]),
  ...Object.keys(SPARC).map((bit) => `membar ${bit}`),
];

/** The fence that an instruction acts as; `partial`: it orders less than that fence of C11 does. */
export interface Fence {
  readonly order: FenceOrder;
  readonly partial?: true;
}

/** The fence that an instruction acts as, if it is a barrier, or why it cannot be modelled. */
export function barrierOf(instruction: AssemblyInstruction): Fence | 'nothing' | { refused: string } | undefined {
  const barrier = instruction.isLocked ? lockedBarrier(instruction) : plainBarrier(instruction);
  if (barrier === undefined) return undefined;
  const { ll = false, ls = false, ss = false, sl = false } = barrier;
  if (sl && !ss) {
    return { refused: 'a store-load barrier without store-store order is not modelled; order stores too' };
  }
  if (!ll && !ss) return 'nothing';
  const order = sl ? 'seq_cst' : ss ? (ll ? 'acq_rel' : 'release') : 'acquire';
  return ls && (ll || !sl) ? { order } : { order, partial: true };
}

/** `lock; addl $0,0(%esp)`: purely a full fence, as no other thread accesses the top of this stack. */
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
  // nop, yield, wfe, wfi, sev, sevl
  if (name === 'hint' && /^#?[0-5]$/.test(rest)) return NOTHING;
  if (name === 'membar')
    return rest
      .split('|')
      .map((bit) => own(SPARC, bit.trim()))
      .reduce(both);
  if (name === 'fence' && operands.length === 2) return riscvFence(operands[0]!, operands[1]!);
  // Moving a register to itself lowers the priority on POWER; reading into %g0 only takes time on SPARC.
  if (name === '.byte') return own(BYTES, operands.join(' '));
  if (name === 'or' && /^(\d+), ?\1, ?\1$/.test(rest)) return NOTHING;
  if (name === 'rd' && /^%?%ccr, ?%?%g0$/.test(rest)) return NOTHING;
  return undefined;
}

/** Each argument is a set of: input, output, read, write. */
function riscvFence(before: string, after: string): Barrier | undefined {
  const isSet = (text: string): boolean => /^i?o?r?w?$/.test(text) && text !== '';
  if (!isSet(before) || !isSet(after)) return undefined;
  return {
    ll: before.includes('r') && after.includes('r'),
    ls: before.includes('r') && after.includes('w'),
    ss: before.includes('w') && after.includes('w'),
    sl: before.includes('w') && after.includes('r'),
  };
}

function both(a: Barrier | undefined, b: Barrier | undefined): Barrier | undefined {
  if (a === undefined || b === undefined) return undefined;
  return {
    ll: a.ll === true || b.ll === true,
    ls: a.ls === true || b.ls === true,
    ss: a.ss === true || b.ss === true,
    sl: a.sl === true || b.sl === true,
  };
}

function own(table: Readonly<Record<string, Barrier>>, key: string): Barrier | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
