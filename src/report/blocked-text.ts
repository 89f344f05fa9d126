/**
 * Why executions are blocked: `: 2 waiting in a loop, 1 by an assumption`. No number if one reason explains them all.
 */
export function blockedText(blocked: number, causes: readonly (readonly [count: number, why: string])[]): string {
  const known = causes.filter(([count]) => count > 0);
  if (known.length === 0) return '';
  const isOne = known.length === 1 && known[0]![0] === blocked;
  return `: ${known.map(([count, why]) => (isOne ? why : `${count} ${why}`)).join(', ')}`;
}
