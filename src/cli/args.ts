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
