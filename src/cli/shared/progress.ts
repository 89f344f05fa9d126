/**
 * Shows progress on standard error once a task has taken two seconds: a live line on a terminal, otherwise a new line
 * every few seconds.
 */
import type { Estimate } from '../../explore/estimate.ts';
import type { CheckProgress } from '../../pipelines/model-run.ts';
import { groupThousands, plural, printable } from '../../report/text.ts';

const FIRST_AFTER = 2000;
const EVERY_ON_TERMINAL = 200;
const EVERY_OTHERWISE = 5000;

/** What to show, shortened if there is not enough room. */
export interface ProgressLine {
  /** `check `. */
  readonly before: string;
  readonly path: string;
  /** The rest of the line, from its longest form to its shortest. */
  readonly after: readonly [string, ...string[]];
}

/** A path is cut to its end, but not to fewer characters than this. */
const SHORTEST_PATH = 8;

/** Fits the line into the given width: first the path gets shorter, then the rest, and finally the path is dropped. */
export function fitLine({ before, path, after }: ProgressLine, width: number): string {
  const name = printable(path);
  for (const text of after) {
    const room = width - before.length - text.length;
    if (name.length <= room) return before + name + text;
    if (room >= SHORTEST_PATH) return `${before}…${name.slice(1 - room)}${text}`;
  }
  return after.at(-1)!.trimStart().slice(0, width);
}

/** If an estimate may be off by a larger factor, only its range is shown. */
const WIDE = 4;

/** `12,345 executions (4,100/s), 12 blocked, depth 48, about 20,000 in all (15,000 to 26,000), 3 s`. */
export function progressText(now: Omit<CheckProgress, 'model' | 'seconds'>, seconds: number): string {
  const { executions, blocked, depth, estimate } = now;
  const rate = seconds >= 0.1 ? ` (${groupThousands(Math.round(executions / seconds))}/s)` : '';
  // An estimate that has been exceeded is worthless.
  const isGood = estimate !== undefined && estimate.high > executions;
  const total = isGood ? `, about ${totalText(estimate, executions)}` : '';
  const waiting = blocked > 0 ? `, ${groupThousands(blocked)} blocked` : '';
  return `${plural(executions, 'execution')}${rate}${waiting}, depth ${depth}${total}, ${Math.round(seconds)} s`;
}

/** `20,000 in all (15,000 to 26,000)`, or `10,000 to 90,000 in all`. */
function totalText({ executions, low, high }: Estimate, sofar: number): string {
  const round = (count: number): string => groupThousands(Number(count.toPrecision(2)));
  const range = `${round(Math.max(low, sofar))} to ${round(high)}`;
  return high > WIDE * low ? `${range} in all` : `${round(Math.max(executions, sofar))} in all (${range})`;
}

/** The same in fewer characters: `12k executions (4.1k/s), 12 blocked, depth 48, ~20k in all (15k–26k), 3 s`. */
export function shortProgressText(now: Omit<CheckProgress, 'model' | 'seconds'>, seconds: number): string {
  return progressText(now, seconds)
    .replace(/\d{1,3}(,\d{3})+/g, (number) => shortNumber(Number(number.replaceAll(',', ''))))
    .replace('about ', '~')
    .replace(' to ', '–');
}

/** 12,345 → 12k. */
function shortNumber(count: number): string {
  const [unit, sign] = count >= 1e9 ? [1e9, 'G'] : count >= 1e6 ? [1e6, 'M'] : [1e3, 'k'];
  const units = count / unit;
  return `${units < 10 ? Math.floor(units * 10) / 10 : Math.floor(units)}${sign}`;
}

export class Progress {
  private readonly terminal = process.stderr.isTTY === true;
  /** Milliseconds between lines for `fencepost serve`, which shows them as they come. */
  private readonly wanted = Number(process.env['FENCEPOST_PROGRESS_MS'] ?? 0);
  private readonly started = performance.now();
  private lastShown = Number.NEGATIVE_INFINITY;
  private shown = false;

  /** `line` is called only when it is time to show it; it may return `undefined`. */
  update(line: () => ProgressLine | undefined): void {
    const now = performance.now();
    const every = this.terminal ? EVERY_ON_TERMINAL : this.wanted || EVERY_OTHERWISE;
    if (now - this.started < (this.wanted || FIRST_AFTER) || now - this.lastShown < every) return;
    const text = line();
    if (text === undefined) return;
    this.lastShown = now;
    if (this.terminal) {
      const width = Math.max(20, (process.stderr.columns ?? 80) - 1);
      process.stderr.write(`\r\u001b[K${fitLine(text, width)}`);
      this.shown = true;
    } else {
      process.stderr.write(`${fitLine(text, Number.POSITIVE_INFINITY)}\n`);
    }
  }

  /** Erases the live line; call this before anything else is written. */
  clear(): void {
    if (this.shown) process.stderr.write('\r\u001b[K');
    this.shown = false;
  }
}
