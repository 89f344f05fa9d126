/** The runtime on other machines: it compiles for them without a warning, if a compiler and headers are installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { REPOSITORY } from '../../support/fencepost.ts';

/** With the number of the machine in ELF. */
const MACHINES = [
  ['x86-64', 62, 'x86_64-linux-gnu'],
  ['AArch64', 183, 'aarch64-linux-gnu'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'fencepost-machines-'));
afterAll(() => rmSync(folder, { recursive: true }));

function compile(
  command: readonly string[],
  source: string,
): { status: number | null; stderr: string; object: string } {
  const object = join(folder, 'object.o');
  rmSync(object, { force: true });
  const [name, ...flags] = command;
  const args = [...flags, '-std=gnu11', '-O2', '-fPIC', '-fexceptions', '-Wall', '-Wextra', '-Werror', '-c', source];
  const { status, stderr } = spawnSync(name!, [...args, '-o', object], { encoding: 'utf8' });
  return { status, stderr, object };
}

/** Commands that can compile a program with threads for the machine. */
function compilersFor(target: string): readonly (readonly string[])[] {
  const probe = join(folder, 'probe.c');
  writeFileSync(probe, '#include <pthread.h>\n#include <ucontext.h>\nint x;\n');
  const isUsable = (command: readonly string[]): boolean => compile(command, probe).status === 0;
  const clangs = ['clang', 'clang-19', 'clang-16', 'clang-14'].map((name) => [name, `--target=${target}`]);
  return [[`${target}-gcc`], clangs.find(isUsable) ?? []].filter((command) => command.length > 0 && isUsable(command));
}

describe.each(MACHINES)('%s', (_, number, target) => {
  const compilers = compilersFor(target);
  it.skipIf(compilers.length === 0)('has a runtime', () => {
    for (const command of compilers) {
      const { stderr, object } = compile(command, join(REPOSITORY, 'runtime/record.c'));
      expect([command.join(' '), stderr]).toEqual([command.join(' '), '']);
      expect(readFileSync(object).readUInt16LE(18)).toBe(number);
    }
  });
});
