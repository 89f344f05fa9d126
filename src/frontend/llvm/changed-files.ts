/** A program from files of which some differ from those on disk. */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CProgram, type CProgramOptions, loadCProgram } from './c-program.ts';
import { isCxxFile } from './clang/source-kinds.ts';

/**
 * `changed`: new contents by path, for sources and headers alike, in Latin-1; `extra` is the text of one more source.
 */
export async function loadChanged(
  files: readonly string[],
  options: CProgramOptions,
  changed: ReadonlyMap<string, string>,
  extra?: string,
): Promise<CProgram> {
  const scratch = await mkdtemp(join(tmpdir(), 'fencepost-'));
  try {
    const replacements = await Promise.all(
      [...changed].map(async ([file, text], i) => {
        const contents = join(scratch, `${i}.c`);
        await writeFile(contents, text, 'latin1');
        if (!file.includes(';')) return { file, contents };
        // Clang identifies files by what they are, not by their paths.
        const alias = join(scratch, `${i}.link`);
        await symlink(resolve(file), alias);
        return { file, contents, alias };
      }),
    );
    const more = extra === undefined ? [] : [join(scratch, files.some(isCxxFile) ? 'extra.cpp' : 'extra.c')];
    for (const file of more) await writeFile(file, extra!, 'latin1');
    return await loadCProgram([...files, ...more], { ...options, replacements });
  } finally {
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}
