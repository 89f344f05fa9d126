/** Describes a block of memory in words. */
import { asCode } from '../../util/code-text.ts';
import { listText } from '../../util/list-text.ts';
import type { BlockReport } from '../trace-schema.ts';

/** `8 bytes, allocated at a.c:3`; ``local variable `id`, 8 bytes, declared at a.c:3``. */
export function blockText(block: BlockReport): string {
  return describe(block, '');
}

function describe({ bytes, local, variable, file, line }: BlockReport, each: string): string {
  const size = `${bytes} byte${bytes === 1 ? '' : 's'}${each}`;
  const where = file === undefined ? '' : ` at ${file}:${line}`;
  if (local !== true) return `${size}${where === '' ? '' : `, allocated${where}`}`;
  const what = variable === undefined ? 'a local object' : `local variable ${asCode(variable)}`;
  return `${what}, ${size}${where === '' ? '' : `, declared${where}`}`;
}

/**
 * ``#1 and #2: 16 bytes each, allocated at a.c:3``: groups blocks with equal descriptions. `mentioned` may name places
 * inside blocks: `#2+8`.
 */
export function blockTexts(blocks: readonly BlockReport[], mentioned: readonly string[]): readonly string[] {
  const alike = new Map<string, BlockReport[]>();
  for (const block of blocks) alike.set(blockText(block), [...(alike.get(blockText(block)) ?? []), block]);
  return [...alike.values()].map((same) => {
    const names = same.map(({ name }) => name);
    const inside = mentioned.find((name) => names.includes(name.split('+')[0]!) && name.includes('+'));
    const [block, offset] = inside?.split('+') ?? [];
    const part = inside === undefined ? '' : ` (${inside}: ${offset} bytes from the start of ${block})`;
    return `${listText(names)}: ${describe(same[0]!, same.length > 1 ? ' each' : '')}${part}`;
  });
}
