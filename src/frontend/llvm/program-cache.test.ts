import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hash } from '../../platform/hash.ts';
import type { Program } from '../../program/ir.ts';
import type { CompiledProgram } from './clang/clang.ts';
import { ProgramCache } from './program-cache.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fencepost-programs-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const text = Buffer.from('int main(void) {}\n');
const inputs = { files: [['/a.c', hash(text)]] as const, absent: [], folders: [] };
const file = {
  file: 'a.c',
  ir: '',
  hash: '1',
  defines: ['main'],
  diagnostics: '',
  clang: '',
  sources: ['a.c'],
  inputs,
};
const library = [{ file: 'lib/exit.c', ir: '', hash: '2', defines: ['exit'] }];
const compiled: CompiledProgram = { files: [file], library };

const constant = (value: number | bigint) => ({ kind: 'constant', type: 'f64', value }) as const;
const program: Program = {
  name: 'a.c',
  globals: [{ name: 'x', size: 4, align: 4, init: Uint8Array.of(0, 255) }],
  functions: [],
  roots: [{ name: 'main', function: 0, arguments: [0, -0, NaN, 2n ** 63n].map(constant) }],
};

const open = (from = compiled, options: unknown = ['main'], code: string | undefined = 'code') =>
  ProgramCache.open(from, options, { XDG_CACHE_HOME: home }, code);
const keep = (): void => {
  open()!.put(program);
};

test('a program is found again, with every kind of number', () => {
  expect(open()!.get()).toBeUndefined();
  keep();
  expect(open()!.get()).toStrictEqual(program);
});

test('a program is not found for other code, IR, library, texts or options', () => {
  keep();
  expect(open(compiled, ['main'], 'other code')!.get()).toBeUndefined();
  expect(open({ files: [{ ...file, hash: '3' }], library })!.get()).toBeUndefined();
  expect(open({ files: [{ ...file, file: 'b.c' }], library })!.get()).toBeUndefined();
  expect(open({ files: [file], library: [{ ...library[0]!, hash: '3' }] })!.get()).toBeUndefined();
  const other = { ...inputs, files: [['/a.c', hash('int x;\n')]] as const };
  expect(open({ files: [{ ...file, inputs: other }], library })!.get()).toBeUndefined();
  expect(open(compiled, ['other'])!.get()).toBeUndefined();
  expect(open()!.get()).toStrictEqual(program);
});

test('nothing is kept if our code, or what a file was made from, is not known', () => {
  expect(ProgramCache.open(compiled, [], { XDG_CACHE_HOME: home })).toBeUndefined();
  const { inputs: _, ...untracked } = file;
  expect(open({ files: [untracked], library })).toBeUndefined();
  expect(ProgramCache.open(compiled, [], { XDG_CACHE_HOME: home, FENCEPOST_CACHE: 'off' }, 'code')).toBeUndefined();
});

test('a program is not kept if a text has changed since it was compiled, or was not read', () => {
  for (const [path, seen] of [
    ['/a.c', Buffer.from('int x;\n')],
    ['/a.c', undefined],
    ['/b.c', text],
  ] as const) {
    const cache = open()!;
    cache.sees(path, seen);
    cache.put(program);
    expect(open()!.get()).toBeUndefined();
  }
  const cache = open()!;
  cache.sees('/x/../a.c', text);
  cache.put(program);
  expect(open()!.get()).toStrictEqual(program);
});

test('a damaged program is not used', () => {
  keep();
  const folder = join(home, 'fencepost', 'programs');
  const path = join(folder, readdirSync(folder)[0]!);
  const whole = readFileSync(path);
  for (const at of [3, 64, 70, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 4;
    writeFileSync(path, damaged);
    expect(open()!.get()).toBeUndefined();
  }
});
