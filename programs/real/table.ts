/** What `run.ts`, the page and their test share: the libraries, their drivers, and the table of verdicts. */
import { readFileSync } from 'node:fs';

export const FOLDER: URL = new URL('./', import.meta.url);
export const MODELS: readonly string[] = ['sc', 'tso', 'pso', 'rc11'];

/** One place of a library's sources, changed in a temporary copy. */
export type Change = {
  /** The file, from the library's folder. */
  readonly file: string;
  /** The place is the first `find` after these, each of which is searched for after the one before it. */
  readonly after?: readonly string[];
  readonly find: string;
  readonly by: string;
};

export type Variant = {
  readonly flags?: readonly string[];
  readonly changes?: readonly Change[];
};

export type Driver = {
  /** The library's files that are part of the program, from its folder. */
  readonly sources: readonly string[];
  /** Flags after those of the library. `{lib}` is its folder, `{here}` that of its drivers. */
  readonly flags?: readonly string[];
  /** By the change's name in the table, for instance "no store fence": what it changes. */
  readonly variants?: Readonly<Record<string, Variant>>;
};

export type Library = {
  readonly name: string;
  readonly url: string;
  /** The version to which the verdicts apply. */
  readonly commit: string;
  readonly flags: readonly string[];
  /** The folders that a changed copy needs. */
  readonly parts: readonly string[];
  /** The suffix of the drivers' files; by default `c`. */
  readonly suffix?: 'c' | 'cpp';
  readonly drivers: Readonly<Record<string, Driver>>;
};

/** The file of a driver, in the folder of its library. */
export function fileOf({ suffix = 'c' }: Library, driver: string): string {
  return `${driver}.${suffix}`;
}

export type Row = {
  readonly library: string;
  readonly driver: string;
  /** One of the driver's variants, or `-`: the library as it is. */
  readonly variant: string;
  readonly expected: Readonly<Record<string, string>>;
  readonly reason: string;
};

const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

export const LIBRARIES: Readonly<Record<string, Library>> = JSON.parse(read('libraries.json'));

export const COLUMNS: readonly string[] = ['library', 'driver', 'variant', ...MODELS, 'reason'];

export const ROWS: readonly Row[] = read('expected.tsv')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [library = '', driver = '', variant = '', sc = '', tso = '', pso = '', rc11 = '', reason = ''] =
      line.split('\t');
    return { library, driver, variant, expected: { sc, tso, pso, rc11 }, reason };
  });

/** The part of the page that is made from the table. */
export function tables(): string {
  const lines: string[] = [];
  for (const [id, its] of Object.entries(LIBRARIES)) {
    const { name, url, commit } = its;
    lines.push(`### ${name}`, '', `\`${id}\`, <${url}>, at ${commit}.`, '');
    lines.push('| driver | change | SC | TSO | PSO | RC11 | why |', '|---|---|---|---|---|---|---|');
    for (const { library, driver, variant, expected, reason } of ROWS) {
      if (library !== id) continue;
      const verdicts = MODELS.map((model) => expected[model]).join(' | ');
      lines.push(
        `| [${driver}](${id}/${fileOf(its, driver)}) | ${variant === '-' ? '' : variant} | ${verdicts} | ${reason} |`,
      );
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** The page with its tables regenerated: they are between two marks. */
export function page(): string {
  const text = read('README.md');
  const [begin, end] = ['<!-- tables -->', '<!-- end of tables -->'];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error('README.md lacks its marks');
  return `${text.slice(0, from)}${begin}\n\n${tables()}\n${text.slice(to)}`;
}
