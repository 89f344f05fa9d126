/**
 * Ends a switch over a union. If it compiles, no case is missing; if it throws, data does not have the type that it
 * claims.
 */
export function unreachable(x: never): never {
  const text = JSON.stringify(x, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value));
  throw new Error(`unexpected case: ${text}`);
}
