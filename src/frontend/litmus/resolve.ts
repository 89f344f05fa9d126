/** Resolves the names in the condition and the filter. */
import { bitsOf, type Type } from '../../program/types.ts';
import type { Named, PropositionSyntax, ValueSyntax } from './ast.ts';
import type { Proposition, StateValue } from './condition.ts';
import type { Layout } from './layout.ts';
import { labelOf, type Observed } from './observed.ts';

/** Turns propositions about names into propositions about `observed`. */
export class Resolver {
  private readonly observed: readonly Observed[];
  private readonly indices: ReadonlyMap<string, number>;
  private readonly layout: Layout;

  /** Everything that the propositions name must be observed. */
  constructor(observed: readonly Observed[], layout: Layout) {
    this.observed = observed;
    this.indices = new Map(observed.map(({ label }, i) => [label, i]));
    this.layout = layout;
  }

  resolve(proposition: PropositionSyntax): Proposition {
    switch (proposition.kind) {
      case 'equal':
        return this.equal(proposition.left, proposition.right);
      case 'elements': {
        const { left, values } = proposition;
        return { kind: 'and', operands: values.map((value, index) => this.equal({ ...left, index }, value)) };
      }
      case 'not':
        return { kind: 'not', operand: this.resolve(proposition.operand) };
      case 'implies':
        return { kind: 'implies', left: this.resolve(proposition.left), right: this.resolve(proposition.right) };
      case 'and':
      case 'or':
        return { kind: proposition.kind, operands: proposition.operands.map((operand) => this.resolve(operand)) };
    }
  }

  private equal(left: Named, right: ValueSyntax | Named): Proposition {
    const index = this.indices.get(labelOf(left))!;
    if (right.kind === 'register' || right.kind === 'location') {
      return { kind: 'same', left: index, right: this.indices.get(labelOf(right))! };
    }
    return { kind: 'value', observed: index, value: this.stateValue(this.observed[index]!.type, right) };
  }

  /** Numbers are taken modulo 2^bits, so 255 and -1 are the same for a `uint8_t`. */
  private stateValue(type: Type, value: ValueSyntax): StateValue {
    if (value.kind === 'number') {
      const signed = BigInt.asIntN(bitsOf(type), value.value);
      return type === 'i64' ? signed : Number(signed);
    }
    const { count } = this.layout.variable(value.name);
    this.layout.address(value);
    // The first element of an array has the address of the array.
    return count === undefined || !value.index ? value.name : `${value.name}[${value.index}]`;
  }
}
