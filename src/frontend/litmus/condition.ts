/** The question a litmus test asks about its final states, and the answer to it. */
import type { Location } from '../../program/location.ts';

/**
 * The final value of a register or location: a signed integer (a `bigint` for `i64`), or the name of a
 * location, such as `x` or `a[1]`, for its address.
 */
export type StateValue = number | bigint | string;

/** Numbers such as `observed` are indices into `LitmusTest.observed`. */
export type Proposition =
  | { readonly kind: 'value'; readonly observed: number; readonly value: StateValue }
  | { readonly kind: 'same'; readonly left: number; readonly right: number }
  | { readonly kind: 'not'; readonly operand: Proposition }
  /** An empty `and` is true, an empty `or` is false. */
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Proposition[] }
  | { readonly kind: 'implies'; readonly left: Proposition; readonly right: Proposition };

export interface Condition {
  readonly quantifier: 'exists' | '~exists' | 'forall';
  readonly proposition: Proposition;
  /** As written, quantifier included. */
  readonly text: string;
  readonly location: Location;
}

/** Whether the proposition is true of a final state; `values[i]` is the value of `observed[i]`. */
export function evaluate(proposition: Proposition, values: readonly StateValue[]): boolean {
  switch (proposition.kind) {
    case 'value':
      return isSame(values[proposition.observed]!, proposition.value);
    case 'same':
      return isSame(values[proposition.left]!, values[proposition.right]!);
    case 'not':
      return !evaluate(proposition.operand, values);
    case 'and':
      return proposition.operands.every((operand) => evaluate(operand, values));
    case 'or':
      return proposition.operands.some((operand) => evaluate(operand, values));
    case 'implies':
      return !evaluate(proposition.left, values) || evaluate(proposition.right, values);
  }
}

/**
 * The answer, given whether the proposition holds in each final state that satisfies the filter. One state can settle
 * it; otherwise these must be all states, or the answer is `null`.
 */
export function answer(
  quantifier: Condition['quantifier'],
  holds: readonly boolean[],
  areAll: boolean,
): boolean | null {
  if (holds.includes(quantifier !== 'forall')) return quantifier === 'exists';
  return areAll ? quantifier !== 'exists' : null;
}

/** An i32 and an i64 can contain the same number. */
function isSame(a: StateValue, b: StateValue): boolean {
  if (typeof a === typeof b || typeof a === 'string' || typeof b === 'string') return a === b;
  return BigInt(a) === BigInt(b);
}
