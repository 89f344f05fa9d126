/**
 * The playground bundles the commands with stand-ins for Node's modules and for some of ours. A stand-in must export
 * what is imported from it: the bundler would also notice, but the quick tier does not build the site.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { NODE, REPLACED } from '../../src/playground/build/bundle.ts';
import { REPOSITORY } from '../support/fencepost.ts';

const FOLDER = join(REPOSITORY, 'src/playground');

/** `import`s and `export`s from other modules that remain at run time: the names, and the module. */
function importsOf(text: string): readonly { readonly names: readonly string[]; readonly from: string }[] {
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)([^;'"]*?)\s*(?:from\s+)?'([^']+)';/gm);
  return [...statements].map(([, clause = '', from = '']) => ({
    from,
    names: (/\{([^}]*)\}/.exec(clause)?.[1] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(/\s+as\s+/)[0]!),
  }));
}

function exportsOf(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(/^export (?:declare )?(?:async )?(?:function\*?|class|const|let) (\w+)/gm)].map(
    ([, name]) => name!,
  );
  for (const [, list] of text.matchAll(/^export (?:const )?\{([^}]*)\}/gm)) {
    for (const item of list!.split(',').map((part) => part.trim())) {
      if (item !== '' && !item.startsWith('type ')) names.push(item.split(/\s+as\s+|:\s*/).at(-1)!);
    }
  }
  return new Set(names);
}

/** The stand-in for a module, if there is one. */
function standInFor(from: string): string | undefined {
  const known = NODE[from.replace(/^node:/, '')];
  if (known !== undefined) return join(FOLDER, 'node', `${known}.ts`);
  const replaced = REPLACED.find(([module]) => module.test(from));
  return replaced && join(FOLDER, 'engine', `${replaced[1]}.ts`);
}

it('has everything that the commands import from what the browser has not', () => {
  const missing: string[] = [];
  const seen = new Set<string>();
  const stack = [join(FOLDER, 'engine/worker.ts'), join(FOLDER, 'engine/seed.ts')];
  for (let file = stack.pop(); file !== undefined; file = stack.pop()) {
    if (seen.has(file) || !existsSync(file)) continue;
    seen.add(file);
    for (const { names, from } of importsOf(readFileSync(file, 'utf8'))) {
      const standIn = standInFor(from);
      if (standIn !== undefined) {
        const known = exportsOf(readFileSync(standIn, 'utf8'));
        missing.push(
          ...names
            .filter((name) => !known.has(name))
            .map((name) => `${name} of ${from} in ${relative(REPOSITORY, file!)}`),
        );
        stack.push(standIn);
      } else if (from.startsWith('.')) stack.push(join(dirname(file), from));
      else if (from.startsWith('node:')) missing.push(`${from} in ${relative(REPOSITORY, file)}`);
    }
  }
  expect(missing).toEqual([]);
  expect(seen.size).toBeGreaterThan(200);
});
