/** Control and data flow inside a function: successors of blocks, and what instructions read and write. */
import type { Func, Instruction, Operand } from './ir.ts';

/** The successors of each block. */
export function successorsOf(func: Func): number[][] {
  return func.blocks.map(({ body }) => targetsOf(body.at(-1)!));
}

/** The reverse of `successorsOf`. */
export function predecessorsOf(successors: readonly (readonly number[])[]): number[][] {
  const predecessors = successors.map((): number[] => []);
  successors.forEach((targets, block) => {
    for (const target of targets) predecessors[target]!.push(block);
  });
  return predecessors;
}

function targetsOf(terminator: Instruction): number[] {
  switch (terminator.op) {
    case 'jump':
      return [terminator.target];
    case 'branch':
      return [terminator.ifTrue, terminator.ifFalse];
    case 'switch':
      return [terminator.default, ...terminator.cases.map(({ target }) => target)];
    default:
      return [];
  }
}

/** A depth-first search from one block, the root. */
interface DepthFirst {
  /** Reachable blocks, each after its successors, except along retreating edges. */
  readonly postOrder: readonly number[];
  /**
   * Head → sources of retreating edges to it. An edge is retreating if its head is on the path from the root to its
   * source.
   */
  readonly retreating: ReadonlyMap<number, ReadonlySet<number>>;
}

export function depthFirst(successors: readonly (readonly number[])[], root = 0): DepthFirst {
  const postOrder: number[] = [];
  const retreating = new Map<number, Set<number>>();
  const visited = new Set([root]);
  const open = new Set([root]);
  /** The path from the root, each block with the number of its successors that are done. */
  const path = [{ block: root, done: 0 }];
  while (path.length > 0) {
    const top = path.at(-1)!;
    const next = successors[top.block]![top.done++];
    if (next === undefined) {
      open.delete(top.block);
      path.pop();
      postOrder.push(top.block);
    } else if (open.has(next)) {
      retreating.set(next, (retreating.get(next) ?? new Set()).add(top.block));
    } else if (!visited.has(next)) {
      visited.add(next);
      open.add(next);
      path.push({ block: next, done: 0 });
    }
  }
  return { postOrder, retreating };
}

/** Fields of instructions that name a register to write. */
const DESTS = ['dest', 'success', 'timedOut'] as const;

export function forEachWritten(instruction: Instruction, visit: (register: number) => void): void {
  const { dest, success, timedOut } = instruction as { readonly [field in (typeof DESTS)[number]]?: number };
  if (dest !== undefined) visit(dest);
  if (success !== undefined) visit(success);
  if (timedOut !== undefined) visit(timedOut);
}

export function writtenRegisters(instruction: Instruction): number[] {
  const written: number[] = [];
  forEachWritten(instruction, (register) => written.push(register));
  return written;
}

/** An operand is any field that looks like one; `arguments` is a list of operands. */
export function forEachOperand(instruction: Instruction, visit: (operand: Operand) => void): void {
  const fields = instruction as unknown as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== 'object') continue;
    if (Array.isArray(value)) {
      for (const one of value) if (isOperand(one)) visit(one);
    } else if (isOperand(value)) visit(value);
  }
}

export function forEachRead(instruction: Instruction, visit: (register: number) => void): void {
  forEachOperand(instruction, (operand) => {
    if (operand.kind === 'register') visit(operand.index);
  });
}

export function readRegisters(instruction: Instruction): number[] {
  const read: number[] = [];
  forEachRead(instruction, (register) => read.push(register));
  return read;
}

function isOperand(value: unknown): value is Operand {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** The same instruction with other operands. */
export function mapOperands(instruction: Instruction, map: (operand: Operand) => Operand): Instruction {
  const fields: Record<string, unknown> = { ...instruction };
  for (const name in fields) {
    const value = fields[name];
    if (isOperand(value)) fields[name] = map(value);
    else if (name === 'arguments') fields[name] = (value as readonly Operand[]).map(map);
  }
  return fields as unknown as Instruction;
}

/** The same instruction with other registers, read and written. */
export function renameRegisters(instruction: Instruction, rename: (register: number) => number): Instruction {
  const renamed = mapOperands(instruction, (operand) =>
    operand.kind === 'register' ? { kind: 'register', index: rename(operand.index) } : operand,
  );
  const fields = renamed as { -readonly [field in (typeof DESTS)[number]]?: number };
  for (const name of DESTS) if (fields[name] !== undefined) fields[name] = rename(fields[name]);
  return renamed;
}

/** The same terminator with other targets. */
export function retarget(last: Instruction, to: (block: number) => number): Instruction {
  switch (last.op) {
    case 'jump':
      return { ...last, target: to(last.target) };
    case 'branch':
      return { ...last, ifTrue: to(last.ifTrue), ifFalse: to(last.ifFalse) };
    case 'switch': {
      const cases = last.cases.map(({ value, target }) => ({ value, target: to(target) }));
      return { ...last, cases, default: to(last.default) };
    }
    default:
      return last;
  }
}
