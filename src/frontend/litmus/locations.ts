/** Collects the memory locations that a test names, in order of first mention, and everything it says about them. */
import type { InitItem, Named, PropositionSyntax, TestSyntax, TypeSyntax, ValueSyntax } from './ast.ts';
import { bytes, type Decoded, type Immediate, type Operation, type Place } from './decode.ts';
import type { Piece, Source } from './source.ts';

export interface LocationFacts {
  readonly first: Piece;
  type: TypeSyntax | undefined;
  /** Declared as a pointer somewhere. */
  pointer: boolean;
  /** Number of elements, for arrays. */
  count: number | undefined;
  values: readonly ValueSyntax[] | undefined;
  /** Bytes of the widest access whose size and location are evident from the code; 0 if there is none. */
  widest: number;
}

export function gatherLocations(
  source: Source,
  test: TestSyntax,
  code: readonly (readonly Decoded[])[],
): ReadonlyMap<string, LocationFacts> {
  const gatherer = new Gatherer(source);
  for (const item of test.init) gatherer.addInit(item);
  const pointees = findPointees(test);
  code.forEach((thread, i) => {
    for (const decoded of thread) gatherer.addInstruction(decoded, (register) => pointees.get(`${i}:${register}`));
  });
  for (const { target, type } of test.locations) gatherer.addObserved(target, type);
  if (test.filter !== undefined) gatherer.addProposition(test.filter);
  if (test.condition !== undefined) gatherer.addProposition(test.condition.proposition);
  return gatherer.facts;
}

class Gatherer {
  readonly facts: Map<string, LocationFacts> = new Map();
  private readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  /** `int x; x=1;` says two things about x; `x=0; x=1;` says one thing twice. */
  addInit({ target, type, count, values }: InitItem): void {
    for (const value of values ?? []) this.mentionAddress(value);
    if (target.kind === 'register') return;
    const fact = this.mention(target.name, target);
    if (type !== undefined && fact.type !== undefined) throw this.source.error(target, 'only one declaration of it');
    if (values !== undefined && fact.values !== undefined) throw this.source.error(target, 'only one initial value');
    fact.type ??= type;
    fact.pointer ||= type?.pointer ?? false;
    fact.count ??= count;
    fact.values ??= values;
    if (fact.values !== undefined && fact.values.length !== (fact.count ?? 1)) {
      throw this.source.error(target, 'the values of an array where it is declared');
    }
  }

  addInstruction({ operation, size }: Decoded, pointeeOf: (family: string) => string | undefined): void {
    for (const operand of operandsOf(operation)) {
      this.mentionAddress(operand);
      if (operand.kind !== 'memory') continue;
      if (operand.symbol !== undefined) this.mention(operand.symbol.text, operand.symbol);
      if (operation.kind === 'load address') continue;
      // In an access through a register, the location is known only if the register starts as its address.
      const direct = operand.index === undefined ? operand.base && pointeeOf(operand.base.part.family) : undefined;
      const fact = this.facts.get(operand.symbol?.text ?? direct ?? '');
      const accessed = operation.kind === 'extend' ? (operation.from ?? operand.size) : size;
      if (fact !== undefined) fact.widest = Math.max(fact.widest, accessed ?? 0);
    }
  }

  /** A type in `locations [x int;]` declares x unless the initial state has done so. */
  addObserved(target: Named, type?: TypeSyntax): void {
    if (target.kind === 'register') return;
    const fact = this.mention(target.name, target);
    if (type === undefined) return;
    if (fact.type !== undefined && fact.type.size !== type.size) {
      throw this.source.error(type, `a type of ${bytes(fact.type.size)}, as in its declaration`);
    }
    fact.type ??= type;
    fact.pointer ||= type.pointer;
  }

  addProposition(proposition: PropositionSyntax): void {
    switch (proposition.kind) {
      case 'equal':
        this.addObserved(proposition.left);
        if (proposition.right.kind === 'location') this.addObserved(proposition.right);
        else this.mentionAddress(proposition.right);
        return;
      case 'elements':
        this.addObserved(proposition.left);
        for (const value of proposition.values) this.mentionAddress(value);
        return;
      case 'not':
        this.addProposition(proposition.operand);
        return;
      case 'implies':
        this.addProposition(proposition.left);
        this.addProposition(proposition.right);
        return;
      case 'and':
      case 'or':
        for (const operand of proposition.operands) this.addProposition(operand);
    }
  }

  private mentionAddress(operand: Place | Immediate | Named): void {
    if (operand.kind === 'address') this.mention(operand.name, operand);
  }

  private mention(name: string, { at }: Piece): LocationFacts {
    const known = this.facts.get(name);
    if (known !== undefined) return known;
    const first = { at, text: name };
    const fresh = { first, type: undefined, pointer: false, count: undefined, values: undefined, widest: 0 };
    this.facts.set(name, fresh);
    return fresh;
  }
}

/** Whole registers, with keys such as `0:rax`, → the location whose address they start as. */
function findPointees(test: TestSyntax): ReadonlyMap<string, string> {
  const pointees = new Map<string, string>();
  for (const { target, values } of test.init) {
    const value = values?.[0];
    if (target.kind === 'register' && value?.kind === 'address') {
      pointees.set(`${target.thread}:${target.part.family}`, value.name);
    }
  }
  return pointees;
}

function operandsOf(operation: Operation): readonly (Place | Immediate)[] {
  switch (operation.kind) {
    case 'move':
    case 'extend':
    case 'load address':
    case 'arithmetic':
    case 'exchange':
    case 'exchange-add':
    case 'compare-exchange':
      return [operation.dest, operation.source];
    case 'step':
      return [operation.dest];
    case 'compare':
      return [operation.left, operation.right];
    default:
      return [];
  }
}
