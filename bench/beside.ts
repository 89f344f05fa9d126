/**
 * Our numbers beside those of other tools (`peer.ts`): a row per case and model. Rates are executions per CPU second,
 * not counting the time that the tool takes for a program with one execution; ours are after warm-up.
 */
import { type Peer, timeCommand } from './peer.ts';
import { type Case, lastResults, record, resultsOf } from './results.ts';
import type { Input, Measurement, Suite } from './suite.ts';

/** CPU seconds, per program and tool. */
const LIMIT = 300;
const SMALLEST: Input = { files: ['scale/fib.c'], defines: ['N=0'], model: 'sc' };

/** The name under which the results are recorded. */
export function besideName(suite: string): string {
  return `${suite}-peers`;
}

/** Measures another tool on the cases of a suite. */
export class Beside {
  readonly cases: Case[] = [];
  private readonly suite: Suite;
  private readonly peers: readonly Peer[];
  private readonly starts: readonly number[];

  constructor(suite: Suite, peers: readonly Peer[]) {
    this.suite = suite;
    this.peers = peers;
    this.starts = peers.map((peer) => startOf(peer));
  }

  add(name: string, measured: Measurement): void {
    for (const input of this.suite.inputs?.(name) ?? []) {
      const ours = oursOf(measured, input.model);
      const found = this.peers.map((peer, i) => run(peer, input, this.starts[i]!, ours));
      const suffix = name.endsWith(input.model) ? '' : ` ${input.model}`;
      this.cases.push({
        name: `${name}${suffix}`,
        counts: ours.executions === undefined ? {} : { executions: ours.executions },
        rates: ours.rate === undefined ? {} : { 'executions/s': Math.round(ours.rate) },
        texts: Object.assign({}, ...found),
        seconds: 0,
        peakMemory: 0,
      });
    }
  }

  record(): void {
    const name = besideName(this.suite.name);
    const texts = (c: Case | undefined): Readonly<Record<string, string>> => c?.texts ?? {};
    // Keep the earlier results of a tool that has not run this time.
    const before = lastResults(name)?.cases ?? [];
    const cases = this.cases.map((c) => ({
      ...c,
      texts: { ...texts(before.find((b) => b.name === c.name)), ...c.texts },
    }));
    record(resultsOf(name, cases));
  }
}

function startOf(peer: Peer): number {
  const command = peer.command(SMALLEST);
  if ('cannot' in command) return 0;
  return Math.min(...[1, 2, 3].map(() => timeCommand(command.line, LIMIT).seconds));
}

interface Ours {
  readonly executions: number | undefined;
  readonly rate: number | undefined;
}

/** A case with several models has its executions in one text, by model. */
function oursOf({ counts, rates, texts = {} }: Measurement, model: string): Ours {
  const perModel = (texts['executions'] ?? texts['ours: executions'])?.split(/\s+/);
  const listed = perModel?.[['sc', 'tso', 'pso'].indexOf(model)];
  const executions = listed === undefined ? counts['executions'] : listed.endsWith('*') ? undefined : Number(listed);
  const { blocked = 0 } = counts;
  const graphs = rates['graphs/s'];
  // Other tools count only complete executions.
  const complete =
    graphs === undefined || executions === undefined ? undefined : (graphs * executions) / (executions + blocked);
  return { executions, rate: rates['executions/s'] ?? complete };
}

function run(peer: Peer, input: Input, start: number, ours: Ours): Readonly<Record<string, string>> {
  const { name } = peer;
  const command = peer.command(input);
  if ('cannot' in command) return { [`${name} executions`]: command.cannot };
  const { seconds, exitCode, output } = timeCommand(command.line, LIMIT);
  const executions = peer.executions(output);
  const isKnown = executions !== undefined;
  const said = isKnown ? executions.toLocaleString('en') : exitCode === 0 ? '-' : ended(exitCode);
  const isSame = isKnown && executions === ours.executions;
  const texts = { [`${name} CPU s`]: seconds.toFixed(2), [`${name} executions`]: isSame ? 'same' : said };
  const count = executions ?? (exitCode === 0 ? ours.executions : undefined);
  if (count === undefined || seconds - start < 0.05) return texts;
  const rate = count / (seconds - start);
  return {
    ...texts,
    [`${name} executions/s`]: Math.round(rate).toLocaleString('en'),
    ...(ours.rate === undefined || !isSame ? {} : { [`times ${name}`]: (ours.rate / rate).toFixed(1) }),
  };
}

function ended(exitCode: number): string {
  return exitCode > 128 ? `more than ${LIMIT} s` : `exit ${exitCode}`;
}
