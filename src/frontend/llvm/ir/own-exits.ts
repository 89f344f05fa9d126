/**
 * Where clang marks the ends of variables, all exits of a block share one sequence of marks: each exit stores its
 * number in a variable of clang's, and a switch after the marks reads it. This pass gives each exit its own copy of the
 * marks and a direct jump to its target. So the code has exactly the paths of the program, as it has without marks.
 *
 * Why the code does the same: between the store of a constant and the switch there are only marks, and only the switch
 * uses the value it loads.
 */
import { targetsOf } from './block-targets.ts';
import type { LBlock, LInstruction, LValue } from './module.ts';

interface Exit {
  readonly marks: readonly LInstruction[];
  /** The variable whose value tells which exit is taken; absent if there is only one. */
  readonly slot?: string;
  goesOn(way: bigint): string;
}

export function withOwnExits(blocks: readonly LBlock[]): readonly LBlock[] {
  const exits = new Map<string, Exit>();
  for (const { name, body } of blocks) {
    const exit = exitOf(body);
    if (exit !== undefined) exits.set(name, exit);
  }
  if (![...exits.values()].some(({ slot }) => slot !== undefined)) return blocks;
  dropUsed(blocks, exits);
  const merging = new Set(blocks.filter(({ body }) => body[0]?.op === 'phi').map(({ name }) => name));
  const changed = blocks.map((block) => withOwnExit(block, exits, merging));
  const left = new Set(changed.flatMap(({ body }) => targetsOf(body.at(-1))));
  return changed.filter(({ name }) => exits.get(name)?.slot === undefined || left.has(name));
}

export function isEndMark(i: LInstruction): boolean {
  return i.op === 'call' && i.callee.kind === 'global' && i.callee.name.startsWith('llvm.lifetime.end');
}

function exitOf(body: readonly LInstruction[]): Exit | undefined {
  const marks: LInstruction[] = [];
  for (const i of body) {
    if (!isEndMark(i)) break;
    marks.push(i);
  }
  if (marks.length === 0 || body.some(({ declares }) => declares !== undefined)) return undefined;
  const [first, second] = body.slice(marks.length);
  if (first?.op === 'br') return { marks, goesOn: () => first.target };
  if (first?.op !== 'load' || first.volatile || first.order !== undefined || second?.op !== 'switch') return undefined;
  if (first.address.kind !== 'local' || !isLocal(second.value.value, first.result)) return undefined;
  const { cases, default: rest } = second;
  return {
    marks,
    slot: first.address.name,
    goesOn: (way) => cases.find(({ value }) => value === way)?.target ?? rest,
  };
}

function isLocal(value: LValue, name: string | undefined): boolean {
  return value.kind === 'local' && value.name === name;
}

/**
 * Drops exits whose loaded value is used other than by their switch, or whose variable is used other than by loads and
 * stores.
 */
function dropUsed(blocks: readonly LBlock[], exits: Map<string, Exit>): void {
  const loads = new Map<string, string>();
  for (const { name, body } of blocks) if (exits.get(name)?.slot !== undefined) loads.set(body.at(-2)!.result!, name);
  const slots = new Set([...exits.values()].flatMap(({ slot }) => slot ?? []));
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node !== null) {
      const { kind, name } = node as { kind?: unknown; name?: unknown };
      if (kind === 'local') used.add(name as string);
      else for (const key in node) if (key !== 'place' && key !== 'type') visit((node as Record<string, unknown>)[key]);
    }
  };
  for (const { name, body } of blocks) {
    for (const [index, i] of body.entries()) {
      const isPlain = (i.op === 'load' || i.op === 'store') && !i.volatile && i.order === undefined;
      if (isPlain && i.address.kind === 'local' && slots.has(i.address.name)) {
        if (i.op === 'store') visit(i.value);
      } else if (index !== body.length - 1 || exits.get(name)?.slot === undefined) visit(i);
    }
  }
  for (const [load, name] of loads) if (used.has(load)) exits.delete(name);
  for (const [name, { slot }] of exits) if (slot !== undefined && used.has(slot)) exits.delete(name);
}

function withOwnExit(block: LBlock, exits: ReadonlyMap<string, Exit>, merging: ReadonlySet<string>): LBlock {
  const { name, body } = block;
  const last = body.at(-1);
  if (last?.op !== 'br') return block;
  const ways = constantsIn(body);
  if (ways.size === 0) return block;
  const marks: LInstruction[] = [];
  let target: string | undefined;
  let found: readonly LInstruction[] = [];
  let next = last.target;
  // Stop at a cycle: no exit passes a block twice.
  for (const passed = new Set<string>(); !passed.has(next); ) {
    passed.add(next);
    const exit = exits.get(next);
    if (exit === undefined) break;
    const way = exit.slot === undefined ? 0n : ways.get(exit.slot);
    if (way === undefined) break;
    next = exit.goesOn(way);
    marks.push(...exit.marks);
    if (exit.slot === undefined || merging.has(next)) continue;
    target = next;
    found = [...marks];
  }
  if (target === undefined) return block;
  return { name, body: [...body.slice(0, -1), ...found, { ...last, target }] };
}

/** The final values of variables to which the block stores constants. */
function constantsIn(body: readonly LInstruction[]): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const i of body) {
    if (i.op !== 'store' || i.address.kind !== 'local') continue;
    const { value } = i.value;
    if (value.kind === 'int') found.set(i.address.name, value.value);
    else found.delete(i.address.name);
  }
  return found;
}
