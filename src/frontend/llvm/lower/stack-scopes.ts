/**
 * Where variable-length arrays end. Before the first one of a block, clang saves the stack pointer (`llvm.stacksave`),
 * usually in a separate variable; at the end of the block, it restores it.
 */
import type { Dest } from '../../../program/ir.ts';
import type { LFunction, LValue } from '../ir/module.ts';

interface Scope {
  readonly arrays: Dest[];
  isOpen: boolean;
}

export class StackScopes {
  /** By the name of a saved stack pointer, and of every value loaded from where it was saved. */
  private readonly scopes = new Map<string, Scope>();
  /** In text order, in which inner blocks begin after outer ones. */
  private readonly begun: Scope[] = [];

  constructor(func: LFunction) {
    const places = new Map<string, Scope>();
    const instructions = func.blocks.flatMap((block) => block.body);
    for (const i of instructions) {
      const isSave = i.op === 'call' && i.callee.kind === 'global' && i.callee.name.startsWith('llvm.stacksave');
      if (isSave && i.result !== undefined) this.scopes.set(i.result, { arrays: [], isOpen: true });
      if (i.op !== 'store' || i.value.value.kind !== 'local' || i.address.kind !== 'local') continue;
      const saved = this.scopes.get(i.value.value.name);
      if (saved !== undefined) places.set(i.address.name, saved);
    }
    for (const i of instructions) {
      if (i.op !== 'load' || i.address.kind !== 'local' || i.result === undefined) continue;
      const scope = places.get(i.address.name);
      if (scope !== undefined) this.scopes.set(i.result, scope);
    }
  }

  begin(save: string | undefined): void {
    const scope = save === undefined ? undefined : this.scopes.get(save);
    if (scope !== undefined) this.begun.push(scope);
  }

  /** The array whose address `dest` holds ends with the innermost block; false if no block is open. */
  add(dest: Dest): boolean {
    const scope = this.begun.findLast((s) => s.isOpen);
    scope?.arrays.push(dest);
    return scope !== undefined;
  }

  /** The arrays that end where the stack pointer is restored to `saved`. */
  end(saved: LValue): readonly Dest[] {
    const scope = saved.kind === 'local' ? this.scopes.get(saved.name) : undefined;
    if (scope === undefined) return [];
    scope.isOpen = false;
    return scope.arrays;
  }
}
