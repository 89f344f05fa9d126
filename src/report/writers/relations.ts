/** Explains the relations in the tables of cycles; printed below the tables. */
const MEANINGS: readonly (readonly [relation: string, meaning: string])[] = [
  ['conflict', 'it read, and the next one wrote a newer value'],
  ['source', 'the next one read what it wrote'],
  ['store order', 'the next one overwrote what it wrote'],
];

/** One sentence about the relations that occur. */
export function relationsText(relations: Iterable<string>): readonly string[] {
  const used = new Set(relations);
  const told = MEANINGS.filter(([relation]) => used.has(relation)).map((pair) => pair.join(': '));
  return told.length === 0 ? [] : [`In the cycles, ${told.join('; ')}.`];
}
