import type { LBlock, LInstruction } from './module.ts';

/** The blocks to which the last instruction of a block can lead. */
export function targetsOf(last: LInstruction | undefined): readonly string[] {
  switch (last?.op) {
    case 'br':
      return [last.target];
    case 'condbr':
      return [last.ifTrue, last.ifFalse];
    case 'switch':
      return [last.default, ...last.cases.map(({ target }) => target)];
    case 'indirectbr':
      return last.targets;
    case 'invoke':
      return [last.normal, last.unwind];
    default:
      return [];
  }
}

/** The same by numbers, for each block. */
export function successorsOf(blocks: readonly LBlock[]): readonly (readonly number[])[] {
  const numbers = new Map(blocks.map(({ name }, number) => [name, number]));
  return blocks.map(({ body }) => targetsOf(body.at(-1)).flatMap((name) => numbers.get(name) ?? []));
}
