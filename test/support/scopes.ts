/**
 * Programs of nested blocks with pointers to their variables and compound literals, and their meaning in C: a separate
 * interpreter runs each program on objects that begin at their declarations, without a value, and end with their
 * blocks. Jumps lead past declarations, into blocks and back; a block that is not left keeps its objects.
 */
import type { Prng } from '../../src/util/prng.ts';

type Statement =
  | { readonly op: 'declare'; readonly name: string; readonly isArray: boolean; readonly value?: number }
  | { readonly op: 'set' | 'fill' | 'fill-if'; readonly name: string; readonly value: number }
  | { readonly op: 'use'; readonly name: string }
  | { readonly op: 'take'; readonly name: string; readonly pointer: Pointer }
  | { readonly op: 'read'; readonly pointer: Pointer }
  | { readonly op: 'write'; readonly pointer: Pointer; readonly value: number }
  | Body<'block' | 'loop' | 'if'>
  /** A literal in the condition, and a block. */
  | (Body<'if-literal' | 'loop-literal'> & { readonly pointer: Pointer; readonly value: number })
  | { readonly op: 'literal'; readonly pointer: Pointer; readonly value: number; readonly isArray: boolean }
  /** A block that runs twice, by a jump back to its beginning. */
  | (Body<'again'> & { readonly label: number })
  /** A variable whose declaration is jumped past on every way to its use, or on one of two. */
  | (Body<'switch' | 'into'> & {
      readonly label: number;
      readonly name: string;
      readonly value: number;
      readonly falls: boolean;
      readonly second: readonly Statement[];
    })
  | { readonly op: 'count' | 'break' | 'continue' | 'out' | 'return' };

interface Body<Op extends string> {
  readonly op: Op;
  readonly rounds: number;
  readonly body: readonly Statement[];
}

/** Two global variables, a local one, and an element of a local array. */
const POINTERS = ['first', 'second', 'own', 'owns[1]'] as const;
type Pointer = (typeof POINTERS)[number];

export interface Sketch {
  readonly body: readonly Statement[];
}

export type Answer = 'right' | 'ended' | 'unwritten';

export const SKETCH_HEAD = `static int zero, start, sum, *first, *second;
static void use(int v) { if (v) sum++; }
static void fill(int *p, int v) { *p = v; }
static void fill_if(int c, int *p, int v) { if (c) *p = v; }
`;

export function randomSketch(random: Prng): Sketch {
  let names = 0;
  let labels = 0;
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  /** The body of a switch, or of a block that jumps lead into, declares nothing. */
  const flat = (visible: readonly Variable[], name: string, depth: number): readonly Statement[] => {
    const known = [...visible, { name, isArray: false }];
    const body: Statement[] = [];
    for (let left = 1 + random.below(3); left > 0; left--) {
      const [pointer, value] = [pick(POINTERS), random.below(3)];
      const kind = random.below(8);
      if (kind < 3) body.push({ op: 'take', name, pointer });
      else if (kind === 3) body.push({ op: 'literal', pointer, value, isArray: random.below(2) === 0 });
      else if (kind === 4) body.push({ op: 'read', pointer });
      else if (kind === 5) body.push({ op: 'use', name });
      else if (depth < 3) body.push({ op: 'block', rounds: 1, body: block(known, depth + 1, false) });
    }
    return body;
  };
  const block = (
    visible: readonly Variable[],
    depth: number,
    inLoop: boolean,
    isWritten = false,
  ): readonly Statement[] => {
    const known = [...visible];
    const body: Statement[] = [];
    for (let left = 2 + random.below(5); left > 0; left--) {
      const kind = random.below(30);
      const [name, value] = [known.length === 0 ? '' : pick(known).name, random.below(3)];
      if (kind < 4 || name === '') {
        const made = { name: `v${names++}`, isArray: random.below(3) === 0 };
        body.push({ op: 'declare', ...made, ...(random.below(4) > 0 || isWritten ? { value } : {}) });
        known.push(made);
      } else if (kind < 6 || kind === 20) body.push({ op: 'take', name, pointer: pick(POINTERS) });
      else if (kind === 6) body.push({ op: 'set', name, value });
      else if (kind === 7) body.push({ op: pick(['fill', 'fill-if']), name, value });
      else if (kind === 8) body.push({ op: 'use', name });
      else if (kind === 9) body.push({ op: 'read', pointer: pick(POINTERS) });
      else if (kind === 10 || kind === 21) body.push({ op: 'write', pointer: pick(POINTERS), value });
      else if (kind === 11) body.push({ op: 'count' });
      else if (kind === 12 && depth > 0) {
        body.push({
          op: 'if',
          rounds: 1,
          body: [{ op: pick(inLoop ? ['break', 'continue', 'out', 'return'] : ['out', 'return']) }],
        });
      } else if (kind >= 22 && kind < 25) {
        body.push({ op: 'literal', pointer: pick(POINTERS), value, isArray: random.below(3) === 0 });
      } else if (kind >= 25 && depth < 3) {
        const label = labels++;
        const inner = { rounds: 2, label, pointer: pick(POINTERS), value };
        if (kind === 25) body.push({ op: 'again', ...inner, body: block(known, depth + 1, inLoop, true) });
        else if (kind === 26) {
          const op = pick(['if-literal', 'loop-literal'] as const);
          body.push({ op, ...inner, body: block(known, depth + 1, inLoop || op === 'loop-literal') });
        } else {
          const op = pick(['switch', 'switch', 'into'] as const);
          const made = `v${names++}`;
          const second = op === 'into' ? [] : flat(known, made, depth + 1);
          body.push({
            op,
            ...inner,
            name: made,
            falls: random.below(2) === 0,
            body: flat(known, made, depth + 1),
            second,
          });
        }
        if (random.below(2) === 0) body.push({ op: 'read', pointer: pick(POINTERS) });
      } else if (depth < 3) {
        const op = pick(['block', 'loop', 'loop', 'if'] as const);
        body.push({ op, rounds: 2 + random.below(2), body: block(known, depth + 1, inLoop || op === 'loop') });
        if (random.below(2) === 0) body.push({ op: 'read', pointer: pick(POINTERS) });
      }
    }
    if (known.length > 0 && random.below(2) === 0)
      body.push({ op: 'take', name: pick(known).name, pointer: pick(POINTERS) });
    return body;
  };
  return { body: block([], 0, false) };
}

interface Variable {
  readonly name: string;
  readonly isArray: boolean;
}

// ---- as C

export function printFunction(name: string, { body }: Sketch): string {
  const arrays = new Set<string>();
  const at = (variable: string): string => (arrays.has(variable) ? `${variable}[zero]` : variable);
  const address = (variable: string): string => (arrays.has(variable) ? variable : `&${variable}`);
  const print = (s: Statement): string => {
    switch (s.op) {
      case 'declare':
        if (s.isArray) arrays.add(s.name);
        if (s.isArray) return `int ${s.name}[2]${s.value === undefined ? '' : ` = {${s.value}}`};`;
        return `int ${s.name}${s.value === undefined ? '' : ` = ${s.value}`};`;
      case 'set':
        return `${at(s.name)} = ${s.value};`;
      case 'fill':
        return `fill(${address(s.name)}, ${s.value});`;
      case 'fill-if':
        return `fill_if(n % 2, ${address(s.name)}, ${s.value});`;
      case 'use':
        return `use(${at(s.name)});`;
      case 'take':
        return `${s.pointer} = ${address(s.name)};`;
      case 'read':
        return `use(*${s.pointer});`;
      case 'write':
        return `*${s.pointer} = ${s.value};`;
      case 'block':
        return `{ ${all(s.body)} }`;
      case 'loop':
        return `for (int i = 0; i < ${s.rounds}; i++) { n++; ${all(s.body)} }`;
      case 'if':
        return `if (n % 2) { ${all(s.body)} }`;
      case 'literal':
        return `${s.pointer} = ${literal(s.value, s.isArray)};`;
      case 'if-literal':
        return `if (${s.pointer} = ${literal(s.value, false)}, n % 2) { ${all(s.body)} } else use(1);`;
      case 'loop-literal':
        return `for (int i = 0; ${s.pointer} = ${literal(s.value, true)}, i < ${s.rounds}; i++) { n++; ${all(s.body)} }`;
      case 'again': {
        const { label } = s;
        counters.push(label);
        return `c${label} = 0; { again${label}:; ${all(s.body)} if (c${label}++ < ${s.rounds - 1}) goto again${label}; }`;
      }
      case 'switch':
        return `switch (n % 2) { int ${s.name}; case 0: ${s.name} = ${s.value}; ${all(s.body)} ${s.falls ? '' : 'break;'} case 1: ${s.name} = ${s.value}; ${all(s.second)} }`;
      case 'into':
        return `if (n % 2) goto in${s.label}; { int ${s.name}; in${s.label}: ${s.name} = ${s.value}; ${all(s.body)} }`;
      case 'count':
        return 'n++;';
      case 'out':
        return 'goto out;';
      case 'return':
        return 'return 0;';
      default:
        return `${s.op};`;
    }
  };
  const counters: number[] = [];
  const literal = (value: number, isArray: boolean): string => (isArray ? `(int[2]){${value}}` : `&(int){${value}}`);
  const all = (list: readonly Statement[]): string => list.map(print).join(' ');
  const text = all(body);
  const counts = counters.map((label) => `int c${label};`).join(' ');
  return `int ${name}(void) { ${counts} int n = 0, *own = &start, *owns[2] = {&start, &start}; first = second = &start; { ${text} } out: return 0; }`;
}

// ---- as C says

interface Thing {
  isAlive: boolean;
  value: number | undefined;
}

/** The objects of a block, by the statements that make them. */
type Own = Map<Statement, Thing>;

class Found extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(answer);
    this.answer = answer;
  }
}

export function runSketch({ body }: Sketch): Answer {
  const start: Thing = { isAlive: true, value: 0 };
  const pointers = new Map<Pointer, Thing>(POINTERS.map((pointer) => [pointer, start]));
  let n = 0;
  const through = (pointer: Pointer): Thing => {
    const thing = pointers.get(pointer)!;
    if (!thing.isAlive) throw new Found('ended');
    return thing;
  };
  const use = ({ value }: Thing): void => {
    if (value === undefined) throw new Found('unwritten');
  };
  const run = (list: readonly Statement[], outer: ReadonlyMap<string, Thing>, times = 1): string => {
    const own: Own = new Map();
    let left = '';
    for (let time = 0; time < times && left === ''; time++) {
      const visible = new Map(outer);
      for (const s of list) {
        left = step(s, visible, own);
        if (left !== '') break;
      }
    }
    end(own);
    return left;
  };
  const end = (own: Own): void => {
    for (const thing of own.values()) thing.isAlive = false;
  };
  /** The object of this statement in a block: the same one until the block is left. */
  const make = (own: Own, s: Statement, value: number | undefined): Thing => {
    const thing = own.get(s) ?? { isAlive: true, value };
    thing.value = value;
    own.set(s, thing);
    return thing;
  };
  /** How the block is left, if it is. */
  const step = (s: Statement, visible: Map<string, Thing>, own: Own): string => {
    switch (s.op) {
      case 'declare':
        visible.set(s.name, make(own, s, s.value));
        return '';
      case 'literal':
        pointers.set(s.pointer, make(own, s, s.value));
        return '';
      case 'if-literal': {
        const inner: Own = new Map();
        pointers.set(s.pointer, make(inner, s, s.value));
        const left = n % 2 === 1 ? run(s.body, visible) : '';
        end(inner);
        return left;
      }
      case 'loop-literal': {
        const inner: Own = new Map();
        let left = '';
        for (let i = 0; ; i++) {
          pointers.set(s.pointer, make(inner, s, s.value));
          if (i === s.rounds) break;
          n++;
          left = run(s.body, visible);
          if (left !== '' && left !== 'continue') break;
        }
        end(inner);
        return left === 'break' || left === 'continue' ? '' : left;
      }
      case 'again':
        return run(s.body, visible, s.rounds);
      case 'switch':
      case 'into': {
        const inner: Own = new Map();
        const seen = new Map(visible).set(s.name, make(inner, s, s.value));
        const all = (list: readonly Statement[]): string => {
          for (const one of list) {
            const left = step(one, seen, inner);
            if (left !== '') return left;
          }
          return '';
        };
        const isFirst = s.op === 'into' || n % 2 === 0;
        let left = isFirst ? all(s.body) : '';
        if (left === '' && s.op === 'switch' && (!isFirst || s.falls)) {
          make(inner, s, s.value);
          left = all(s.second);
        }
        end(inner);
        return left;
      }
      case 'set':
      case 'fill':
        visible.get(s.name)!.value = s.value;
        return '';
      case 'fill-if':
        if (n % 2 === 1) visible.get(s.name)!.value = s.value;
        return '';
      case 'use':
        use(visible.get(s.name)!);
        return '';
      case 'take':
        pointers.set(s.pointer, visible.get(s.name)!);
        return '';
      case 'read':
        use(through(s.pointer));
        return '';
      case 'write':
        through(s.pointer).value = s.value;
        return '';
      case 'block':
        return run(s.body, visible);
      case 'if':
        return n % 2 === 1 ? run(s.body, visible) : '';
      case 'loop':
        for (let i = 0; i < s.rounds; i++) {
          n++;
          const left = run(s.body, visible);
          if (left === 'break') break;
          if (left !== '' && left !== 'continue') return left;
        }
        return '';
      case 'count':
        n++;
        return '';
      default:
        return s.op;
    }
  };
  try {
    run(body, new Map());
    return 'right';
  } catch (error) {
    if (error instanceof Found) return error.answer;
    throw error;
  }
}
