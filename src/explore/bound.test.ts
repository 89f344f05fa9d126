import { expect, it } from 'vitest';
import { type Bound, Bounds, stoppedFor } from './bound.ts';

const place = { file: 'a.c', line: 3, column: 5 };
const unroll: Bound = { kind: 'unroll', limit: 2, place };

function distinct(...bounds: readonly Bound[]): readonly Bound[] {
  const found = new Bounds();
  found.add(...bounds);
  return found.list;
}

it('a bound is listed once, where it was met first', () => {
  const first: Bound = { kind: 'states', limit: 9 };
  expect(distinct(first, unroll, { limit: 9, kind: 'states' })).toEqual([first, unroll]);
});

it('kinds, limits and places tell bounds apart', () => {
  const bounds: readonly Bound[] = [
    unroll,
    { ...unroll, limit: 3 },
    { ...unroll, place: { ...place, line: 4 } },
    { ...unroll, place: undefined },
    { kind: 'unmodelled', what: 'this', places: [place] },
    { kind: 'unmodelled', what: 'this', places: [place, place] },
    { kind: 'serial', bounds: [{ kind: 'states', limit: 1 }] },
    { kind: 'serial', bounds: [{ kind: 'states', limit: 2 }] },
  ];
  expect(distinct(...bounds)).toEqual(bounds);
});

it('the same text does not make two bounds one', () => {
  const bounds = [stoppedFor('states: 9'), { kind: 'states', limit: 9 }] as const;
  expect(distinct(...bounds)).toEqual(bounds);
});

it('what is known about a place does not make it another one', () => {
  expect(distinct(unroll, { ...unroll, place: { ...place, text: 'while (x);' } })).toEqual([unroll]);
});
