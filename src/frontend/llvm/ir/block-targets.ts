import type { LInstruction } from './module.ts';

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
