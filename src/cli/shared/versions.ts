/** `fencepost --version`: our version, and those of everything that answers depend on. */
import { compilersFound } from '../../frontend/llvm/clang/clang.ts';
import { VERSION } from '../../platform/version.ts';

export async function versionText(): Promise<string> {
  const { c, cxx } = await compilersFound();
  const none = 'none found; fencepost check says how to install one';
  const compilers =
    c === cxx ? [`clang: ${c ?? none}`] : [`clang for C: ${c ?? none}`, `clang for C++: ${cxx ?? none}`];
  return [
    `fencepost ${VERSION}`,
    ...compilers.map((line) => line.replace(': clang ', ': ')),
    `node: ${process.version.slice(1)}, ${process.platform} ${process.arch}`,
    '',
  ].join('\n');
}
