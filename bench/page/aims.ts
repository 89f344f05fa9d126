/** Our aims, what is recorded, and the sections about missed aims. */
import { besideName } from '../beside.ts';
import { lastResults } from '../results.ts';
import { grouped, markdownTable } from '../tables/page.ts';
import { costsOfMonitors, programName, rounded, startSeconds } from './tables.ts';

interface Aim {
  readonly what: string;
  readonly wanted: string;
  /** In words; `undefined`: not recorded. */
  readonly now: string | undefined;
  readonly isMet: boolean;
  /** The section about it. */
  readonly section: string;
}

/** Executions per CPU second on a quiet machine. */
const RATES: Readonly<Record<string, number>> = {
  'readers(15) sc': 120_000,
  'fib(6) sc': 300_000,
  'fib(6) tso': 220_000,
  'fib(6) pso': 220_000,
  'sb-ring(15) sc': 200_000,
  'sb-ring(15) tso': 60_000,
  'sb-ring(15) pso': 60_000,
  'mutex(8) sc': 200_000,
  'lastzero(15) sc': 80_000,
  'indexer(16) sc': 60_000,
  'fetch-add(8) sc': 400_000,
};
/** Sizes that each add two threads. */
const GROWING: Readonly<Record<string, readonly string[]>> = {
  'MP ring under TSO': ['mp-ring(5) tso', 'mp-ring(7) tso', 'mp-ring(9) tso'],
  'SB ring under TSO': ['sb-ring(11) tso', 'sb-ring(13) tso', 'sb-ring(15) tso'],
};
const MOST_GROWTH = 1.1;
const TIMES_GENMC = 3;
const STARTS: readonly (readonly [string, string, number])[] = [
  ['C program', 'start to verdict on a minimal C program', 0.15],
  ['empty cache', 'the same with an empty cache', 1],
];
const MOST_FOR_MONITORS = 0.1;
const LOG_EVENTS = 3e6;
const MAY_DIFFER = 2;

function rateOf(suite: string, name: string): number | undefined {
  return lastResults(suite)?.cases.find((c) => c.name === name)?.rates['executions/s'];
}

function rates(): readonly Aim[] {
  return Object.entries(RATES).map(([name, wanted]) => {
    const rate = rateOf('dpor', name);
    return {
      ...{ what: programName(name), wanted: `${grouped(wanted)} executions/s`, section: 'the-core' },
      now: rate === undefined ? undefined : rounded(rate),
      isMet: rate !== undefined && rate >= wanted,
    };
  });
}

function buffers(): readonly Aim[] {
  return Object.entries(GROWING).flatMap(([program, names]) => {
    const found = names.map((name) => rateOf('growth', name));
    const isKnown = found.every((rate) => rate !== undefined);
    const growth = isKnown ? found.slice(1).map((rate, i) => found[i]! / rate!) : [];
    const last = lastResults(besideName('growth'))?.cases.find(({ name }) => name === names.at(-1));
    const times = Number(last?.texts?.['times genmc']);
    return [
      {
        ...{ what: `${program}: time per execution with two threads more`, section: 'buffers' },
        wanted: `at most ${MOST_GROWTH} times`,
        now: isKnown ? growth.map((one) => one.toFixed(2)).join(', then ') : undefined,
        isMet: isKnown && growth.every((one) => one <= MOST_GROWTH),
      },
      {
        ...{ what: `${program}: ${programName(names.at(-1)!)} beside GenMC`, section: 'buffers' },
        wanted: `${TIMES_GENMC} times as fast`,
        now: Number.isNaN(times) ? undefined : `${times} times`,
        isMet: times >= TIMES_GENMC,
      },
    ];
  });
}

function starts(): readonly Aim[] {
  return STARTS.map(([name, what, most]) => {
    const seconds = startSeconds(name);
    return {
      ...{ what, wanted: `${most} s of CPU time`, section: 'start-and-warm-up' },
      now: seconds === undefined ? undefined : `${seconds.toFixed(2)} s`,
      isMet: seconds !== undefined && seconds <= most,
    };
  });
}

function monitors(): readonly Aim[] {
  const results = lastResults('monitors');
  const costs = results === undefined ? [] : costsOfMonitors(results);
  const events = results?.cases.find(({ name }) => name === 'logs')?.rates['events/s'];
  const over = costs.filter((cost) => cost > MOST_FOR_MONITORS).length;
  const most = Math.round(100 * Math.max(...costs));
  return [
    {
      ...{ what: 'monitors', wanted: 'at most 10 % on every program', section: 'monitors-and-logs' },
      now: costs.length === 0 ? undefined : `up to ${most} %; more than 10 % on ${over} of ${costs.length} programs`,
      isMet: costs.length > 0 && over === 0,
    },
    {
      ...{ what: 'logs', wanted: '3 million events/s', section: 'monitors-and-logs' },
      now: events === undefined ? undefined : `${(events / 1e6).toFixed(2)} million`,
      isMet: (events ?? 0) >= LOG_EVENTS,
    },
  ];
}

function estimate(): readonly Aim[] {
  const cases = lastResults('estimate')?.cases ?? [];
  const isOff = (text: string | undefined): boolean => !(Number(text) <= MAY_DIFFER && Number(text) >= 1 / MAY_DIFFER);
  const off = cases.filter(({ texts }) => isOff(texts?.['at a tenth']));
  const names = off.map(({ name, texts }) => `${programName(name)} ${texts?.['at a tenth']}`).join(', ');
  return [
    {
      what: 'estimate of the number of executions, after a tenth of the search',
      wanted: 'within a factor of two on all scale programs',
      now:
        cases.length === 0
          ? undefined
          : `${cases.length - off.length} of ${cases.length}${off.length > 0 ? `; not ${names}` : ''}`,
      isMet: cases.length > 0 && off.length === 0,
      section: 'estimates',
    },
  ];
}

export function aims(): string {
  const all = [...buffers(), ...starts(), ...rates(), ...monitors(), ...estimate()];
  const rows = all.map(({ what, wanted, now, isMet, section }) => [
    what,
    wanted,
    now ?? 'not recorded',
    isMet ? 'yes' : `no: [more](#${section})`,
  ]);
  return markdownTable(['what', 'aim', 'recorded', 'met'], rows);
}
