/** Readers for option values; each says what it expected. */
import { InvalidArgumentError } from 'commander';
import { MODELS } from '../machine/memory/index.ts';
import type { Model } from '../machine/memory/memory.ts';

export function parseModels(text: string): readonly Model[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const wrong = names.find((name) => !MODELS.includes(name as Model));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`"${wrong}" is no memory model; there are ${MODELS.join(', ')}.`);
  return MODELS.filter((model) => names.includes(model));
}

export function parseCount(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return value;
}

export function parseNatural(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('Expected a whole number from 0 on.');
  return value;
}

export function parseSeconds(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number of seconds, such as 10 or 0.5.');
  return value;
}

export function parseOneOf<T extends string>(names: readonly T[]): (text: string) => T {
  return (text) => {
    const name = names.find((n) => n === text.toLowerCase());
    if (name === undefined) throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
    return name;
  };
}

/** For options that may be given several times. */
export function collect(text: string, previous: readonly string[]): readonly string[] {
  return [...previous, text];
}

export function refuseOptimisation(): never {
  throw new InvalidArgumentError(
    'Programs are compiled without optimisation: an optimiser may delete or merge racy accesses, and the errors with them.',
  );
}
