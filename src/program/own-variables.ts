/**
 * Thread-local variables whose addresses are used for nothing but to load and store them: no other thread can reach them,
 * so accesses are private, like those of a local object. docs/decisions/0047-pauses.md has the argument.
 */
import { Addresses, type PlainAccess } from './addresses.ts';
import { forEachOperand } from './flow.ts';
import { type Func, type Instruction, type Program, typeOf } from './ir.ts';
import { sizeOf } from './types.ts';

export function privateThreadLocals(program: Program): Program {
  const own = new Set(program.globals.flatMap(({ threadLocal }, global) => (threadLocal === true ? [global] : [])));
  for (const { relocations = [] } of program.globals)
    for (const { target } of relocations) if (target.kind === 'global') own.delete(target.index);
  if (own.size === 0) return program;
  const all = program.functions.map((func) => new Addresses(func));
  for (const [f, func] of program.functions.entries()) findOthers(program, func, all[f]!, own);
  if (own.size === 0) return program;
  const functions = program.functions.map((func, f): Func => {
    const addresses = all[f]!;
    const isOwn = (i: Instruction): i is PlainAccess =>
      (i.op === 'load' || i.op === 'store') && globalAt(addresses, i) !== undefined && own.has(globalAt(addresses, i)!);
    if (!func.blocks.some(({ body }) => body.some(isOwn))) return func;
    const blocks = func.blocks.map(({ name, body }) => ({
      name,
      body: body.map((i) => (isOwn(i) ? asPrivate(i) : i)),
    }));
    return { ...func, blocks };
  });
  return { ...program, functions };
}

/** Removes variables that are used in other ways. */
function findOthers(program: Program, func: Func, addresses: Addresses, own: Set<number>): void {
  for (const base of addresses.escaped) if (base.op === 'threadlocal') own.delete(base.global);
  for (const { body } of func.blocks) {
    for (const i of body) {
      forEachOperand(i, (operand) => {
        if (operand.kind === 'global') own.delete(operand.index);
      });
      // In a register that is written elsewhere, too, the address could be taken for another one.
      if (i.op === 'threadlocal' && addresses.of({ kind: 'register', index: i.dest }) === undefined)
        own.delete(i.global);
      if (i.op !== 'load' && i.op !== 'store') continue;
      const global = globalAt(addresses, i);
      if (global === undefined) continue;
      const { offset } = addresses.of(i.address)!;
      const type = i.op === 'load' ? func.registers[i.dest]!.type : typeOf(func, i.value)!;
      // An access outside is an error that names the variable.
      if (offset < 0 || offset + sizeOf(type) > program.globals[global]!.size) own.delete(global);
    }
  }
}

function globalAt(addresses: Addresses, i: Instruction & { op: 'load' | 'store' }): number | undefined {
  const base = addresses.of(i.address)?.base;
  return base?.op === 'threadlocal' ? base.global : undefined;
}

function asPrivate(i: PlainAccess): Instruction {
  const place = i.location === undefined ? {} : { location: i.location };
  if (i.op === 'load') return { op: 'peek', dest: i.dest, address: i.address, ...place };
  return i.op === 'store' ? { op: 'poke', address: i.address, value: i.value, ...place } : i;
}
