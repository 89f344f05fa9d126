/** Assembly that stops a program, and assembly that reads the time. */
import { describe, expect, it } from 'vitest';
import { check, compileC, verdict } from '../../support/c.ts';

const TRAPS = {
  x86_64: ['int3', 'ud2', 'int $3'],
  aarch64: ['brk #0', 'brk 0xf000', 'udf #7', 'hlt 1'],
  riscv64: ['ebreak', 'unimp', 'c.ebreak'],
} as const;

describe.each(Object.entries(TRAPS))('%s', (target, texts) => {
  const source = texts
    .map(
      (text, n) => `void trap_${n}(void) { __asm__ volatile("${text}"); }
void skipped_${n}(void) { static int zero; if (zero) __asm__ volatile("nop\\n\\t${text}"); }
int reached_${n}(void) { static int done; trap_${n}(); done = 1; return done; }`,
    )
    .join('\n');
  const options = { target } as { target: 'x86_64' };

  it.each(texts.map((text, n) => [text, n] as const))('%s is abort', async (_, n) => {
    const found = check(await compileC(source, { ...options, entry: `trap_${n}` }), 'sc');
    expect(verdict(found)).toBe('assertion: abort called');
    expect(found.errors[0]!.error.line).toBe(3 * n + 1);
    expect(verdict(check(await compileC(source, { ...options, entry: `reached_${n}` }), 'sc'))).toBe(
      'assertion: abort called',
    );
    expect(verdict(check(await compileC(source, { ...options, entry: `skipped_${n}` }), 'sc'))).toBe('verified');
  });
});

it('another exception is refused', async () => {
  await expect(compileC('int main(void) { __asm__ volatile("int $0x80"); return 0; }')).rejects.toThrow(
    'test.c:1:18: unsupported inline assembly: "int $$0x80"; the instruction is not modelled',
  );
});

it('a trap between a label and a jump ends only the paths that reach it', async () => {
  const source = `int run(int x) { __asm__ volatile("jmp 2f\\n1: int3\\n2: testl %0, %0\\n je 1b" : : "r"(x)); return 0; }
int never(void) { return run(1); }
int always(void) { return run(0); }`;
  expect(verdict(check(await compileC(source, { entry: 'never' }), 'sc'))).toBe('verified');
  expect(verdict(check(await compileC(source, { entry: 'always' }), 'sc'))).toBe('assertion: abort called');
});

describe('counters are the clock of the thread', () => {
  const READS = {
    aarch64: ['cntvct_el0', 'cntpct_el0', 'cntvctss_el0', 'pmccntr_el0'].map((name) => `mrs %0, ${name}`),
    riscv64: ['rdtime %0', 'rdcycle %0', 'rdinstret %0', 'csrr %0, time', 'csrr %0, cycle', 'csrr %0, instret'],
  };
  it.each(Object.entries(READS))('of %s', async (target, reads) => {
    const lines = reads.map((text) => `  __asm__ volatile("${text}" : "=r"(now)); assert(now > last); last = now;`);
    const frequency = '__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(now)); assert(now == 1000000000);';
    const source = `#include <assert.h>
#include <time.h>
int main(void) {
  struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
  unsigned long now, last = t.tv_sec * 1000000000ul + t.tv_nsec, first = last;
${lines.join('\n')}
  assert(last - first < 1000000000);
  ${target === 'aarch64' ? frequency : ''}
}`;
    expect(verdict(check(await compileC(source, { target } as { target: 'aarch64' }), 'sc'))).toBe('verified');
  });

  it('other system registers are refused', async () => {
    const source = 'int main(void) { unsigned long x; __asm__ volatile("mrs %0, tpidr_el0" : "=r"(x)); return 0; }';
    await expect(compileC(source, { target: 'aarch64' })).rejects.toThrow('the instruction is not modelled');
  });
});
