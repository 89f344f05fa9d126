/** Attributes a cycle to the program, its mutexes or the test harness. */
import type { Program } from '../../program/ir.ts';
import type { CycleOwner, CyclePlace } from './result.ts';

/** `harness`: names of functions, variables and files. */
export function ownerOf(places: readonly CyclePlace[], harness: readonly string[]): CycleOwner {
  if (places.some((place) => namesOf(place).some((name) => harness.includes(name)))) return 'harness';
  return places.some(({ access }) => access === 'synchronisation') ? 'mutexes' : 'program';
}

/** The problem with these names, if one is not that of a function, variable or file of the program. */
export function harnessProblem(program: Program, harness: readonly string[]): string | undefined {
  const known = new Set([...program.functions, ...program.globals].map(({ name }) => name));
  for (const { name: func, blocks } of program.functions) {
    for (const { location } of blocks.flatMap(({ body }) => body)) {
      if (location !== undefined) for (const name of namesOf({ access: '', func, location })) known.add(name);
    }
  }
  const unknown = harness.find((name) => !known.has(name));
  return unknown === undefined
    ? undefined
    : `--harness ${unknown}: the program has no function, variable or file of that name`;
}

/** An access through a pointer does not count as one of the variable that holds the pointer. */
function namesOf({ func, location }: CyclePlace): readonly string[] {
  const variable = /^\w+(?=[[.]|$)/.exec(location?.variable ?? '')?.[0];
  const file = location?.file.split('/').at(-1);
  return [func, variable, file].filter((name) => name !== undefined);
}
