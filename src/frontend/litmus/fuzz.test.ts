import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEEP, floor, SEED, samples } from '../../../test/support/tier.ts';
import { validate } from '../../program/validate.ts';
import { LitmusError } from './error.ts';
import { parseLitmus } from './litmus.ts';

const MUTANTS = samples(1000);

const seeds: readonly string[] = [
  'X86 SB\n"doc"\nCycle=Rfe Fre\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n',
  'X86 amd5 (amdFive) "Loads"\n{x = 0; y = 0; P0:EAX = 1};\n P0 | P1 ;\n mov [x], 1 | mfence ;\n xchg [x],EAX | lfence ;\nfinal (P0:EAX = 0 /\\ P1:EBX = 0);\nwith\ntso: ~exists;\ndefault: exists;\n<<\nshow 3\n>>\n',
  'X86 spin\n{}\nP0;\n L0: MOV EAX,[x] ;\n CMP EAX,$1 ;\n JNE L0 ;\n JMP L1 ;\n NOP ;\n L1: ;\nlocations [x; 0:EAX;]\nforall 0:EAX=1\n',
  'X86 rmw\n{0:EBX=1; int x=3;}\nP0 | P1;\nLOCK INC [x] | LOCK XADD [x],EBX;\nLOCK CMPXCHG [x],EBX | lock; and [x],$6;\nJE E | XOR EAX,EAX;\nE: | DEC [x];\n~exists (x=1 \\/ x!=2 => ~(0:EAX=1:EAX))\n',
  'X86_64 SB64\n{ uint64_t x; uint64_t y; uint64_t 0:rax; }\n P0 | P1 ;\n movq $1,(x) | movq $1,(y) ;\n movq (y),%rax | movq (x),%rax ;\nexists (0:rax=0 /\\ 1:rax=0)\n',
  'X86_64 parts\n{ 0:rax=-1; int8_t b=0x7f; }\nP0;\nmovb $1,%al; movw %ax,%bx; movl %eax,%ecx; movzbl (b),%edx; movslq %ecx,%rsi; mov %al,%ah;\nforall (0:ah=1 /\\ 0:bx=0xff01 /\\ b=127)\n',
  'X86_64 pointers\n{ int x=1; int *p=&x; q=x; int a[2]={1,2}; 0:rdi=a; }\nP0;\nmovq (p),%rax; movl (%rax),%ebx; movl 4(%rdi),%ecx; movl a(,%rbx,4),%edx; leaq x(%rip),%r8;\nexists (p=x /\\ 0:rax=&x /\\ a[1]=2 /\\ a={1,2} /\\ 0:r8=[p])\n',
  'X86_64 cas\n{ }\nP0 | P1;\nmovl $1,%ecx | lock xaddl %eax,(x);\nlock cmpxchgl %ecx,(x) | xchgl %eax,(x);\njz L | subl $1,x;\nL: | ret;\nfilter x<>7\nexists x in {1,2,3}\n',
  'X86 types\n{ char c=1; short s[3]; unsigned int u=4294967295; long l; _Atomic int v; [w]=2; int *p; }\nP0;\nMOV BYTE PTR [c],$2; MOV WORD [s+2],$3; MOV ECX,[EAX+EBX*4-8]; MOV AL,[c-0];\nlocations [c; s; u uint32_t; p int*;]\n',
  'X86 comments (* outer (* inner *) *)\n{ (* x=1; *) x=2 }\nP0 (* head *) ;\n(* row *) MFENCE ; (* MOV *)\nexists (* here *) true\n',
  'X86 flags\n{}\nP0;\nADD EAX,$-1; JC A; SUB EAX,EBX; JO B; TEST EAX,EAX; JS C;\nA: INC EAX; B: DEC EAX; C: JBE A; JG B;\nexists (not false)\n',
  'X86 empty\n{}\nP0 | P1 | P2;\n | | ;\n',
];

/** A generator of our own, so that a failure can be reproduced from its seed alone. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const PIECES = [
  '(*',
  '*)',
  '<<',
  '>>',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '|',
  ';',
  ':',
  ',',
  '=',
  '$',
  '%',
  '-',
  '+',
  '*',
  '&',
  '~',
  '/\\',
  '\\/',
  '=>',
  '"',
  '\n',
  '\0',
  '\ufeff',
  '\ud800',
  'é',
  'P0',
  '0:',
  'EAX',
  '%rax',
  'x',
  'exists',
  'lock ',
  '99999999999999999999',
  '0x',
  '-1',
  'int ',
  '*p',
  'a[1]',
  'L:',
  'JMP L;',
];

function mutate(text: string, other: string, random: (below: number) => number): string {
  const at = random(text.length + 1);
  const length = random(1 + Math.min(40, text.length - at));
  switch (random(8)) {
    case 0: // cut off
      return text.slice(0, at);
    case 1: // cut out
      return text.slice(0, at) + text.slice(at + length);
    case 2: // double
      return text.slice(0, at + length) + text.slice(at);
    case 3: {
      // swap lines
      const lines = text.split('\n');
      const [i, j] = [random(lines.length), random(lines.length)];
      [lines[i], lines[j]] = [lines[j]!, lines[i]!];
      return lines.join('\n');
    }
    case 4: // swap characters
      return (
        text.slice(0, at) +
        text
          .slice(at, at + 2)
          .split('')
          .reverse()
          .join('') +
        text.slice(at + 2)
      );
    case 5: // any character
      return text.slice(0, at) + String.fromCharCode(random(random(4) === 0 ? 0x10000 : 0x80)) + text.slice(at + 1);
    case 6: // a piece of syntax
      return text.slice(0, at) + PIECES[random(PIECES.length)] + text.slice(at + random(2));
    default: {
      // a piece of another test
      const from = random(other.length + 1);
      return text.slice(0, at) + other.slice(from, from + random(60)) + text.slice(at + length);
    }
  }
}

/** The result of parsing: a valid program or an error with a position. Anything else is rethrown. */
function check(text: string): 'accepted' | 'rejected' {
  try {
    expect(validate(parseLitmus(text, 'fuzz.litmus').program)).toEqual([]);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof LitmusError)) throw error;
    expect(error.line).toBeGreaterThanOrEqual(1);
    expect(error.column).toBeGreaterThanOrEqual(1);
    expect(error.found.length).toBeLessThanOrEqual(41 * 6);
    expect(error.message.length).toBeLessThan(500);
    return 'rejected';
  }
}

describe('parseLitmus', () => {
  it('accepts the unchanged tests', () => {
    for (const text of seeds) expect(() => parseLitmus(text, 'seed.litmus')).not.toThrow();
  });

  it('survives mutants of them', () => {
    const corpus = new URL('../../../../shared/corpora/x86-dat3m/', import.meta.url);
    const files = existsSync(corpus) ? readdirSync(corpus).filter((name) => name.endsWith('.litmus')) : [];
    const texts = [...seeds, ...files.map((name) => readFileSync(new URL(name, corpus), 'utf8'))];
    const random = makeRandom(SEED);
    const count = { accepted: 0, rejected: 0 };
    for (let i = 0; i < MUTANTS; i++) {
      // Half of the mutants come from the seeds, which have more variety than the corpus.
      let text = texts[random(random(2) === 0 ? seeds.length : texts.length)]!;
      for (let n = 1 + random(3); n > 0; n--) text = mutate(text, texts[random(seeds.length)]!, random);
      try {
        count[check(text)]++;
      } catch (error) {
        throw new Error(`mutant ${i} of seed ${SEED}: ${JSON.stringify(text)}`, { cause: error });
      }
    }
    // If all mutants were broken, or all valid, they would test little.
    expect(count.accepted).toBeGreaterThan(floor(MUTANTS / 20));
    expect(count.rejected).toBeGreaterThan(floor(MUTANTS / 5));
  });

  it('survives lines of a megabyte, anywhere', () => {
    const fillers = [
      ...[
        'x',
        '1',
        ' ',
        '(',
        '[',
        '{',
        '"',
        '*',
        '(*',
        '(**)',
        '~',
        '$',
        '%',
        '|',
        ';',
        '<<',
        '\0',
        '\ud800',
        '=',
        'P',
      ],
      ...['P0|', 'x=1;', 'int x;', '0:EAX=1;', 'L:', 'MFENCE;', '|;', 'MOV EAX,[x];', 'x=1 /\\ ', 'x=1 \\/ ', 'x=1=>'],
      ...['not ', 'x,', '[x+', '+1', '-', 'tso:exists;', 'int a[4096];', 'locations [x;]', 'in {1,1}', 'é'],
    ];
    const places = [
      'X86 @ T\n{}\nP0;\n;',
      'X86 T @{@}\n',
      'X86 T\n{}\n@',
      'X86 T\n{}\nP0;\n@',
      'X86 T\n{}\nP0;\n;\n@',
      'X86 T\n{int a[4];}\nP0;\nMOV EAX,@;\n',
      'X86 T\n{int a[4];}\nP0;\n;\nexists @',
    ];
    const megabyte = 1 << 20;
    fillers.forEach((filler, i) => {
      const line = filler.repeat(Math.ceil(megabyte / filler.length));
      // Each filler goes into one of the places, and in the deep tier into a third of them.
      places.forEach((place, j) => {
        if ((i + j) % (DEEP ? 3 : places.length) === 0) check(place.replaceAll('@', () => line));
      });
    });
  });

  it('survives wide input', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `v${i}`);
    const threads = Array.from({ length: 2_000 }, (_, i) => i);
    check(
      `X86 T\n{${names.map((name) => `${name}=1;`).join('')}}\nP0;\n;\nexists ${names.map((name) => `${name}=[v0]`).join('/\\')}`,
    );
    check(
      `X86 T\n{${threads.map((i) => `${i}:EAX=x;`).join('')}}\n${threads.map((i) => `P${i}`).join('|')};\n${threads.map(() => 'MOV EBX,[EAX]').join('|')};\n`,
    );
    check(`X86 T\n{int a[4096];}\nP0;\n;\nlocations [${'a;'.repeat(200_000)}]`);
    check(`X86 T\n{}\nP0;\n${names.map((name) => `${name}: JMP ${name};`).join('\n')}`);
    check(`X86 T\n{}\nP0;\n;\nexists ${names.map((name, i) => `${name}=[v${i + 1}]`).join('/\\')} /\\ v20000=x`);
  });
});
