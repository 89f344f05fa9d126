/**
 * Runs the engine in a thread of Node when the site is built, to compile what the page can then answer without clang.
 */
import { EXIT_INCONCLUSIVE } from '../../cli/shared/exit-codes.ts';
import { below, find, read } from '../node/files.ts';
import { PACKAGE } from '../node/process.ts';
import { Engine } from './engine.ts';
import type { Program } from './messages.ts';
import { type Store, unpack } from './packs.ts';

const IR = '/cache/fencepost/ir';

/**
 * The IR of the programs and of our library, in the form of the cache's entries; `known` is the IR of an earlier build.
 */
export async function compileAll(
  store: Store,
  known: Uint8Array | undefined,
  programs: readonly (Program & { readonly args: readonly string[] })[],
): Promise<readonly (readonly [path: string, bytes: Uint8Array])[]> {
  if (known !== undefined) unpack(known);
  for (const file of known === undefined ? [] : below(IR)) find(`${IR}/${file}`)!.time = 0;
  const engine = new Engine(store, () => {});
  for (const { name, text, args } of programs) {
    // One execution is enough: only compiling matters here.
    const { exit, output } = await engine.run([{ name, text }], args, 100);
    if (exit > 1 && exit !== EXIT_INCONCLUSIVE) throw new Error(output.map((chunk) => chunk.text).join(''));
  }
  // Entries that were used or made have a time.
  const used = below(IR).filter((file) => find(`${IR}/${file}`)!.time > 0);
  return used
    .map((file) => [`${IR}/${file}`, read(`${IR}/${file}`)] as const)
    .filter(([, bytes]) => !isOfLibraryFile(bytes.toString()));
}

/**
 * Whether the entry is for one file of the library. The whole library is also in one entry, and only that one is looked
 * up.
 */
function isOfLibraryFile(entry: string): boolean {
  const { sources = [] } = JSON.parse(entry.split('\n')[1]!) as { readonly sources?: readonly string[] };
  return sources.some((file) => file.startsWith(`${PACKAGE}/lib/`));
}
