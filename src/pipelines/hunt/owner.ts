/** Whose cycle is it: the program's, that of its mutexes, or that of the harness that tests it? */
import type { CycleOwner, CyclePlace } from './result.ts';

/** `harness`: names of functions, variables and files. */
export function ownerOf(places: readonly CyclePlace[], harness: readonly string[]): CycleOwner {
  if (places.some((place) => namesOf(place).some((name) => harness.includes(name)))) return 'harness';
  return places.some(({ access }) => access === 'synchronisation') ? 'mutexes' : 'program';
}

/** What is reached through a pointer is not the variable that holds the pointer. */
function namesOf({ func, location }: CyclePlace): readonly string[] {
  const variable = /^\w+(?=[[.]|$)/.exec(location?.variable ?? '')?.[0];
  const file = location?.file.split('/').at(-1);
  return [func, variable, file].filter((name) => name !== undefined);
}
