/** Where results go, and in which format. */
import { type Described, flag, type Option, ofCommand, text, value } from './option.ts';
import { parseOneOf } from './parsers.ts';

export const REPORTERS = ['text', 'json', 'sarif', 'junit', 'github', 'tap'] as const;
export type ReporterName = (typeof REPORTERS)[number];

const DEFAULT_OUT = 'fencepost-out';

export const HTML: Option<string> = {
  ...text('--html <file>', 'also write an HTML page to step through in a browser'),
  isCommon: true,
  isOfOutput: true,
  isOfOneProgram: true,
};

/** `json`, `sarif` and `junit` are shorthands for `reporter`. */
export interface ReporterChoices {
  readonly reporter?: ReporterName;
  readonly json: boolean;
  readonly sarif: boolean;
  readonly junit: boolean;
  readonly html?: string;
}

export const REPORTER: Described<ReporterChoices> = {
  reporter: {
    ...value('--reporter <name>', `output format: ${REPORTERS.join(', ')}`, parseOneOf(REPORTERS)),
    isOfOutput: true,
  },
  json: { ...flag('--json', 'write one JSON document'), isOfOutput: true },
  sarif: { ...flag('--sarif', 'write SARIF 2.1.0, for code hosts and editors'), isOfOutput: true },
  junit: { ...flag('--junit', 'write JUnit XML, for CI services'), isOfOutput: true },
  html: HTML,
};

export const FULL: Option<boolean> = {
  ...flag('--full', 'show every row of a long execution, without folding'),
  isOfOutput: true,
};

export interface KeepChoices {
  readonly full: boolean;
  /** Where to save failing runs; false: nowhere. */
  readonly out: string | false;
}

export const KEEP: Described<KeepChoices> = {
  full: FULL,
  out: {
    ...value<string | false>(
      '--out <folder>',
      'save failing runs in this folder, for fencepost replay',
      (folder) => folder,
      DEFAULT_OUT,
    ),
    off: { flags: '--no-out', help: 'do not save failing runs' },
    isOfOutput: true,
  },
};

/** The help of `--record`. Monitors run if a model with store buffers or robustness is checked. */
export const RECORDED: string =
  'record one SC execution as a log for fencepost monitor, and say which: one with a monitor alarm (tso, pso), else a ' +
  'failing one, else a random one';

export function record(help: string): Option<string> & { readonly isOfCommand: true } {
  return ofCommand({ ...text('--record <file>', help), isOfOutput: true, isOfOneProgram: true });
}

/** The chosen reporter, `text` by default; a problem if there are several. */
export function chooseReporter(
  choices: ReporterChoices,
): { readonly name: ReporterName } | { readonly problem: string } {
  const asked = new Set<ReporterName>(choices.reporter === undefined ? [] : [choices.reporter]);
  for (const name of ['json', 'sarif', 'junit'] as const) if (choices[name]) asked.add(name);
  const [name = 'text', ...others] = asked;
  return others.length === 0 ? { name } : { problem: `choose one reporter, not ${[...asked].join(' and ')}` };
}
