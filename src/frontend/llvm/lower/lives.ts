/**
 * Where the local variables of a function begin and end. In C, clang marks both (`llvm.lifetime.start` and `end`) for
 * variables that jumps can reach only through their declarations; other variables live as long as the call. In C++ only
 * declarations are known: each time one is reached, its variable's former life ends and a new one begins, even if a
 * jump led back.
 *
 * Marks are trusted if they match: on every path through the function, beginnings and ends alternate, and nothing is
 * alive at the return. Only for code that clang has not optimised.
 */

import { repeatedBlocks } from '../../../program/cycles.ts';
import { successorsOf } from '../ir/block-targets.ts';
import type { LBlock, LFunction, LInstruction } from '../ir/module.ts';
import { usedBy } from '../ir/operands-of.ts';
import { isEndMark } from '../ir/own-exits.ts';

export interface Life {
  readonly begins: 'at-mark' | 'at-declaration';
  /** Whether it may begin more than once during a call of the function. */
  readonly repeats: boolean;
}

export interface Lives {
  /** Variables, by the names of their allocas, whose lifetime is shorter than a call of the function. */
  readonly of: ReadonlyMap<string, Life>;
  /** Variables that are used after they have ended. */
  readonly usedLate: ReadonlySet<string>;
  /** Blocks that can run more than once during a call of the function. */
  readonly repeated: ReadonlySet<string>;
}

export const NO_LIVES: Lives = { of: new Map(), usedLate: new Set(), repeated: new Set() };

/** The variable that begins here, if this is a begin mark. */
export function begunBy(i: LInstruction): string | undefined {
  const isMark = i.op === 'call' && i.callee.kind === 'global' && i.callee.name.startsWith('llvm.lifetime.start');
  return isMark ? markedBy(i) : undefined;
}

/** The variable that ends here, if this is an end mark. */
export function endedBy(i: LInstruction): string | undefined {
  return isEndMark(i) ? markedBy(i) : undefined;
}

/** Older versions of clang pass the size as first argument. */
function markedBy(i: LInstruction): string | undefined {
  const value = i.op === 'call' ? i.arguments.at(-1)?.value : undefined;
  return value?.kind === 'local' ? value.name : undefined;
}

/** Bits for a place in the function: on some path to it, the variable has not begun yet; is alive; has ended. */
const UNBORN = 1;
const ALIVE = 2;
const DEAD = 4;

/** `roots` maps the names of addresses in variables to their variables. */
export function findLives(func: LFunction, roots: ReadonlyMap<string, string>, by: 'marks' | 'declarations'): Lives {
  const successors = successorsOf(func.blocks);
  const repeated = new Set([...repeatedBlocks(successors)].map((block) => func.blocks[block]!.name));
  const marked = new Map<string, number>();
  const declared = new Map<string, number>();
  for (const { name, body } of func.blocks) {
    for (const i of body) {
      const variable = begunBy(i) ?? endedBy(i);
      if (variable !== undefined && roots.get(variable) === variable && !marked.has(variable))
        marked.set(variable, marked.size);
      if (by === 'marks' || i.declares === undefined || !repeated.has(name)) continue;
      for (const one of i.declares) if (roots.get(one) === one) declared.set(one, 0);
    }
  }
  for (const name of marked.keys()) declared.delete(name);
  const numbers = new Map([...marked.keys(), ...declared.keys()].map((name, number) => [name, number]));
  if (numbers.size === 0) return { of: new Map(), usedLate: new Set(), repeated };
  const flow = new Flow(func.blocks, successors, numbers, declared, roots);
  return flow.lives(repeated);
}

class Flow {
  private readonly blocks: readonly LBlock[];
  private readonly successors: readonly (readonly number[])[];
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly declared: ReadonlyMap<string, unknown>;
  private readonly roots: ReadonlyMap<string, string>;
  /** The state of each variable at the beginning of each reachable block. */
  private readonly atStart: (Uint8Array | undefined)[];

  constructor(
    blocks: readonly LBlock[],
    successors: readonly (readonly number[])[],
    numbers: ReadonlyMap<string, number>,
    declared: ReadonlyMap<string, unknown>,
    roots: ReadonlyMap<string, string>,
  ) {
    this.blocks = blocks;
    this.successors = successors;
    this.numbers = numbers;
    this.declared = declared;
    this.roots = roots;
    this.atStart = blocks.map(() => undefined);
    this.run();
  }

  private run(): void {
    this.atStart[0] = new Uint8Array(this.numbers.size).fill(UNBORN);
    const pending = [0];
    for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
      const now = this.atStart[block]!.slice();
      for (const i of this.blocks[block]!.body) this.pass(i, now);
      for (const next of this.successors[block]!) if (this.merge(next, now)) pending.push(next);
    }
  }

  private merge(block: number, now: Uint8Array): boolean {
    const known = this.atStart[block];
    if (known === undefined) {
      this.atStart[block] = now.slice();
      return true;
    }
    let isNew = false;
    for (let v = 0; v < now.length; v++) {
      const both = known[v]! | now[v]!;
      isNew ||= both !== known[v];
      known[v] = both;
    }
    return isNew;
  }

  /** Calls `change` for each variable that begins or ends just before or at the instruction. */
  private changes(i: LInstruction, change: (variable: number, to: number, isDeclared: boolean) => void): void {
    for (const name of i.declares ?? []) if (this.declared.has(name)) change(this.numbers.get(name)!, ALIVE, true);
    const begun = begunBy(i);
    const ended = begun === undefined ? endedBy(i) : undefined;
    const variable = this.numbers.get(begun ?? ended ?? '');
    if (variable !== undefined) change(variable, begun === undefined ? DEAD : ALIVE, false);
  }

  private pass(i: LInstruction, now: Uint8Array): void {
    this.changes(i, (variable, to) => {
      now[variable] = to;
    });
  }

  lives(repeated: ReadonlySet<string>): Lives {
    const names = [...this.numbers.keys()];
    const unmatched = new Set<string>();
    const usedLate = new Set<string>();
    const repeats = new Set<string>();
    this.blocks.forEach(({ name, body }, block) => {
      const now = this.atStart[block]?.slice();
      if (now === undefined) return;
      for (const i of body) {
        this.changes(i, (variable, to, isDeclared) => {
          const isAlive = now[variable] === ALIVE;
          const isNot = (now[variable]! & ALIVE) === 0;
          if (!isDeclared && !(to === ALIVE ? isNot : isAlive)) unmatched.add(names[variable]!);
          if (to === ALIVE && repeated.has(name)) repeats.add(names[variable]!);
          now[variable] = to;
        });
        if (i.op === 'ret') {
          for (const [v, one] of names.entries())
            if ((now[v]! & ALIVE) !== 0 && !this.declared.has(one)) unmatched.add(one);
        }
        if (begunBy(i) !== undefined || endedBy(i) !== undefined) continue;
        for (const value of usedBy(i)) {
          const root = value.kind === 'local' ? this.roots.get(value.name) : undefined;
          const state = root === undefined ? undefined : now[this.numbers.get(root) ?? -1];
          if (state === undefined || state === ALIVE) continue;
          if (state === DEAD && !this.declared.has(root!)) usedLate.add(root!);
          else unmatched.add(root!);
        }
      }
    });
    const lives = new Map<string, Life>();
    for (const name of names) {
      if (unmatched.has(name)) usedLate.delete(name);
      else if (repeats.has(name))
        lives.set(name, { begins: this.declared.has(name) ? 'at-declaration' : 'at-mark', repeats: true });
      else if (!this.declared.has(name) && (usedLate.has(name) || !this.endsAtReturn(name)))
        lives.set(name, { begins: 'at-mark', repeats: false });
    }
    return { of: lives, usedLate, repeated };
  }

  /** Whether nothing happens between the end of the variable and the function's return. */
  private endsAtReturn(name: string): boolean {
    const goesQuietly = (block: number, from: number): boolean =>
      this.blocks[block]!.body.slice(from).every((i) => this.isQuiet(i));
    const after = new Set<number>();
    const isQuietHere = this.blocks.every(({ body }, block) =>
      body.every((i, index) => {
        if (endedBy(i) !== name || this.atStart[block] === undefined) return true;
        for (const next of this.successors[block]!) after.add(next);
        return goesQuietly(block, index + 1);
      }),
    );
    if (!isQuietHere) return false;
    for (const block of after) {
      if (!goesQuietly(block, 0)) return false;
      for (const next of this.successors[block]!) after.add(next);
    }
    return true;
  }

  private isQuiet(i: LInstruction): boolean {
    switch (i.op) {
      case 'load':
      case 'store':
        // Clang's own variables, such as the function's return value.
        return !i.volatile && i.order === undefined && i.address.kind === 'local' && this.roots.has(i.address.name);
      case 'br':
      case 'condbr':
      case 'switch':
      case 'ret':
      case 'cast':
      case 'extractvalue':
      case 'insertvalue':
        return true;
      default:
        return endedBy(i) !== undefined;
    }
  }
}
