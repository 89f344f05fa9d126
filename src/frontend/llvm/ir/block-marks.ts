/**
 * Marks for variables whose blocks end but which clang does not mark (docs/decisions/0041-blocks.md): those that a jump
 * can reach without passing their declarations, and compound literals. Debug information says in which source block a
 * variable is declared, and from which one each instruction comes. The variable begins where control enters the block,
 * and ends where control leaves it (`scope-crossings.ts`).
 *
 * A compound literal has no debug information. It is an unnamed variable whose address is kept, and its block is the
 * innermost one around all instructions that use it. Clang's own variables whose address is passed on, as for a
 * structure that is passed by value, do not live longer than that either.
 *
 * Direction of error: may miss an end. Clang calls cleanup functions outside of the block that they belong to; so a
 * block gets no marks if an instruction outside of it uses one of its variables.
 */
import type { FunctionBody } from './function-body.ts';
import { commonScope, isWithin, type LexicalScopes, type Scope } from './lexical-scopes.ts';
import type { LBlock, LInstruction } from './module.ts';
import { usedBy } from './operands-of.ts';
import { isMark, markScope } from './scope-crossings.ts';

export function withBlockMarks(body: FunctionBody, scopes: LexicalScopes): readonly LBlock[] {
  const { blocks, declarations = new Map() } = body;
  const variables = new Variables(blocks);
  const homes = new Map<string, Scope>();
  const ofVariableLength = new Map<string, Scope>();
  for (const [name, meta] of declarations) {
    const scope = scopes.ofVariable(meta);
    if (scope === undefined) continue;
    if (variables.allocas.has(name)) homes.set(name, scope);
    else if (variables.roots.has(name)) ofVariableLength.set(name, scope);
  }
  const isNamed = (name: string): boolean => body.variables.has(name);
  findLiterals(blocks, variables, isNamed, scopes, homes);
  const byScope = new Map<Scope, string[]>();
  for (const [name, scope] of homes) {
    if (scope.around === undefined || variables.marked.has(name) || !variables.escaping.has(name)) continue;
    const names = byScope.get(scope);
    if (names === undefined) byScope.set(scope, [name]);
    else names.push(name);
  }
  if (byScope.size === 0) return blocks;
  const named = namedOutside(blocks, variables, new Map([...homes, ...ofVariableLength]), scopes);
  /** Clang's own variables that are only loaded and stored. */
  const isSlot = (name: string): boolean =>
    variables.allocas.has(name) && !isNamed(name) && !variables.escaping.has(name);
  let marked = blocks;
  for (const [scope, names] of byScope)
    if (!named.has(scope)) marked = markScope(marked, scope, names, scopes, isSlot) ?? marked;
  return marked;
}

class Variables {
  /** Variables of fixed size. */
  readonly allocas = new Set<string>();
  /** Those that clang has marked. */
  readonly marked = new Set<string>();
  /** Those whose addresses are used other than for loads and stores. */
  readonly escaping = new Set<string>();
  /** Maps the names of addresses in variables to their variables. */
  readonly roots = new Map<string, string>();

  constructor(blocks: readonly LBlock[]) {
    for (const { body } of blocks) {
      for (const i of body) {
        if (i.op !== 'alloca' || i.result === undefined) continue;
        // Has a variable length; it may have a cleanup function.
        if (i.count !== undefined) {
          this.roots.set(i.result, i.result);
          continue;
        }
        // In 32-bit C, alloca(1) looks like a variable.
        if (i.type.kind === 'int' && i.type.bits === 8 && i.align > 1) continue;
        this.allocas.add(i.result);
        this.roots.set(i.result, i.result);
      }
    }
    for (let known = -1; known !== this.roots.size; ) {
      known = this.roots.size;
      for (const { body } of blocks) for (const i of body) this.derive(i);
    }
    for (const { body } of blocks) for (const i of body) this.note(i);
  }

  /** The variables in which the instruction uses an address. */
  namedBy(i: LInstruction): readonly string[] {
    return usedBy(i).flatMap((value) => (value.kind === 'local' ? (this.roots.get(value.name) ?? []) : []));
  }

  private derive(i: LInstruction): void {
    if (i.op !== 'gep' || i.result === undefined || i.base.value.kind !== 'local') return;
    const root = this.roots.get(i.base.value.name);
    if (root !== undefined) this.roots.set(i.result, root);
  }

  private note(i: LInstruction): void {
    if (isMark(i)) for (const name of this.namedBy(i)) this.marked.add(name);
    else for (const name of this.kept(i)) this.escaping.add(name);
  }

  private kept(i: LInstruction): readonly string[] {
    const root = (value: { readonly kind: string; readonly name?: string }): readonly string[] =>
      value.kind === 'local' ? [this.roots.get(value.name!) ?? []].flat() : [];
    switch (i.op) {
      case 'load':
        return i.order === undefined ? [] : root(i.address);
      case 'store':
        return [...root(i.value.value), ...(i.order === undefined ? [] : root(i.address))];
      case 'gep':
      case 'icmp':
        return [];
      case 'call': {
        const name = i.callee.kind === 'global' ? i.callee.name : '';
        if (/^llvm\.(memcpy|memmove|memset)/.test(name)) return [];
        const passed = i.arguments.filter(({ byval, sret }) => byval === undefined && sret === undefined);
        return passed.flatMap(({ value }) => root(value));
      }
      default:
        return this.namedBy(i);
    }
  }
}

/** Adds unnamed variables that escape, with the innermost block around all instructions that use them. */
function findLiterals(
  blocks: readonly LBlock[],
  variables: Variables,
  isNamed: (name: string) => boolean,
  scopes: LexicalScopes,
  homes: Map<string, Scope>,
): void {
  const dropped = new Set<string>();
  for (const { body } of blocks) {
    for (const i of body) {
      for (const name of variables.namedBy(i)) {
        if (!variables.allocas.has(name) || isNamed(name)) continue;
        if (!variables.escaping.has(name) || dropped.has(name)) continue;
        const at = scopes.at(i.at);
        const here = at !== undefined && scopes.areStatementsBlocks(at) ? at : undefined;
        const home = homes.get(name);
        const both = here === undefined || home === undefined ? here : commonScope(home, here);
        if (both !== undefined) homes.set(name, both);
        else {
          dropped.add(name);
          homes.delete(name);
        }
      }
    }
  }
}

/** Scopes with variables that instructions outside of them use. */
function namedOutside(
  blocks: readonly LBlock[],
  variables: Variables,
  homes: ReadonlyMap<string, Scope>,
  scopes: LexicalScopes,
): ReadonlySet<Scope> {
  const found = new Set<Scope>();
  for (const { body } of blocks) {
    for (const i of body) {
      if (isMark(i)) continue;
      for (const name of variables.namedBy(i)) {
        const here = scopes.at(i.at);
        for (let home = homes.get(name); home !== undefined && !isWithin(here, home); home = home.around)
          found.add(home);
      }
    }
  }
  return found;
}
