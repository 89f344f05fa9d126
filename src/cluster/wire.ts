/** Plain data as text. JSON alone loses bytes, large integers, and numbers such as -0. */

type Tagged = { readonly $big: string } | { readonly $bytes: string } | { readonly $number: string };

export function toText(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) => tagged(value) ?? value);
}

function tagged(value: unknown): Tagged | undefined {
  if (typeof value === 'bigint') return { $big: String(value) };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return undefined;
  return { $number: Object.is(value, -0) ? '-0' : String(value) };
}

export function fromText(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$big' in value) return BigInt(value.$big as string);
    if ('$bytes' in value) return new Uint8Array(Buffer.from(value.$bytes as string, 'base64'));
    return '$number' in value ? Number(value.$number) : value;
  });
}
