/** Collects everything that a test observes at the end. */
import { sizeOf } from '../../program/types.ts';
import type { LocationName, Named, PropositionSyntax, RegisterName, TestSyntax, TypeSyntax } from './ast.ts';
import { integerOfSize } from './c-types.ts';
import { bytes } from './decode.ts';
import { ADDRESS_SIZE, type Layout } from './layout.ts';
import { labelOf, type Observed, type ObservedLocation, type ObservedRegister } from './observed.ts';
import type { Piece, Source } from './source.ts';

/** What is observed of a thread. */
export interface ObservedThread {
  /** Gives its registers by name. */
  readonly frame: { whole(family: string): number };
  /** The names that may be observed, if not all. */
  readonly names?: ReadonlySet<string>;
}

/** Collects everything observed. Registers that no code mentions are created here, so threads must still be open. */
export function observe(
  source: Source,
  test: TestSyntax,
  layout: Layout,
  threads: readonly ObservedThread[],
): readonly Observed[] {
  const collector = new Collector(source, test, layout, threads);
  for (const { target } of test.locations) collector.addListed(target);
  for (const proposition of [test.filter, test.condition?.proposition]) {
    if (proposition !== undefined) collector.addProposition(proposition);
  }
  return collector.sorted();
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Entry = Mutable<ObservedRegister> | Mutable<ObservedLocation>;

class Collector {
  private readonly source: Source;
  private readonly layout: Layout;
  private readonly threads: readonly ObservedThread[];
  private readonly entries: Map<string, Entry> = new Map();
  /** Types given to registers, by label; a type in `locations` overrides one in the initial state. */
  private readonly types: Map<string, TypeSyntax> = new Map();
  /** Whole registers that start as addresses, keyed like `0:rax`. */
  private readonly pointers: Set<string> = new Set();
  /** Entry → the entries that it is compared with; in both directions. */
  private readonly compared: Map<Entry, Entry[]> = new Map();
  /** Arrays that are listed as a whole. */
  private readonly arrays: Map<string, readonly Entry[]> = new Map();

  constructor(source: Source, test: TestSyntax, layout: Layout, threads: readonly ObservedThread[]) {
    this.source = source;
    this.layout = layout;
    this.threads = threads;
    for (const { target, type, values } of [...test.init, ...test.locations.map((item) => ({ ...item, values: [] }))]) {
      if (target.kind === 'location') continue;
      if (type !== undefined) this.addType(target, type);
      const isAddress = values?.[0]?.kind === 'address';
      if (isAddress) this.pointers.add(`${target.thread}:${target.part.family}`);
    }
  }

  /** `locations [a;]` observes all elements of an array. */
  addListed(target: Named): void {
    if (target.kind === 'location' && target.index === undefined) this.addElements(target);
    else this.add(target);
  }

  addProposition(proposition: PropositionSyntax): void {
    switch (proposition.kind) {
      case 'equal': {
        const { left, right } = proposition;
        const entry = this.addScalar(left);
        if (right.kind === 'address') this.comparePointer(entry, right);
        else if (right.kind !== 'number') this.link(entry, this.addScalar(right));
        return;
      }
      case 'elements': {
        const { left, values } = proposition;
        const elements = this.addElements(left);
        const { count } = this.layout.variable(left.name);
        if (count === undefined) throw this.source.error(left, 'an array, as it is compared with a list');
        if (count !== values.length) throw this.source.error(left, `an array of ${values.length} elements`);
        values.forEach((value, i) => {
          if (value.kind === 'address') this.comparePointer(elements[i]!, value);
        });
        return;
      }
      case 'not':
        return this.addProposition(proposition.operand);
      case 'implies':
        this.addProposition(proposition.left);
        return this.addProposition(proposition.right);
      case 'and':
      case 'or':
        for (const operand of proposition.operands) this.addProposition(operand);
    }
  }

  /** Registers by thread and name, then locations by name and index. */
  sorted(): readonly Observed[] {
    this.spreadPointers();
    const compareNames = (a: string, b: string) => (a < b ? -1 : Number(a > b));
    return [...this.entries.values()].sort((a, b) => {
      if (a.kind === 'register' && b.kind === 'register') return a.root - b.root || compareNames(a.label, b.label);
      if (a.kind === 'location' && b.kind === 'location') {
        const [nameA, nameB] = [a.label.split('[')[0]!, b.label.split('[')[0]!];
        return compareNames(nameA, nameB) || a.offset - b.offset;
      }
      return a.kind === 'register' ? -1 : 1;
    });
  }

  /** What is compared with a pointer must be a pointer, too; otherwise a name would be compared with a number. */
  private spreadPointers(): void {
    const pending = [...this.compared.keys()].filter(({ pointer }) => pointer);
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      for (const partner of this.compared.get(entry)!) {
        if (!partner.pointer) pending.push(partner);
        partner.pointer = true;
      }
    }
  }

  private comparePointer(entry: Entry, address: Piece): void {
    if (sizeOf(entry.type) < ADDRESS_SIZE) throw this.source.error(address, 'a number; an address is larger than this');
    entry.pointer = true;
  }

  private addScalar(named: Named): Entry {
    if (
      named.kind === 'location' &&
      named.index === undefined &&
      this.layout.variable(named.name).count !== undefined
    ) {
      throw this.source.error(named, 'an element of the array, such as a[0]');
    }
    return this.add(named);
  }

  private addElements(target: LocationName): readonly Entry[] {
    const { count } = this.layout.variable(target.name);
    if (count === undefined) return [this.add(target)];
    const known = this.arrays.get(target.name);
    if (known !== undefined) return known;
    const elements = Array.from({ length: count }, (_, index) => this.add({ ...target, index }));
    this.arrays.set(target.name, elements);
    return elements;
  }

  private link(a: Entry, b: Entry): void {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const linked = this.compared.get(from);
      if (linked === undefined) this.compared.set(from, [to]);
      else linked.push(to);
    }
  }

  private add(named: Named): Entry {
    const label = labelOf(named);
    const known = this.entries.get(label);
    if (known !== undefined) return known;
    const entry = named.kind === 'register' ? this.makeRegister(named, label) : this.makeLocation(named, label);
    this.entries.set(label, entry);
    return entry;
  }

  private makeRegister(named: RegisterName, label: string): Entry {
    const { part } = named;
    const thread = this.threadOf(named);
    const type = this.types.get(label);
    const size = type?.size ?? part.bits / 8;
    const startsAsAddress = size >= ADDRESS_SIZE && this.pointers.has(`${named.thread}:${part.family}`);
    return {
      kind: 'register',
      label,
      root: named.thread,
      register: thread.frame.whole(part.family),
      type: integerOfSize(size),
      shift: part.shift,
      pointer: (type?.pointer ?? false) || startsAsAddress,
    };
  }

  private makeLocation(named: LocationName, label: string): Entry {
    const variable = this.layout.variable(named.name);
    const offset = this.layout.offsetOf(variable, named.index, named);
    return { kind: 'location', label, global: variable.global, offset, type: variable.type, pointer: variable.pointer };
  }

  private addType(target: RegisterName, type: TypeSyntax): void {
    if (type.size > target.part.bits / 8) {
      throw this.source.error(type, `a type of at most ${bytes(target.part.bits / 8)} for this register`);
    }
    this.threadOf(target);
    this.types.set(labelOf(target), type);
  }

  private threadOf(named: RegisterName): ObservedThread {
    const thread = this.threads[named.thread];
    if (thread === undefined) throw this.source.error(named, noThread(this.threads.length));
    if (thread.names?.has(named.part.name) === false) {
      throw this.source.error(named, `a variable of thread ${named.thread}`);
    }
    return thread;
  }
}

/** The message for a thread that does not exist. */
export function noThread(threads: number): string {
  return threads === 1 ? 'a register of thread 0, the only one' : `a register of a thread from 0 to ${threads - 1}`;
}
