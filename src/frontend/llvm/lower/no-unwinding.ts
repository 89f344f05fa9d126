/**
 * C++ code with exceptions, which are not modelled: an execution that throws ends there, without a verdict
 * (`lib/cxx-throw.c`). So no function is ever left by an exception, a call that could be (`invoke`) goes on as any other, and
 * nothing that handles exceptions is reached; it is left out here.
 */
import type { LBlock, LFunction, LInstruction, Module } from '../ir/module.ts';
import { targetsOf } from './block-targets.ts';

/** The text of a module with calls and jumps for its `invoke`s, which stand on two lines. */
export function withoutInvokes(ir: string): string {
  return ir.replace(
    /^( {2}(?:%[\w.$-]+ = )?)invoke (.*)\n {10}to label (%\S+) unwind label [^\s,]+(,.*)?$/gm,
    (_, start: string, call: string, next: string, metadata = '') =>
      `${start}call ${call}${metadata}\n  br label ${next}${metadata}`,
  );
}

/** Throwing begins with one of these calls; they do not return. */
const THROWS = ['__cxa_allocate_exception', '__cxa_rethrow'];

export function withoutHandlers(module: Module): Module {
  const functions = new Map(Array.from(module.functions, ([name, func]) => [name, withoutUnreached(func)]));
  return { ...module, functions };
}

function withoutUnreached(func: LFunction): LFunction {
  if (func.blocks.length === 0) return func;
  const blocks = func.blocks.map(({ name, body }) => ({ name, body: upToThrow(body) }));
  const byName = new Map(blocks.map((block) => [block.name, block]));
  const reached = new Set([blocks[0]!.name]);
  for (const name of reached) for (const next of targetsOf(byName.get(name)!.body.at(-1))) reached.add(next);
  const kept = blocks.filter(({ name }) => reached.has(name));
  // A jump that is left out no longer comes before a block that stays.
  const from = new Map(kept.map(({ name, body }) => [name, new Set(targetsOf(body.at(-1)))]));
  return { ...func, blocks: kept.map((block) => withoutWays(block, from)) };
}

function upToThrow(body: readonly LInstruction[]): readonly LInstruction[] {
  const at = body.findIndex((i) => i.op === 'call' && i.callee.kind === 'global' && THROWS.includes(i.callee.name));
  if (at < 0) return body;
  const { place, textLine } = body[at]!;
  return [...body.slice(0, at + 1), { op: 'unreachable', textLine, ...(place && { place }) }];
}

function withoutWays({ name, body }: LBlock, from: ReadonlyMap<string, ReadonlySet<string>>): LBlock {
  return {
    name,
    body: body.map((i) =>
      i.op === 'phi' ? { ...i, incoming: i.incoming.filter(({ block }) => from.get(block)?.has(name) === true) } : i,
    ),
  };
}
