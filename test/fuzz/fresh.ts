/**
 * The form of a generated program in which much depends on values that were never written: more values come from
 * registers, which have no initial value, and threads branch on what they read from fresh memory or get from threads
 * that have ended.
 */
import { type Body, blocksOf, type FuzzProgram, REGISTERS, type Statement, type Value, withBlocks } from './ast.ts';
import { Dice } from './random.ts';

/**
 * The change of a statement depends only on the statement and the seed, so that shrunk programs keep the same
 * statements.
 */
export function withFreshValues(program: FuzzProgram): FuzzProgram {
  const change = (body: Body): Body => body.flatMap((statement) => changed(statement, program.seed, change));
  return { ...program, threads: program.threads.map(change) };
}

function changed(statement: Statement, seed: number, change: (body: Body) => Body): readonly Statement[] {
  const dice = new Dice(seed ^ hashOf(JSON.stringify(statement)));
  const inside = withBlocks(statement, blocksOf(statement).map(change));
  const fresh = (value: Value): Value =>
    value.reg < 0 && dice.chance(0.3) ? { ...value, reg: dice.below(REGISTERS) } : value;
  switch (inside.op) {
    case 'store':
    case 'rmw':
      return [{ ...inside, value: fresh(inside.value) }];
    case 'cas':
      return [{ ...inside, expected: fresh(inside.expected), desired: fresh(inside.desired) }];
    case 'join': {
      const to = dice.chance(0.5) ? dice.below(REGISTERS) : inside.to;
      return [{ ...inside, to }, ...look(to, 0.5, dice)];
    }
    case 'load':
      return [inside, ...look(inside.to, 0.1, dice)];
    case 'usePointer':
      return inside.writes ? [inside] : [inside, ...look(inside.to, 0.5, dice)];
    default:
      return [inside];
  }
}

/** Perhaps adds a branch on the register. */
function look(reg: number, chance: number, dice: Dice): readonly Statement[] {
  if (reg < 0 || !dice.chance(chance)) return [];
  return [{ op: 'if', reg, equals: dice.below(3), yes: [{ op: 'fence', order: 'acquire' }], no: [] }];
}

function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
