/** Options of the commands that do little or no searching: `litmus`, `monitor`, `record`, `replay`, `serve`. */
import { defaultLitmusModels, isLanguage, type Model, modelNames } from '../models/index.ts';
import { CAUSAL, type MonitorName } from '../monitor/monitors.ts';
import type { CommandChoices } from './command-choices.ts';
import { CLANG } from './compile.ts';
import { type Described, flag, text, value } from './option.ts';
import { FULL, HTML, REPORTER, type ReporterChoices } from './output.ts';
import { parseCount, parsePort } from './parsers.ts';
import { MONITORS } from './robust.ts';
import { INTERPRET, JOBS, MAX_STATES, modelsOr, someOf } from './search.ts';

export interface LitmusChoices extends Pick<CommandChoices, 'jobs'> {
  readonly models: readonly Model[];
  readonly traces: boolean;
  readonly maxStates: number;
  readonly interpret: boolean;
}

const OF_LITMUS = modelsOr('litmus', defaultLitmusModels(false));
const OF_C = defaultLitmusModels(true).filter(isLanguage).join(', ');

export const LITMUS: Described<LitmusChoices> = {
  models: { ...OF_LITMUS, help: `${OF_LITMUS.help}; by default, tests in C also run under ${OF_C}` },
  traces: flag('--traces', 'show an example execution for each final state, with the store buffers'),
  maxStates: { ...MAX_STATES, help: 'stop a test after n states' },
  jobs: { ...JOBS, help: 'run tests on n threads' },
  interpret: INTERPRET,
};

export interface MonitorChoices extends ReporterChoices {
  readonly monitors: readonly MonitorName[];
}

const DEFAULT_MONITORS: readonly MonitorName[] = Object.values(CAUSAL);

export const MONITOR: Described<MonitorChoices> = {
  monitors: {
    ...someOf('--monitor <list>', 'monitors, separated by commas', MONITORS),
    initial: DEFAULT_MONITORS,
    shown: DEFAULT_MONITORS.join(','),
  },
  ...REPORTER,
  html: text('--html <file>', 'also write a page with the violations'),
};

export interface ReplayChoices {
  readonly models: readonly Model[];
  readonly error?: number;
  readonly cycle?: number;
  readonly step: boolean;
  readonly full: boolean;
  readonly original: boolean;
  readonly clang?: string;
  readonly interpret: boolean;
  readonly html?: string;
  readonly graph?: string;
}

export const REPLAY: Described<ReplayChoices> = {
  models: { ...modelsOr('check', modelNames()), help: 'only the executions under these models' },
  error: value('--error <n>', 'only the n-th failing execution under each model', parseCount),
  cycle: value('--cycle <n>', 'for robust and hunt: the n-th cycle of each result, failing or not', parseCount),
  step: flag('--step', 'walk through the execution: forward, back, to a line; buffers, memory, calls, local variables'),
  full: FULL,
  original: flag('--original', 'the execution as found, before it was simplified'),
  clang: CLANG,
  interpret: INTERPRET,
  html: HTML,
  graph: text('--graph <file>', 'also write the chronological trace as a graph, to a .dot, .gv or .json file'),
};

export interface RecordChoices {
  readonly print: boolean;
  readonly out?: string;
}

export const RECORD: Described<RecordChoices> = {
  print: flag('--print', 'print the command line instead of running it'),
  out: text('--out <log>', 'the log that the program writes; FENCEPOST_LOG chooses another when it runs'),
};

export interface ServeChoices {
  readonly port: number;
}

export const SERVE: Described<ServeChoices> = {
  port: value('-p, --port <n>', 'port to listen on; 0 picks a free one', parsePort, 4747),
};
