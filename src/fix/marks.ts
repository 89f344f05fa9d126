/**
 * Marks: calls of a function that does nothing, inserted in the text wherever a fence could go. Their positions in the
 * compiled program tell where those places are in the program form, so nothing is guessed from line numbers.
 *
 * `markGaps` inserts them; after compilation, `readMarks` removes them, which leaves the program without marks, and
 * returns where they were.
 */
import type { Instruction, Program } from '../program/ir.ts';
import type { Position } from './candidates.ts';
import type { Gap } from './statements.ts';
import { insertion, type TextEdit } from './text.ts';

/** The function that marks call. */
export const MARK = '__fencepost_point';

/** The definition of `MARK`, to be compiled with the marked files. */
export const MARK_SOURCE: string = `#ifdef __cplusplus
extern "C"
#endif
void ${MARK}(int n) { (void)n; }
`;

/**
 * So that a declaration inside a C++ namespace means the same function, and calls need no landing pad, which would end
 * the block.
 */
const CALLED = `__asm__("${MARK}")__attribute__((__nothrow__))`;

/** The edits that insert code into gaps, with the braces that it needs. */
export function fillGaps(codes: ReadonlyMap<Gap, string>): TextEdit[] {
  const bodies = new Map<NonNullable<Gap['body']>, { before: string; after: string }>();
  const plain: TextEdit[] = [];
  for (const [gap, code] of codes) {
    if (gap.body === undefined) {
      plain.push(insertion(gap.offset, gap.behindPragma === undefined ? code : `${code.trimEnd()}\n`));
      continue;
    }
    const body = bodies.get(gap.body) ?? { before: '', after: '' };
    bodies.set(gap.body, body);
    body[gap.isLast ? 'after' : 'before'] = code;
  }
  const nested = [...bodies].sort(([a], [b]) => a.start - b.start);
  return [
    // If several bodies end at one place, close the inner ones first, and all of them before anything that follows.
    ...nested
      .toReversed()
      .map(([{ end }, { after }]) => insertion(end, `${after === '' ? '' : ` ${after.trimEnd()}`} }`)),
    // A directive needs its own line.
    ...nested.map(([{ start, hasPragma }, { before }]) =>
      insertion(start, hasPragma ? `{ ${before.trimEnd()}\n` : `{ ${before}`),
    ),
    ...plain,
  ];
}

/** The edits that mark these gaps with these numbers. */
export function markGaps(gaps: ReadonlyMap<Gap, number>, isCxx: boolean): TextEdit[] {
  const declared = `extern void ${MARK}(int)${isCxx ? CALLED : ''};`;
  return fillGaps(new Map([...gaps].map(([gap, number]) => [gap, `{${declared}${MARK}(${number});}`])));
}

/** The program without its marks, and where they were, by number. */
export function readMarks(marked: Program): { program: Program; points: ReadonlyMap<number, readonly Position[]> } {
  const mark = marked.functions.findIndex(({ name }) => name === MARK);
  const points = new Map<number, Position[]>();
  const functions = marked.functions.map((f, func) => {
    const blocks = f.blocks.map((b, block) => {
      const body: Instruction[] = [];
      for (const instruction of b.body) {
        const number = mark < 0 ? undefined : markNumber(instruction, mark);
        if (number === undefined) {
          body.push(instruction);
          continue;
        }
        const positions = points.get(number) ?? [];
        points.set(number, positions);
        positions.push({ func, block, index: body.length });
      }
      return body.length === b.body.length ? b : { ...b, body };
    });
    return { ...f, blocks };
  });
  return { program: { ...marked, functions }, points };
}

function markNumber(instruction: Instruction, mark: number): number | undefined {
  if (instruction.op !== 'call' || instruction.callee.kind !== 'function' || instruction.callee.index !== mark) return;
  const [argument] = instruction.arguments;
  return argument?.kind === 'constant' ? Number(argument.value) : undefined;
}
