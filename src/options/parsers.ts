/** Parsers of option arguments; each error says what was expected. */
import { OptionError } from './option.ts';

export function parseCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count) || count < 1) throw new OptionError('Expected a whole number of at least 1.');
  return count;
}

export function parseNatural(text: string): number {
  const natural = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(natural)) throw new OptionError('Expected a whole number of at least 0.');
  return natural;
}

/** The largest number of a range that starts at 0: `5` or `0..5`. */
export function parseUpTo(text: string): number {
  const most = /^(?:0\.\.)?(\d+)$/.exec(text)?.[1];
  const natural = most === undefined ? Number.NaN : Number(most);
  if (!Number.isSafeInteger(natural))
    throw new OptionError('Expected a whole number such as 2, or a range from 0 such as 0..2.');
  return natural;
}

/** The seconds of one unit; without a unit, a number is in seconds. */
const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };

export function parseSeconds(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text) ?? [];
  const seconds = number === undefined ? Number.NaN : Number(number) * SECONDS[unit]!;
  if (!(seconds > 0)) throw new OptionError('Expected a time above 0, such as 10, 0.5, 30s, 5m or 1h.');
  return seconds;
}

export function parseProbability(text: string): number {
  const probability = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(probability >= 0 && probability <= 1)) throw new OptionError('Expected a number from 0 to 1, such as 0.5.');
  return probability;
}

export function parseCycleLength(text: string): number {
  const length = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(length >= 4 && length <= 16 && length % 2 === 0)) {
    throw new OptionError('Expected an even number from 4 to 16: two events for each thread in the cycle.');
  }
  return length;
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw new OptionError('Expected a port from 0 to 65535; 0 picks a free one.');
  return port;
}

export function parseOneOf<T extends string>(names: readonly T[]): (text: string) => T {
  return (text) => {
    const name = names.find((n) => n === text.toLowerCase());
    if (name === undefined) throw new OptionError(`Expected one of ${names.join(', ')}.`);
    return name;
  };
}

/** Some of these, separated by commas; `refusal` is the message for any other word, `meant` the name that a word means. */
export function parseSomeOf<T extends string>(
  names: readonly T[],
  refusal = (word: string): string => `Unknown name "${word}"; expected one of ${names.join(', ')}.`,
  meant = (word: string): string => word,
): (text: string) => readonly T[] {
  return (text) => {
    const words = text.split(',').map((word) => meant(word.trim().toLowerCase()));
    const wrong = words.find((word) => !names.includes(word as T));
    if (wrong !== undefined) throw new OptionError(refusal(wrong));
    return names.filter((name) => words.includes(name));
  };
}
