/**
 * `npm run -s real -- LIBRARY PATH [--driver NAME] [--model LIST] [--show]`: checks our drivers for a public library
 * together with the library's own sources, in the folder PATH, and compares with `expected.tsv`. `--show` prints the
 * commands and their whole output. The exit code is 0 if all verdicts are as expected.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Change, FOLDER, fileOf, LIBRARIES, type Library, MODELS, ROWS, type Row, type Variant } from './table.ts';

/** The command from the sources, or the built one that `$FENCEPOST` names. */
const COMMAND =
  process.env['FENCEPOST'] === undefined
    ? ['--import', './bench/typescript.mjs', 'src/cli/command.ts']
    : [process.env['FENCEPOST']];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { driver: { type: 'string' }, model: { type: 'string' }, show: { type: 'boolean' } },
});
const [id = '', path = ''] = positionals;
const library = LIBRARIES[id];
if (library === undefined || path === '') {
  console.error(`usage: npm run -s real -- LIBRARY PATH [--driver NAME] [--model LIST] [--show]
libraries: ${Object.keys(LIBRARIES).join(' ')}`);
  process.exit(2);
}
const models = values.model?.split(',') ?? MODELS;
const rows = ROWS.filter((row) => row.library === id && (values.driver ?? row.driver) === row.driver);
let wrong = 0;
const WIDTHS = [20, 24, ...models.map(() => 22)];
const print = (cells: readonly string[]): void =>
  console.log(
    cells
      .map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0))
      .join(' ')
      .trimEnd(),
  );
print(['driver', 'change', ...models, 'seconds']);
for (const row of rows) print(verdicts(row, library));
process.exitCode = wrong === 0 ? 0 : 1;

type Result = {
  readonly model: string;
  readonly verdict: string;
  readonly executions: number;
  readonly seconds: number;
  readonly bounds: readonly string[];
  readonly error?: { readonly kind: string };
};

/** Checks one row; its cells are verdicts with the number of executions, and the expected verdict if it differs. */
function verdicts(row: Row, its: Library): string[] {
  const { drivers, flags, parts } = its;
  const driver = drivers[row.driver];
  if (driver === undefined) throw new Error(`no driver ${row.driver}`);
  const variant: Variant = row.variant === '-' ? {} : (driver.variants?.[row.variant] ?? unknown(row.variant));
  const here = fileURLToPath(new URL(`${id}/`, FOLDER));
  const copied = variant.changes !== undefined;
  const lib = copied ? changedCopy(resolve(path), parts, variant.changes) : resolve(path);
  try {
    const all = [...flags, ...(driver.flags ?? []), ...(variant.flags ?? [])];
    const args = [
      ...[join(here, fileOf(its, row.driver)), ...driver.sources.map((file) => join(lib, file))],
      ...all.map((flag) => flag.replace('{lib}', lib).replace('{here}', here)),
      ...['--model', models.join(), '--no-out', '-w', '--timeout', '300'],
    ];
    const results = check(args);
    const cells = models.map((model) =>
      cell(
        results.find((result) => result.model === model),
        row.expected[model],
      ),
    );
    const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
    return [row.driver, row.variant, ...cells, seconds.toFixed(1)];
  } finally {
    if (copied) rmSync(lib, { recursive: true });
  }
}

function unknown(variant: string): never {
  throw new Error(`no change called ${variant}`);
}

function cell(result: Result | undefined, expected = ''): string {
  const found = result === undefined ? 'rejected' : nameOf(result);
  if (found !== expected) wrong++;
  const count = result === undefined ? '' : ` (${result.executions})`;
  return found === expected ? `${found}${count}` : `${found}${count}, not ${expected}!`;
}

/** The verdict in the table's words. */
function nameOf({ verdict, error, bounds }: Result): string {
  if (verdict === 'verified') return 'correct';
  if (error !== undefined) return error.kind;
  return bounds.every((bound) => bound.startsWith('not modelled')) ? 'unmodelled' : 'inconclusive';
}

function check(args: readonly string[]): readonly Result[] {
  const command = [...COMMAND, 'check', ...args];
  const cwd = fileURLToPath(new URL('../../', FOLDER));
  const options = { cwd, encoding: 'utf8', maxBuffer: 1 << 30 } as const;
  if (values.show === true) {
    console.log(`fencepost check ${args.join(' ')}`);
    spawnSync(process.execPath, command, { ...options, stdio: 'inherit' });
  }
  const { stdout, stderr } = spawnSync(process.execPath, [...command, '--json'], options);
  if (!stdout.startsWith('{')) throw new Error(stderr);
  const { results, problems } = JSON.parse(stdout);
  for (const { message } of problems) console.log(message);
  return results;
}

/** A copy of a library's folders, with changes. */
function changedCopy(from: string, parts: readonly string[], changes: readonly Change[]): string {
  const to = mkdtempSync(join(tmpdir(), 'fencepost-real-'));
  for (const part of parts) cpSync(join(from, part), join(to, part), { recursive: true });
  for (const { file, after = [], find, by } of changes) {
    const text = readFileSync(join(to, file), 'utf8');
    let end = 0;
    for (const mark of [...after, find]) {
      const at = text.indexOf(mark, end);
      if (at < 0) throw new Error(`${file} has no ${mark}: this is another version of the library`);
      end = at + mark.length;
    }
    writeFileSync(join(to, file), `${text.slice(0, end - find.length)}${by}${text.slice(end)}`);
  }
  return to;
}
