/** The folder being served. Gives access to its contents and to nothing outside it. */
import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { globSync } from 'tinyglobby';
import type { Listing, RunEntry } from '../report/serve-api.ts';

const MAX_LISTED = 2000;
const MAX_BYTES = 16 * 1024 * 1024;
const SOURCES = /\.(?:c|i|h|cc|cpp|cxx|c\+\+|C|hpp|litmus)$/;
const IGNORED = ['**/node_modules/**', '**/.*/**'];

export class ServedFolder {
  readonly root: string;

  constructor(path: string) {
    this.root = realpathSync(path);
  }

  /**
   * The real path of a file in the folder; `undefined` if it does not exist or, after following links, is outside the
   * folder.
   */
  resolve(path: string): string | undefined {
    if (path.includes('\0')) return undefined;
    try {
      const real = realpathSync(resolve(this.root, path));
      const inside = relative(this.root, real);
      const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
      return isOutside || !statSync(real).isFile() ? undefined : real;
    } catch {
      return undefined;
    }
  }

  /** The path relative to the folder. */
  nameOf(path: string): string | undefined {
    const real = this.resolve(path);
    return real === undefined ? undefined : relative(this.root, real);
  }

  readonly read = (path: string): string | undefined => {
    const real = this.resolve(path);
    return real === undefined || statSync(real).size > MAX_BYTES ? undefined : readFileSync(real, 'utf8');
  };

  /** The unchanged text of a source, for an editor; `undefined` if the file is not a source. */
  source(path: string): string | undefined {
    return SOURCES.test(path) ? this.read(path) : undefined;
  }

  /**
   * Replaces a source if it is still equal to `before`; otherwise it was changed meanwhile, and the result is false.
   */
  writeSource(path: string, before: string, text: string): boolean {
    const real = this.resolve(path);
    if (real === undefined || this.source(path) !== before) return false;
    writeFileSync(real, text);
    return true;
  }

  list(): Listing {
    const find = (pattern: string): string[] =>
      globSync(pattern, {
        cwd: this.root,
        ignore: IGNORED,
        deep: 6,
        expandDirectories: false,
        followSymbolicLinks: false,
      }).sort();
    const runs = find('**/result.json');
    const programs = find('**/*.{c,i,cc,cpp,cxx,c++,C,litmus}').filter((file) => this.isProgram(file));
    return {
      folder: this.root,
      runs: runs
        .slice(0, MAX_LISTED)
        .flatMap((file) => this.describeRun(file))
        .sort((a, b) => b.time - a.time),
      programs: programs.slice(0, MAX_LISTED),
      isCut: runs.length > MAX_LISTED || programs.length > MAX_LISTED,
    };
  }

  /** Whether the file is a program, that is, has a `main`; others are included or linked by programs. */
  private isProgram(file: string): boolean {
    if (file.endsWith('.litmus')) return true;
    try {
      return /\bmain\s*\(/.test(this.read(file) ?? '');
    } catch {
      return false;
    }
  }

  /** Empty if the file is not a report. */
  private describeRun(file: string): readonly RunEntry[] {
    try {
      const { schema, results, command, input } = JSON.parse(this.read(file) ?? '');
      if (typeof schema !== 'string' || !schema.startsWith('fencepost/')) return [];
      // A result of `fix` covers several models, and one of `monitor` has monitors instead.
      const verdicts = results.map(({ model, models, monitors, verdict }: Record<string, unknown>) => ({
        model: [model ?? models ?? monitors].flat().join(', '),
        verdict: String(verdict),
      }));
      return [
        {
          path: join(file, '..'),
          title: String(results[0]?.file ?? file),
          time: statSync(join(this.root, file)).mtimeMs,
          command: [String(command), ...optionsOf(input ?? {})].join(' '),
          verdicts,
        },
      ];
    } catch {
      return [];
    }
  }
}

/** The options by which a reader tells runs of one file apart. */
function optionsOf({ defines = [], entry = 'main', strategy, optimise }: Record<string, unknown>): readonly string[] {
  return [
    ...[defines].flat().map((define) => `-D ${define}`),
    ...(entry === 'main' ? [] : [`--entry ${entry}`]),
    ...(strategy === undefined || strategy === 'optimal' || strategy === 'hunt' ? [] : [`--strategy ${strategy}`]),
    ...(optimise === undefined ? [] : [`--optimise ${optimise}`]),
  ];
}
