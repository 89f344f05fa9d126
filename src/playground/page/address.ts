/**
 * A question as the fragment of the address, which browsers never send anywhere:
 *
 *   #examples/peterson.c?command=fix&model=tso&options=-D+FENCED     an unchanged example
 *   #code=eJw…                                                       any other program and question, compressed
 */
import type { Program } from '../engine/messages.ts';
import { exampleOf, textOf } from './examples.ts';
import { COMMANDS, isNameOfMain, isNameOfOther, type Question, questionOf } from './question.ts';

export async function printAddress(question: Question): Promise<string> {
  const { name, text, others, command, models, options } = question;
  const example = exampleOf(question);
  if (example === undefined) {
    const more = others.length === 0 ? [] : [others.map((file) => [file.name, file.text])];
    return `#code=${await compress(JSON.stringify([name, text, command, models, options, ...more]))}`;
  }
  const usual = questionOf(example);
  const parts = new URLSearchParams();
  if (command !== usual.command) parts.set('command', command);
  if (models !== undefined) parts.set('model', models.join(','));
  if (options !== usual.options) parts.set('options', options);
  return `#${example}${parts.size === 0 ? '' : `?${parts}`}`;
}

/** `undefined` if there is no question; throws an error if the fragment is not one of ours. */
export async function parseAddress(fragment: string): Promise<Question | undefined> {
  const address = fragment.replace(/^#/, '');
  if (address === '') return undefined;
  if (address.startsWith('code=')) return questionFrom(JSON.parse(await decompress(address.slice('code='.length))));
  const [path = '', query = ''] = address.split('?');
  const example = decodeURIComponent(path);
  if (textOf(example) === undefined) throw new Error('no such example');
  const usual = questionOf(example);
  const parts = new URLSearchParams(query);
  return questionFrom([
    usual.name,
    usual.text,
    parts.get('command') ?? usual.command,
    parts.get('model')?.split(',') ?? undefined,
    parts.get('options') ?? usual.options,
  ]);
}

/** Checks the data of an address, which may come from anybody. */
function questionFrom(data: unknown): Question {
  const [name, text, command, models, options, files = []] = Array.isArray(data) ? (data as readonly unknown[]) : [];
  const known = COMMANDS.find((other) => other === command);
  const isListed =
    models === undefined ||
    models === null ||
    (Array.isArray(models) && models.every((m) => /^[\w-]+$/.test(String(m))));
  if (
    typeof name !== 'string' ||
    !isNameOfMain(name) ||
    typeof text !== 'string' ||
    typeof options !== 'string' ||
    known === undefined ||
    !isListed
  ) {
    throw new Error('not an address of the playground');
  }
  const others = othersFrom(files, name);
  return { name, text, others, command: known, models: (models as readonly string[] | null) ?? undefined, options };
}

function othersFrom(data: unknown, main: string): readonly Program[] {
  const others: Program[] = [];
  for (const file of Array.isArray(data) ? (data as readonly unknown[]) : [undefined]) {
    const [name, text] = Array.isArray(file) ? (file as readonly unknown[]) : [];
    const isKnown = name === main || others.some((other) => other.name === name);
    if (typeof name !== 'string' || typeof text !== 'string' || !isNameOfOther(name) || isKnown)
      throw new Error('not an address of the playground');
    others.push({ name, text });
  }
  return others;
}

async function through(bytes: Uint8Array, by: GenericTransformStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes as BlobPart]).stream().pipeThrough(by)).arrayBuffer());
}

async function compress(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let characters = '';
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

async function decompress(text: string): Promise<string> {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(characters, (c) => c.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));
}
