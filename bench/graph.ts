/**
 * Execution graphs under RC11: graphs per CPU second, complete and blocked ones, as GenMC counts them. The numbers of
 * graphs are asserted.
 */
import { graphSearch, searchFile } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

interface Row {
  readonly file: string;
  readonly n: number;
  readonly complete: number;
  /** Graphs in which a thread waits for ever. */
  readonly blocked: number;
  /** Graphs given up because nothing new can be reached from them. */
  readonly abandoned: number;
}

const FOLDER = '../bench/programs/graph';
const ROWS: readonly Row[] = [
  { file: `${FOLDER}/fib.c`, n: 5, complete: 19404, blocked: 0, abandoned: 0 },
  { file: `${FOLDER}/spin-lock.c`, n: 3, complete: 1680, blocked: 8766, abandoned: 2581 },
  { file: `${FOLDER}/ticket-lock.c`, n: 3, complete: 1680, blocked: 3103, abandoned: 13220 },
  { file: 'scale/mutex.c', n: 7, complete: 5040, blocked: 0, abandoned: 5039 },
  { file: `${FOLDER}/readers.c`, n: 15, complete: 32768, blocked: 0, abandoned: 0 },
  { file: `${FOLDER}/sb-ring.c`, n: 13, complete: 8192, blocked: 0, abandoned: 0 },
];

const CASES = new Map(ROWS.map((row) => [`${row.file.replace(/^.*\/|\.c$/g, '')}(${row.n})`, row]));

export const graph: Suite = {
  name: 'graph',
  about: 'graphs per CPU second under rc11, complete and blocked, after warm-up; as many as expected',
  cases: [...CASES.keys()],
  measure,
  inputs: (name) => {
    const { file, n } = CASES.get(name)!;
    return [{ files: [file], defines: [`N=${n}`], model: 'rc11' }];
  },
};

async function measure(name: string): Promise<Measurement> {
  const { file, n, ...wanted } = CASES.get(name)!;
  const { result, rates, best } = await searchFile(file, n, 'rc11', {}, graphSearch);
  const { executions: complete, blocked, abandoned, errors, bounds } = result;
  const isSame = complete === wanted.complete && blocked === wanted.blocked && abandoned === wanted.abandoned;
  if (!isSame || errors.length > 0 || bounds.length > 0) {
    throw new Error(`${name}: ${JSON.stringify(wanted)} expected, but ${JSON.stringify(result)}`);
  }
  // Converts a rate of executions to one of graphs.
  const all = (rate: number): number => Math.round((rate * (complete + blocked)) / complete);
  return {
    counts: { executions: complete, blocked, abandoned },
    rates: { 'graphs/s': all(rates.executions), 'of the fastest search': all(best.executions) },
  };
}
