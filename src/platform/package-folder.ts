/**
 * Where this package is installed, and so where the files are that come with its code: headers, the C library, the
 * viewer.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources and the bundles in dist/ are at different depths. */
function find(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the package has lost its package.json; install it again');
    folder = parent;
  }
  return folder;
}

const PACKAGE_FOLDER = find();

export function packaged(path: string): string {
  return join(PACKAGE_FOLDER, path);
}

/** How to refer users to a page: by its path in the repository, or by where the package is installed. */
export function pageName(path: string): string {
  const page = packaged(path);
  if (!page.includes(`${sep}node_modules${sep}`)) return path;
  const near = relative(process.cwd(), page);
  return near.startsWith('..') ? page : near;
}
