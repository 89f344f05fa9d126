/**
 * Damaged litmus tests from end to end: each is refused with a position, or is still a test and gets a normal
 * answer from every model. Most run in this process, by the same code as the command; some through the built command.
 *
 * A failure names the seed and the mutant; `npm run test:deep` runs others.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT_NOT_UNDERSTOOD, exitOf, worstExit } from '../../../src/cli/shared/exit-codes.ts';
import { LitmusError } from '../../../src/frontend/litmus/error.ts';
import { type LitmusTest, parseLitmus } from '../../../src/frontend/litmus/litmus.ts';
import { operationalModels } from '../../../src/models/index.ts';
import { type LitmusResult, LitmusRun } from '../../../src/pipelines/litmus.ts';
import { reportLitmus } from '../../../src/report/story/litmus-report.ts';
import { printLitmus } from '../../../src/report/writers/litmus.ts';
import { Prng } from '../../../src/util/prng.ts';
import { ensureBuilt, Folder, fencepost, REPOSITORY } from '../../support/fencepost.ts';
import { floor, SEED, samples } from '../../support/tier.ts';

const MUTANTS = samples(600);
/** Loops are unrolled up to this bound, each time with a longer trace to compare: more would take minutes. */
const MAX_STATES = 200;
/** Every state has few successors, so a search that takes more steps than this does not terminate. */
const MAX_STEPS = 100 * MAX_STATES;

const corpus = join(REPOSITORY, 'litmus');
const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.litmus'));
/** Rare in the corpus: endless loops, wild addresses, parts of registers, arrays, odd layouts. */
const odd: readonly string[] = [
  'X86 spin\n{ }\n P0 | P1 ;\n L: MOV EAX,[x] | MOV [x],$1 ;\n CMP EAX,$1 | ;\n JNE L | ;\nexists (0:EAX=1)\n',
  'X86 cas\n{ 0:ECX=1; 1:ECX=2; }\n P0 | P1 ;\n L: XOR EAX,EAX | L: XOR EAX,EAX ;\n LOCK CMPXCHG [x],ECX | LOCK CMPXCHG [x],ECX ;\n JNE L | JNE L ;\nforall (x=1)\n',
  'X86 wild\n{ 0:EBX=x; int a[3]={1,2,3}; }\n P0 | P1 ;\n ADD EBX,$4 | MOV EAX,$1 ;\n MOV ECX,[EBX] | MOV EBX,[a+EAX*4] ;\n MOV [EBX-4],ECX | MOV [a+8],EBX ;\nlocations [a; x;]\n~exists (0:ECX=3 /\\ a[2]=2)\n',
  'X86_64 parts\n{ 0:rax=-1; int8_t b=0x7f; uint64_t q; }\n P0 | P1 ;\n movb $1,%al | movq $-1,(q) ;\n movl %eax,(q) | movzbl (b),%edx ;\n lock xaddq %rax,(q) | incb (b) ;\nlocations [q; 0:rax;]\nfilter b<>7\nforall (1:edx=127 \\/ ~(b=-128) => 0:ah=255)\n',
  'X86 old (oldStyle) "Loads"\n{x = 0; y = 0; P0:EAX = 1};\n P0 | P1 ;\n mov [x], 1 | mfence ;\n xchg [x],EAX | lfence ;\nfinal (P0:EAX = 0 /\\ P1:EBX = 0);\nwith\ntso: ~exists;\ndefault: exists;\n<<\nshow 3\n>>\n',
];
const seeds: readonly string[] = [...odd, ...files.sort().map((name) => readFileSync(join(corpus, name), 'utf8'))];

const PIECES: readonly string[] = [
  ...['(*', '*)', '<<', '{', '}', '[', ']', '(', ')', '|', ';', ':', ',', '=', '$', '%', '-', '+', '*', '&', '~'],
  ...['/\\', '\\/', '=>', '"', '\n', '\0', '\u001b[31m', '\u0007', '\ufeff', '\ud800', 'é', 'P0', 'P1', '0:', 'EAX'],
  ...['%rax', 'x', 'exists ', 'forall ', 'filter ', 'lock ', '99999999999999999999', '0x', '-1', 'int ', 'a[1]', 'L:'],
  ...[
    'MFENCE;',
    'MOV [x],$1;',
    'MOV EAX,[x];',
    'XCHG [x],EAX;',
    'LOCK INC [x];',
    'JMP L;',
    'JNE L;',
    'L: MOV EAX,[y];',
  ],
];

function mutate(text: string, prng: Prng): string {
  const at = prng.below(text.length + 1);
  const length = prng.below(1 + Math.min(40, text.length - at));
  const lines = text.split('\n');
  const [i, j] = [prng.below(lines.length), prng.below(lines.length)];
  switch (prng.below(10)) {
    case 0: // cut off
      return text.slice(0, at);
    case 1: // cut out
      return text.slice(0, at) + text.slice(at + length);
    case 2: // a line twice
      return lines.toSpliced(i, 0, lines[i]!).join('\n');
    case 3: // lines swapped
      return lines.with(i, lines[j]!).with(j, lines[i]!).join('\n');
    case 4: // a line gone
      return lines.toSpliced(i, 1).join('\n');
    case 5: {
      // words swapped
      const words = text.split(/(\w+)/);
      const places = [0, 1].map(() => Math.min(2 * prng.below(words.length / 2) + 1, words.length - 1));
      const [first, second] = places.map((place) => words[place]!);
      return words.with(places[0]!, second!).with(places[1]!, first!).join('');
    }
    case 6: // a random character
      return (
        text.slice(0, at) + String.fromCharCode(prng.below(prng.below(4) === 0 ? 0x10000 : 0x80)) + text.slice(at + 1)
      );
    case 7: {
      // random bytes, read as the command reads a file
      const bytes = Buffer.from(text);
      for (let n = prng.below(8); n >= 0; n--) bytes[prng.below(bytes.length)] = prng.below(256);
      return bytes.toString('utf8');
    }
    case 8: {
      // a piece of another test
      const other = seeds[prng.below(seeds.length)]!;
      const from = prng.below(other.length + 1);
      return text.slice(0, at) + other.slice(from, from + prng.below(60)) + text.slice(at + length);
    }
    default:
      return text.slice(0, at) + PIECES[prng.below(PIECES.length)] + text.slice(at + prng.below(2));
  }
}

/** Sometimes one piece of syntax, repeated to a megabyte. */
function lengthen(text: string, prng: Prng): string {
  const at = prng.below(text.length + 1);
  const piece = prng.below(3) === 0 ? ' ' : PIECES[prng.below(PIECES.length)]!;
  return text.slice(0, at) + piece.repeat(Math.ceil((1 << 20) / piece.length)) + text.slice(at);
}

function makeMutant(number: number): string {
  // Each has its own generator, so that it can be reproduced without the others.
  const prng = new Prng(SEED, number);
  let text = seeds[prng.below(prng.below(3) === 0 ? odd.length : seeds.length)]!;
  for (let n = 1 + prng.below(3); n > 0 && text !== ''; n--) text = mutate(text, prng);
  return number % 200 === 0 ? lengthen(text, prng) : text;
}

function run(test: LitmusTest): readonly LitmusResult[] {
  return operationalModels().map((model) => {
    const run = new LitmusRun(test, model, MAX_STATES);
    expect(run.advance(MAX_STEPS), 'ends').toBe(true);
    return run.result;
  });
}

/** What a complete search found under one model, it must find under a weaker one too. */
function checkInclusion(results: readonly LitmusResult[]): void {
  for (const [i, weaker] of results.entries()) {
    const stronger = results[i - 1];
    if (stronger === undefined || weaker.bounds.length > 0) continue;
    const values = ({ states }: LitmusResult) => states.map((state) => state.values.map(String).join(','));
    expect(values(weaker)).toEqual(expect.arrayContaining(values(stronger)));
    expect(weaker.executions).toBeGreaterThanOrEqual(stronger.executions);
  }
}

function checkReports(results: readonly LitmusResult[]): void {
  const traces = results.every(({ states }) => states.length <= 4);
  const reports = results.map((result) => reportLitmus(result, 0, { traces }));
  const text = printLitmus(reports, { traces });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may reach a terminal
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  for (const { verdict, bounds, executions, states } of reports) {
    expect(verdict === 'inconclusive' ? bounds.length : 1).toBeGreaterThan(0);
    expect(verdict === 'verified' ? bounds : []).toEqual([]);
    expect(executions).toBeGreaterThanOrEqual(states.length);
  }
}

/** The exit code that the command must return. Throws if the outcome is neither an answer nor a `LitmusError`. */
function answer(text: string): number {
  let test: LitmusTest;
  try {
    test = parseLitmus(text, 'mutant.litmus');
  } catch (error) {
    if (!(error instanceof LitmusError)) throw error;
    expect(error.line).toBeGreaterThanOrEqual(1);
    expect(error.column).toBeGreaterThanOrEqual(1);
    return EXIT_NOT_UNDERSTOOD;
  }
  const results = run(test);
  checkInclusion(results);
  checkReports(results);
  return worstExit(results.map(({ verdict }) => exitOf(verdict)));
}

/** Names the mutant in any error that `check` throws. */
async function checkMutant<T>(number: number, check: (text: string) => T | Promise<T>): Promise<T> {
  const text = makeMutant(number);
  try {
    return await check(text);
  } catch (error) {
    const shown = JSON.stringify(text.length > 5000 ? `${text.slice(0, 5000)}…` : text);
    throw new Error(`mutant ${number} of TEST_SEED=${SEED}: ${shown}\n${error}`, { cause: error });
  }
}

describe('mutants of litmus tests', () => {
  const folder = new Folder();
  beforeAll(ensureBuilt);
  afterAll(() => folder.remove());

  it('start from valid tests', () => {
    for (const text of seeds) expect(answer(text)).not.toBe(EXIT_NOT_UNDERSTOOD);
  });

  it('are refused with a position or answered', async () => {
    const counts = new Map<number, number>();
    for (let number = 0; number < MUTANTS; number++) {
      const exit = await checkMutant(number, answer);
      counts.set(exit, (counts.get(exit) ?? 0) + 1);
    }
    // If all mutants ended in the same way, they would test little.
    for (const exit of [0, 1, 3, 4])
      expect(counts.get(exit) ?? 0, `exit ${exit}`).toBeGreaterThan(floor(MUTANTS / 200));
  });

  it('are handled by the command in the same way', async () => {
    for (let i = 0; i < samples(5); i++) {
      // The first of these is one with a line of a megabyte.
      await checkMutant((i * 7) % MUTANTS, async (text) => {
        folder.write('mutant.litmus', text);
        const args = [
          'litmus',
          'mutant.litmus',
          '--model',
          operationalModels().join(),
          '--max-states',
          String(MAX_STATES),
        ];
        const { exit, stderr } = await fencepost(args, { cwd: folder.path });
        expect(exit).toBe(answer(Buffer.from(text).toString('utf8')));
        if (exit === EXIT_NOT_UNDERSTOOD) {
          expect(stderr).toMatch(/^fencepost: mutant\.litmus:[1-9]\d*:[1-9]\d*: found ".*", expected .*\n$/u);
        } else {
          expect(stderr).toBe('');
        }
      });
    }
  });
});
