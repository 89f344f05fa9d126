/** The parts of docs/performance.md that show the results of one suite. */
import { type Case, lastResults, type Results } from '../results.ts';
import { caseOf, grouped, markdownTable, resultsOf } from '../tables/page.ts';

/** 57,207 → 57,200. */
export function rounded(rate: number): string {
  return grouped(Math.round(rate / 100) * 100);
}

/** `sb-ring(15) tso` → `SB ring(15) TSO`. */
export function programName(name: string): string {
  return name
    .replace(/^(sb|mp)-ring/, (ring) => ring.slice(0, 2).toUpperCase() + ring.slice(2).replace('-', ' '))
    .replace('fetch-add', 'fetch_add')
    .replace(/ (sc|tso|pso)$/, (model) => model.toUpperCase());
}

/** Which machine each suite ran on. */
export function machines(): string {
  const suites = ['dpor', 'growth', 'graph', 'scaling', 'memory', 'monitors', 'startup', 'estimate', 'profile'];
  const rows = suites.flatMap((suite) => {
    const results = lastResults(suite);
    if (results === undefined) return [];
    const { machine, node, date, commit } = results;
    return [[`\`${suite}\``, machine, node, date.slice(0, 10), commit]];
  });
  return markdownTable(['suite', 'machine', 'Node', 'recorded', 'commit'], rows);
}

export function dporTable(): string {
  const { cases } = resultsOf('dpor');
  const rows = cases.map(({ name, rates, peakMemory }) => [
    programName(name),
    rounded(rates['executions/s']!),
    rounded(rates['of the fastest search']!),
    `${peakMemory}`,
  ]);
  return markdownTable(['program', 'executions/s', 'fastest run', 'MB'], rows);
}

export function graphs(): string {
  const rows = resultsOf('graph').cases.map(({ name, rates, counts }) => [
    programName(name),
    rounded(rates['graphs/s']!),
    ...['executions', 'blocked', 'abandoned'].map((count) => grouped(counts[count]!)),
  ]);
  return markdownTable(['program', 'graphs/s', 'complete', 'blocked', 'given up'], rows);
}

/** The results of `memory`, `scaling`, `monitors` and `startup`, in sentences. */
export function limits(): string {
  const memory = resultsOf('memory');
  const grown = caseOf(memory, '10^6 executions').peakMemory - caseOf(memory, '10^4 executions').peakMemory;
  const largest = Math.max(...resultsOf('dpor').cases.map(({ peakMemory }) => peakMemory));
  const tree = Math.max(...resultsOf('dpor').cases.map(({ counts }) => counts['largest tree']!));
  const costs = costsOfMonitors(resultsOf('monitors'));
  const [least, most] = [Math.min(...costs), Math.max(...costs)].map((cost) => Math.round(100 * cost));
  const start = (name: string): string => startSeconds(name)?.toFixed(2) ?? '?';
  return `No case takes more than ${largest} MB. The largest wakeup tree has ${grouped(tree)} nodes of 12 bytes. A million
executions take ${grown} MB more than ten thousand (\`memory\`). Over four sizes of a program the time per step differs by at
most ${spread(resultsOf('scaling').cases).toFixed(2)} (\`scaling\`). \`check\` with both monitors costs ${least} to ${most} % more than SC alone (\`monitors\`). The command takes
${start('C program')} s of CPU time to check a minimal C program and ${start('litmus test')} s for a litmus test (\`startup\`).`;
}

export function costsOfMonitors({ cases }: Results): readonly number[] {
  return cases.flatMap(({ rates }) => {
    const ratio = rates['plain/watched'];
    return ratio === undefined ? [] : [1 / ratio - 1];
  });
}

/** CPU seconds of the command; `undefined` if not recorded. */
export function startSeconds(name: string): number | undefined {
  const found = lastResults('startup')?.cases.find((c) => c.name === name);
  return found === undefined ? undefined : 1 / found.rates['starts/s']!;
}

function spread(cases: readonly Case[]): number {
  const byProgram = new Map<string, number[]>();
  for (const { name, rates } of cases) {
    const program = name.replace(/\(\d+\)/, '');
    byProgram.set(program, [...(byProgram.get(program) ?? []), rates['steps/s']!]);
  }
  return Math.max(...[...byProgram.values()].map((rates) => Math.max(...rates) / Math.min(...rates)));
}

export function logs(): string {
  const { rates } = caseOf(resultsOf('monitors'), 'logs');
  const million = (rates['events/s']! / 1e6).toFixed(1);
  return `A log of 10^7 events is read at ${million} million events per second; alternating with it, one of 10^6 at
${rates['10^6/10^7']!.toFixed(2)} and one of 10^5 at ${rates['10^5/10^7']!.toFixed(2)} times that rate.`;
}

export function estimates(): string {
  const rows = resultsOf('estimate').cases.map(({ name, texts = {}, counts }) => [
    programName(name),
    grouped(counts['executions']!),
    ...['at a tenth', 'worst', 'first after s'].map((column) => texts[column]!),
  ]);
  return markdownTable(['program', 'executions', 'at a tenth', 'worst', 'first after CPU s'], rows);
}

export function profiles(): string {
  const results = lastResults('profile');
  if (results === undefined) return 'Not recorded: `npm run bench -- profile`.';
  const rows = results.cases.map(({ name, texts = {} }) => [programName(name), texts['files']!, texts['functions']!]);
  return markdownTable(['program', 'percent, by file', 'by function'], rows);
}
