import { expect, it } from 'vitest';
import { compilerOf, lineProblem, linksProgram, recordingLine } from './recording-line.ts';

const CLANG = { kind: 'clang', version: 16 } as const;
const GCC = { kind: 'gcc', version: 12 } as const;
const RUNTIME = { folder: '/runtime', object: '/runtime/record.o' };

it.each([
  ['Debian clang version 14.0.6\nTarget: aarch64-unknown-linux-gnu', { kind: 'clang', version: 14 }],
  ['Ubuntu clang version 19.1.1 (1ubuntu1)', { kind: 'clang', version: 19 }],
  ['gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.', GCC],
  ['g++ (GCC) 13.2.1 20230801\nCopyright (C) 2023 Free Software Foundation, Inc.', { kind: 'gcc', version: 13 }],
  ['GNU Make 4.3\nCopyright (C) 1988-2020 Free Software Foundation, Inc.', undefined],
  ['v20.0.0', undefined],
])('knows %s', (text, compiler) => {
  expect(compilerOf(text)).toEqual(compiler);
});

it('links our runtime into programs only', () => {
  expect(linksProgram(['x.c', '-o', 'x'])).toBe(true);
  expect(linksProgram(['-c', 'x.c'])).toBe(false);
  expect(linksProgram(['-shared', 'x.o'])).toBe(false);
});

it('keeps the line, and adds to it', () => {
  const words = ['clang', '-O2', 'x.c'];
  const clang = recordingLine(words, CLANG, RUNTIME);
  expect(clang.slice(0, 3)).toEqual(words);
  expect(clang).toContain('-fno-sanitize-link-runtime');
  expect(clang).toContain(RUNTIME.object);
  expect(recordingLine(words, CLANG, undefined)).not.toContain('-ldl');
  expect(recordingLine(words, GCC, RUNTIME)).toContain('-B/runtime');
});

it('refuses what cannot work', () => {
  expect(lineProblem(['clang', '-static', 'x.c'], CLANG)).toContain('-static');
  expect(lineProblem(['gcc', 'x.c'], { kind: 'gcc', version: 9 })).toContain('gcc 11 or newer');
  expect(lineProblem(['gcc', 'x.c'], GCC)).toBeUndefined();
});
