/** The capabilities of standard output: its width, and whether it supports colours. */

import { COLOURED, PLAIN } from '../../report/style.ts';
import type { PrintOptions } from '../../report/writers/check.ts';

/** Width for files and pipes. */
const DEFAULT_WIDTH = 100;
const MIN_WIDTH = 40;
const MAX_WIDTH = 200;

/** Colours only on a terminal, unless the user has set NO_COLOR (https://no-color.org) or the terminal is dumb. */
export function terminalOptions(
  stream: { readonly isTTY?: boolean; readonly columns?: number } = process.stdout,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): PrintOptions {
  const asked = Number(environment['COLUMNS']);
  const width =
    stream.isTTY === true && stream.columns !== undefined ? stream.columns : asked > 0 ? asked : DEFAULT_WIDTH;
  const noColour = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  return {
    width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)),
    style: stream.isTTY === true && !noColour ? COLOURED : PLAIN,
  };
}
