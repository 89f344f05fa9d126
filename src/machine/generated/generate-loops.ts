/**
 * Loops in which a thread could wait (`loops.ts`), in generated code. Iterations without a write are judged by
 * `LoopWatch`; an idle one is left to the interpreter.
 */

import * as op from '../code/opcodes.ts';
import { T_EVENTS, T_POKES, T_STACK, T_WRITES } from '../state/layout.ts';
import type { CodeText } from './code-text.ts';

/** The words of the frame that the mark at `pc` writes. */
export function writtenByLoop(words: Int32Array, pc: number): number[] {
  const record = words[pc + op.LOOPBACK_RECORD]!;
  const snapshot = Array.from({ length: words[pc + op.LOOPBACK_COUNT]! }, (_, i) => record + op.LOOP_SNAPSHOT + i);
  const count = words[pc] === op.LOOPENTER ? [record + op.LOOP_COUNT] : [];
  const own = [op.LOOP_VALID, op.LOOP_WRITES, op.LOOP_ROUNDS, op.LOOP_POKES, op.LOOP_STACK, op.LOOP_EVENTS];
  return [...count, ...own.map((field) => record + field), ...snapshot];
}

/** Only for loops that are watched for idle iterations and nothing else. `left` is as for every instruction. */
export function loopText(to: CodeText, pc: number, left: number): void {
  const record = to.words[pc + op.LOOPBACK_RECORD]!;
  const values = Array.from({ length: to.words[pc + op.LOOPBACK_COUNT]! }, (_, i) =>
    to.low(to.words[pc + op.LOOPBACK_LIST + i]!),
  );
  const place = (field: number): string => `w[f + ${record + field}]`;
  const changes = to.name(`w[T + ${T_WRITES}] - (w[T + ${T_POKES}] >> 1)`);
  if (to.words[pc] === op.LOOPENTER) to.line(`${place(op.LOOP_COUNT)} = 0; ${place(op.LOOP_ROUNDS)} = 0;`);
  else {
    const onlyRead = `${place(op.LOOP_VALID)} !== 0 && ${place(op.LOOP_WRITES)} === ${changes}`;
    to.line(`if (${onlyRead}) { if (L.hasReturned(t, f, ${pc})) return r.interpret(t, ${pc}, b + ${left}); }`);
    const undoes = to.words[pc + op.LOOPBACK_UNDOES] !== 0;
    const leaves = `if (L.hasUndone(t, f, ${pc})) return r.interpret(t, ${pc}, b + ${left}); `;
    to.line(`else { ${undoes ? leaves : ''}${place(op.LOOP_ROUNDS)} = 0; }`);
  }
  to.line(`${place(op.LOOP_VALID)} = 1; ${place(op.LOOP_WRITES)} = ${changes};`);
  to.line(`${place(op.LOOP_POKES)} = w[T + ${T_POKES}]; ${place(op.LOOP_STACK)} = w[T + ${T_STACK}];`);
  to.line(`${place(op.LOOP_EVENTS)} = w[T + ${T_EVENTS}];`);
  for (const [i, value] of values.entries()) to.line(`${place(op.LOOP_SNAPSHOT + i)} = ${value};`);
}
