/**
 * Single instructions on one thread: their results are compared with C on many values, and their effects on memory by
 * the program operations that both are lowered to. Two statements with the same operations, in the same order, on the
 * same values, have the same traces. `assembly.ts` has searches with two threads.
 */
import type { Target } from '../../src/frontend/llvm/clang/targets.ts';
import { readAssembly } from '../../src/frontend/llvm/lower/assembly-text.ts';
import type { Program } from '../../src/program/ir.ts';
import { compileC, runAlone } from './c.ts';
import { DEEP } from './tier.ts';

/**
 * The body of a function with the parameters `void *p` (16 bytes, the second half of which holds `v`), `long v` and
 * `long w`, which returns a number.
 */
export interface Case {
  readonly asm: string;
  readonly c: string;
  /** C that is not equivalent: it has another result for some values, or other operations. */
  readonly not: string;
}

const PRELUDE = `#include <stdio.h>
#define A __asm__ volatile
#define LOAD(p, o) __atomic_load_n(p, __ATOMIC_##o)
#define STORE(p, v, o) __atomic_store_n(p, v, __ATOMIC_##o)
#define RMW(f, p, v, o) __atomic_fetch_##f(p, v, __ATOMIC_##o)
#define SWAP(p, v, o) __atomic_exchange_n(p, v, __ATOMIC_##o)
#define CAS(p, e, v, o, f) __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_##o, __ATOMIC_##f)
typedef struct { long l, h; } __attribute__((aligned(16))) pair;
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned u32; typedef unsigned long u64;
typedef signed char s8; typedef short s16; typedef int s32; typedef long s64;
typedef long (*function)(void *, long, long);
`;

const VALUES = `5, -1, -2147483647 - 1, 0x123456789abcdefl${DEEP ? ', 0, 1, 37, -128, 0x7fffffff' : ''}`;

export interface Answers {
  /** Cases in which some result differs from C's. */
  readonly wrong: readonly number[];
  /** Cases that behave like their `not`. */
  readonly same: readonly number[];
}

export async function runCases(target: Target, cases: readonly Case[]): Promise<Answers> {
  const functions = cases.flatMap(({ asm, c, not }, n) =>
    [asm, c, not].map((body, k) => `long f${n}_${k}(void *p, long v, long w) { ${body} }`),
  );
  const source = `${PRELUDE}${functions.join('\n')}
static function all[][3] = {${cases.map((_, n) => `{f${n}_0, f${n}_1, f${n}_2}`).join(', ')}};
static const long values[] = {${VALUES}};
enum { N = sizeof values / sizeof *values };
int main(void) {
  for (int n = 0; n < ${cases.length}; n++) {
    int bad = 0, other = 0;
    for (int i = 0; i < N; i++) for (int k = 0; k < N; k++) {
      pair at[3]; long result[3];
      for (int f = 0; f < 3; f++) { at[f].l = values[i]; at[f].h = values[k]; result[f] = all[n][f](&at[f], values[k], values[i]); }
      bad |= result[0] != result[1] || at[0].l != at[1].l || at[0].h != at[1].h;
      other |= result[0] != result[2] || at[0].l != at[2].l || at[0].h != at[2].h;
    }
    if (bad) printf("wrong %d\\n", n);
    if (!other) printf("same %d\\n", n);
  }
  return 0;
}
`;
  const program = await compileC({ 'cases.c': source }, { target });
  const printed = runAlone(program);
  const found = (word: string): number[] =>
    [...printed.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, n]) => Number(n));
  const operations = (n: number, k: number): string => operationsOf(program, `f${n}_${k}`);
  const wrong = new Set(found('wrong'));
  for (const n of cases.keys()) if (operations(n, 0) !== operations(n, 1)) wrong.add(n);
  return { wrong: [...wrong], same: found('same').filter((n) => operations(n, 0) === operations(n, 2)) };
}

const VISIBLE = new Set(['load', 'store', 'rmw', 'cmpxchg', 'fence']);

/** The accesses and fences of a function, in the order of its text: kinds, sizes and orders. */
function operationsOf(program: Program, name: string): string {
  const func = program.functions.find((one) => one.name === name);
  if (func === undefined) throw new Error(`there is no function ${name}`);
  const lines = func.blocks.flatMap(({ body }) =>
    body.flatMap((i) => {
      if (!VISIBLE.has(i.op)) return [];
      const { op, order, failureOrder, operator, partial, isStore } = i as unknown as Record<string, unknown>;
      return [JSON.stringify([op, order, failureOrder, operator, partial, isStore])];
    }),
  );
  return lines.join('\n');
}

/** The instructions in the assembly of a C text; locked ones with their `lock` prefix. */
export function instructionsIn(text: string): readonly string[] {
  const texts = [...text.matchAll(/\bA\("((?:[^"\\]|\\.)*)"/g)].map(([, one]) => one!.replaceAll('\\n', '\n'));
  return texts.flatMap((one) =>
    readAssembly(one.replaceAll('%', '$'), 'aarch64').map(({ name, isLocked }) => (isLocked ? `lock ${name}` : name)),
  );
}

/** All texts that a simple pattern matches; it may have groups, alternatives, sets of letters and `?`. */
export function expand(pattern: RegExp): readonly string[] {
  const text = pattern.source.replace(/^\^/, '').replace(/\$$/, '');
  let at = 0;
  const alternatives = (): string[] => {
    const found: string[] = [];
    let row = [''];
    for (; at < text.length && text[at] !== ')'; ) {
      if (text[at] === '|') {
        found.push(...row);
        row = [''];
        at++;
        continue;
      }
      let items: string[];
      if (text[at] === '(') {
        at += text.startsWith('(?:', at) ? 3 : 1;
        items = alternatives();
        at++;
      } else if (text[at] === '[') {
        const end = text.indexOf(']', at);
        items = [...text.slice(at + 1, end)];
        at = end + 1;
      } else {
        if (text[at] === '\\') at++;
        items = [text[at]!];
        at++;
      }
      if (text[at] === '?') {
        items = ['', ...items];
        at++;
      }
      row = row.flatMap((left) => items.map((right) => left + right));
    }
    return [...found, ...row];
  };
  return [...new Set(alternatives())];
}
