/**
 * Generated code is run as JavaScript, and programs are untrusted: nothing in its text comes from their names, strings
 * or comments. Every text consists of the words below, names with a number, numbers and operators.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLitmus } from '../../src/frontend/litmus/litmus.ts';
import { generate } from '../../src/machine/generated/generate.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelNames, modelsWith } from '../../src/models/index.ts';
import type { Program } from '../../src/program/ir.ts';
import { compileC } from '../support/c.ts';
import { generateProgram, programFile } from '../support/c-generate.ts';

/** The quoted texts: there are no others. */
const QUOTED = ["'use strict'", "'no such label: '"];
const SIGNS = /^[\s(){}[\];,:?.+\-*/%&|^~<>=!]*$/;
/** Values that have been computed. */
const NUMBERED = /^v\d+$/;
const WORDS = new Set(
  [
    'case const continue default else for function if let new return switch throw Error Math imul floor',
    // The machine, as in the header of `generate.ts`, and local names.
    'm w s M V O F I E L P Y r t T k p b f a c e g j n q v x y high low other',
    // Members of the machine that are called or read.
    'asOf binary budget call canStore cast check checkWrite compare extend forwardedFrom growJournal hasReturned interpret isOwn journal',
    'handle journalEnd leave length load place push read set slotOfHandle store unary userSite words',
  ].flatMap((line) => line.split(' ')),
);

function textsOf(program: Program, model: Model): readonly string[] {
  const { code, layout, description } = new Machine(program, model);
  return [
    { spin: false, counts: false, unroll: 0 },
    { spin: true, counts: true, unroll: 0 },
    { spin: false, counts: true, unroll: 2 },
  ].flatMap(({ counts, ...loops }) =>
    code.functions.map((_, index) => generate(code, layout, description, loops, counts, index).source),
  );
}

function wordsOf(text: string): Set<string> {
  const plain = QUOTED.reduce((rest, quoted) => rest.replaceAll(quoted, ''), text);
  const words = new Set<string>();
  const rest = plain.replace(/[A-Za-z_$][\w$]*|\d+(?:\.\d+)?(?:e[+-]?\d+)?/g, (word) => {
    if (!/^\d/.test(word)) words.add(word);
    return '';
  });
  expect(rest).toMatch(SIGNS);
  return words;
}

/** Names and texts that would become code if they got into it. */
const HOSTILE_C = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int __proto__, pwned; static const char *constructor = "'); pwned(); //\\\\\\n\\u2028";
static pthread_mutex_t require = PTHREAD_MUTEX_INITIALIZER;
static void *process(void *globalThis) {
  int pwned$é = *(int *)globalThis;
  pthread_mutex_lock(&require);
  __proto__ += pwned$é; pwned = constructor[0];
  pthread_mutex_unlock(&require);
  return globalThis;
}
int main(void) {
  pthread_t eval; int Function = 7;
  pthread_create(&eval, 0, process, &Function);
  printf("\`\${pwned}'\\"%d", __proto__);
  pthread_join(eval, 0);
  assert(__proto__ == 7 && "'); pwned(); //");
  return 0;
}
`;

/** Names in LLVM IR can be any text. */
const HOSTILE_IR = `target triple = "i386-pc-linux-gnu"
@"'); pwned(); //" = global i32 0
define i32 @"\\0A}]; pwned(); /*"(i32 %"*/ pwned") {
"\\0Apwned()":
  %"pwned\`\${}" = load atomic i32, ptr @"'); pwned(); //" seq_cst, align 4
  %"1e999" = add i32 %"pwned\`\${}", %"*/ pwned"
  ret i32 %"1e999"
}
define i32 @main() {
  %r = call i32 @"\\0A}]; pwned(); /*"(i32 -2147483648)
  store i32 %r, ptr @"'); pwned(); //"
  ret i32 0
}
`;

const SB = new URL('../../litmus/SB/SB.litmus', import.meta.url);
const C_MODELS = modelsWith('dpor');

describe('the text of generated code', () => {
  it.each<[string, () => Program | Promise<Program>, readonly Model[]]>([
    ['a C program with hostile names', () => compileC(HOSTILE_C), C_MODELS],
    ['LLVM IR with hostile names', () => compileC({ 'test.ll': HOSTILE_IR }), C_MODELS],
    ['a program with all of C', () => compileC(programFile([generateProgram('p', 77, 0, false)])), ['tso']],
    ['a litmus test', () => parseLitmus(readFileSync(SB, 'utf8'), "'); pwned(); //").program, modelNames()],
  ])('of %s has nothing of the program in it', async (_, load, models) => {
    const program = await load();
    for (const model of models) {
      const texts = textsOf(program, model);
      expect(texts.length).toBeGreaterThan(0);
      for (const text of texts) {
        const strange = [...wordsOf(text)].filter((word) => !WORDS.has(word) && !NUMBERED.test(word));
        expect(strange).toEqual([]);
      }
    }
  });
});
