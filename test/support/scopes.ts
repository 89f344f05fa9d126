/**
 * Programs of nested blocks with pointers to their variables, and what C says of each: an interpreter of its own runs the program on objects that
 * begin at their declarations, without a value, and end with their blocks.
 */
import type { Prng } from '../../src/util/prng.ts';

type Statement =
  | { readonly op: 'declare'; readonly name: string; readonly isArray: boolean; readonly value?: number }
  | { readonly op: 'set' | 'fill' | 'fill-if'; readonly name: string; readonly value: number }
  | { readonly op: 'use'; readonly name: string }
  | { readonly op: 'take'; readonly name: string; readonly pointer: Pointer }
  | { readonly op: 'read'; readonly pointer: Pointer }
  | { readonly op: 'write'; readonly pointer: Pointer; readonly value: number }
  | { readonly op: 'block' | 'loop' | 'if'; readonly rounds: number; readonly body: readonly Statement[] }
  | { readonly op: 'count' | 'break' | 'continue' | 'out' | 'return' };

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
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const block = (visible: readonly Variable[], depth: number, inLoop: boolean): readonly Statement[] => {
    const known = [...visible];
    const body: Statement[] = [];
    for (let left = 2 + random.below(5); left > 0; left--) {
      const kind = random.below(22);
      const [name, value] = [known.length === 0 ? '' : pick(known).name, random.below(3)];
      if (kind < 4 || name === '') {
        const made = { name: `v${names++}`, isArray: random.below(3) === 0 };
        body.push({ op: 'declare', ...made, ...(random.below(4) > 0 ? { value } : {}) });
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
  const all = (list: readonly Statement[]): string => list.map(print).join(' ');
  return `int ${name}(void) { int n = 0, *own = &start, *owns[2] = {&start, &start}; first = second = &start; { ${all(body)} } out: return 0; }`;
}

// ---- as C says

interface Thing {
  isAlive: boolean;
  value: number | undefined;
}

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
  const run = (list: readonly Statement[], outer: ReadonlyMap<string, Thing>): string => {
    const visible = new Map(outer);
    const own: Thing[] = [];
    let left = '';
    for (const s of list) {
      left = step(s, visible, own);
      if (left !== '') break;
    }
    for (const thing of own) thing.isAlive = false;
    return left;
  };
  /** How the block is left, if it is. */
  const step = (s: Statement, visible: Map<string, Thing>, own: Thing[]): string => {
    switch (s.op) {
      case 'declare': {
        const thing = { isAlive: true, value: s.value };
        own.push(thing);
        visible.set(s.name, thing);
        return '';
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
