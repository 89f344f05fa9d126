/**
 * Finds which places of a program are reachable. Each place is made to fail and the program is searched for errors; the
 * place found is removed, and the search repeated. Those left at the end are unreachable.
 */
import type { Bound, Stop } from '../explore/bound.ts';
import { constant } from '../program/builder.ts';
import type { Instruction, Program } from '../program/ir.ts';
import type { Position } from './candidates.ts';
import type { Search } from './synthesis.ts';

const MESSAGE = '__fencepost reached ';

export class Reached {
  /** Indices of the places not reached so far. */
  readonly left: Set<number>;
  /** What cut short the search for the places left. */
  bounds: readonly Bound[] = [];
  private readonly program: Program;
  private readonly places: readonly (readonly Position[])[];
  private readonly search: (program: Program) => Search;
  private current: Search | undefined;

  constructor(program: Program, places: readonly (readonly Position[])[], search: (program: Program) => Search) {
    this.program = program;
    this.places = places;
    this.search = search;
    this.left = new Set(places.keys());
  }

  advance(steps: number): boolean {
    if (this.left.size === 0) return true;
    this.current ??= this.search(failingAt(this.program, this.places, this.left));
    return this.current.advance(steps) && this.conclude();
  }

  stop(why: Stop): void {
    if (this.left.size === 0) return;
    this.current?.stop(why);
    this.bounds = [why];
  }

  private conclude(): boolean {
    const { error, bounds } = this.current!.outcome;
    this.current = undefined;
    this.bounds = bounds;
    if (error === undefined) return true;
    // An error of the program itself: stop here, every later check of the program will find it.
    if (!error.message.startsWith(MESSAGE)) this.left.clear();
    this.left.delete(Number(error.message.slice(MESSAGE.length)));
    return this.left.size === 0;
  }
}

function failingAt(program: Program, places: readonly (readonly Position[])[], numbers: ReadonlySet<number>): Program {
  const failures = new Map<string, Instruction>();
  for (const number of numbers) {
    const failure: Instruction = {
      op: 'assert',
      condition: constant('i32', 0),
      message: `${MESSAGE}${number}`,
    };
    for (const { func, block, index } of places[number]!) failures.set(`${func} ${block} ${index}`, failure);
  }
  const functions = program.functions.map((f, func) => ({
    ...f,
    blocks: f.blocks.map((b, block) => ({
      ...b,
      body: b.body.flatMap((instruction, index): readonly Instruction[] => {
        const failure = failures.get(`${func} ${block} ${index}`);
        return failure === undefined ? [instruction] : [failure, instruction];
      }),
    })),
  }));
  return { ...program, functions };
}
