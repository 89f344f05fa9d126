/**
 * Ends a switch over a union. That it compiles proves that no case is missing; that it throws catches data which
 * does not have the type it claims.
 */
export function unreachable(x: never): never {
  const text = JSON.stringify(x, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value));
  throw new Error(`unexpected case: ${text}`);
}
