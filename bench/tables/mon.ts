/**
 * [MON] Tables 1 and 2, and its complexity, from the results of `mon`, `thrille`, `pairs`, `open-cells` and `threads`.
 */
import { type ExperimentRow, MON } from '../experiments-table.ts';
import { linesOf } from '../lines.ts';
import { BOUNDS, CHOICES, pairsCase, VARIANTS, type Varied } from '../pairs.ts';
import type { Results } from '../results.ts';
import { MONITORS_BY_THREADS, THREADS } from '../threads.ts';
import { ACCESSES, FAIR_DEKKERS, fairDekkerCase, straightCase, THRILLE_BOUNDS } from '../thrille.ts';
import { bakeryTexts, loadsOnly } from './open-cells.ts';
import { caseOf, grouped, markdownTable, origin, overhead, type Page, resultsOf } from './page.ts';

const LINES_OF_PAPER: Readonly<Record<string, string>> = {
  dekker: '20',
  bakery: '30',
  msn: '80',
  ms2: '80',
  harris: '160',
  lazylist: '120',
  snark: '150',
};

const short = ({ file }: ExperimentRow): string => file.replace(/^mon\/|\.c$/g, '');

export function monPage(): Page {
  const [results, pairs, byThreads] = [resultsOf('mon'), resultsOf('pairs'), resultsOf('threads')];
  const [thrille, open] = [resultsOf('thrille'), resultsOf('open-cells')];
  const of = (row: ExperimentRow) => caseOf(results, row.name);
  const table = (preemptions: number): string =>
    markdownTable(
      [
        'program',
        'lines: paper, ours',
        'paper: interleavings',
        'violations: TSO, PSO',
        'seconds',
        'ours: interleavings',
        'tso, pso',
        'causal-tso, causal-pso',
        'CPU s',
      ],
      MON.filter((r) => r.preemptions === preemptions && !r.defines.includes('FENCE_PSO')).map((row) => {
        const { counts, texts = {} } = of(row);
        const distinct = (...names: string[]): string => names.map((n) => counts[`distinct ${n}`]).join(', ');
        return [
          [short(row), ...row.defines.map((d) => `\`${d}\``)].join(' '),
          `${LINES_OF_PAPER[short(row)]}, ${linesOf(row.file)}`,
          grouped(row.paper.interleavings),
          row.paper.violations.replace(' ', ', '),
          row.paper.seconds,
          grouped(counts['interleavings']!),
          distinct('tso', 'pso'),
          distinct('causal-tso', 'causal-pso'),
          texts['+ tso,pso']!,
        ];
      }),
    );

  const costs = MON.filter((r) => r.preemptions === 2 && r.defines.length === 0).map((row) => {
    const { texts = {} } = of(row);
    const plain = Number(texts['ours: CPU s']);
    const paper = /dekker|bakery/.test(row.file) ? 'about 100 %' : 'about 20 %';
    const cost = (name: string): string => overhead(plain, Number(texts[name]));
    return [short(row), paper, cost('+ tso,pso'), cost('+ causal-tso,causal-pso')];
  });

  const perEvent = THREADS.map((count) => {
    const { rates } = caseOf(byThreads, `${count} threads`);
    return [String(count), ...MONITORS_BY_THREADS.map((name) => (1e6 / rates[`${name} events/s`]!).toFixed(1))];
  });

  const variants = (of: Results, program: Varied): string => {
    const file = `mon/${program}.c`;
    const rows = MON.filter((r) => r.file === file && r.defines.length === 0);
    const ofPaper = BOUNDS.flatMap((k) => {
      const { interleavings, violations } = rows.find((r) => r.preemptions === k)!.paper;
      return [grouped(interleavings), violations.replace(' ', ', '), ...CHOICES.slice(1).map(() => '')];
    });
    const ours = VARIANTS[program].map((words) => [
      words.length === 0 ? '-' : words.map((word) => (word === 'first' ? word : `\`${word}\``)).join(' '),
      ...BOUNDS.flatMap((k) => {
        const { counts } = caseOf(of, pairsCase(program, words, k));
        const perChoice = CHOICES.map((choice) => `${counts[`tso ${choice}`]}, ${counts[`pso ${choice}`]}`);
        return [grouped(counts['interleavings']!), ...perChoice];
      }),
    ]);
    const header = BOUNDS.flatMap((k) => [`up to ${k}: interleavings`, ...CHOICES.map(String)]);
    return markdownTable([`${program} with`, ...header], [['paper', ...ofPaper], ...ours]);
  };

  const paperOf = (program: string): readonly string[] =>
    THRILLE_BOUNDS.map((k) => {
      const row = MON.find((r) => short(r) === program && r.preemptions === k && r.defines.length === 0)!;
      return grouped(row.paper.interleavings);
    });
  const counted = (name: (k: number) => string): readonly string[] =>
    THRILLE_BOUNDS.map((k) => grouped(caseOf(thrille, name(k)).counts['interleavings']!));
  const bounds = THRILLE_BOUNDS.map((k) => `up to ${k}`);
  const dekkerRows = [
    ['paper', ...paperOf('dekker')],
    ...FAIR_DEKKERS.map((defines) => [
      defines.length === 0 ? '-' : defines.map((define) => `\`${define}\``).join(' '),
      ...counted((k) => fairDekkerCase(defines, k)),
    ]),
  ];
  const straightRows = Object.entries(ACCESSES).map(([program, steps]) => [
    program,
    ...paperOf(program),
    steps.join(', '),
    ...counted((k) => straightCase(program, k)),
  ]);

  const distinct = (of: Results): string =>
    `- **Distinct violations** are pairs of operations e and e', where e' is a pending store that meets line 6 of the
  figures. The paper does not say which store counts if there are several, and prints neither programs nor harnesses. So
  we wrote, searched and counted dekker in several ways, with the figures themselves as monitors: the pairs with the
  newest such store, with the oldest, with all of them, and only the first alarm of each run. Operations are
  instructions here, and lines above. \`first\`: where a thread ends or waits, the search lets only the first of the
  others continue.

${variants(of, 'dekker')}

More than two rounds, and visible starts, add interleavings but no violations. With an empty critical section and the
newest store we get the paper's 3 under TSO with one preemption and its 11 under PSO with two. Counting all pending
stores gives its 9 under TSO with two, whatever the section does. No combination gives its 5 under PSO with one
preemption: there are 4 with one round, and 6 to 13 with more (2 or 3 if only first alarms count). They do appear if
only loads count as e, below: then the newest stores give exactly the paper's Table 1, and all stores exactly its
Table 2. (The stores at which the figures signal with \`EMPTY\` are those to \`turn\`, in both threads.) No single way of
counting gives both tables.

${variants(of, 'snark')}

Snark's double compare-exchange takes a lock here; the paper does not print its own. If its stores are not buffered
(\`AT_ONCE\`), the figures signal the paper's 4 with one preemption, and 12 with two (paper: 10). Two of the 12 depend on
how a pop is written. It reads the value at one of two places, after either double compare-exchange; if it reads it
before them (\`EARLY\`), two pairs become one. And it marks the node that it took by a store to its outer link, which a
later pop may miss; without that (\`UNMARKED\`), one pair disappears. With both there are exactly the paper's 4 and 10.
This variant was selected among 72 by its numbers, outside the suite, and the published algorithm has the marks: so it
shows what suffices, not how the paper's program was written. Its interleavings are not the paper's. If the stores are
buffered, there are many more violations, and more still if each use of the double compare-exchange counts as its own
place (\`PLACES\`). Tables 1 and 2 have fewer than the figures because there unlocking waits for all stores of the thread:
with that alone, outside the suite, the figures have 2 and 7, whether pairs are of instructions or of lines. Counting
only loads (below) changes nothing with \`AT_ONCE\`.

${loadsOnly(open, (program, k) => {
  const row = MON.find((r) => short(r) === program && r.preemptions === k && r.defines.length === 0)!;
  return row.paper.violations.replace(' ', ', ');
})}`;

  const text = `# MON, Tables 1 and 2

${origin([results, thrille, pairs, open, byThreads])} The programs are in [programs/mon](../../programs/mon/README.md).

Interleavings without fences, and distinct violations: pairs of source locations. The paper's seconds are with both
monitors, on its machine.

## Table 1: up to one preemption

${table(1)}

## Table 2: up to two preemptions

${table(2)}

The findings are the paper's: violations under TSO only in dekker and bakery, under PSO in all seven.

## Overhead

The overhead of both monitors over the search alone, with two preemptions. The paper's search runs the real program,
ours its own interpreter. CPU seconds, on a machine that was not idle.

${markdownTable(['program', 'paper', 'ours: tso, pso', 'causal-tso, causal-pso'], costs)}

## Complexity

The paper's monitors take O(N · P) for N events of P threads, SOBER's O(N · P²). Microseconds per event of a log with
200,000 events, including reading it:

${markdownTable(['P', ...MONITORS_BY_THREADS], perEvent)}

## Differences

- **Two threads for the sets.** The harness that the authors give for the sets in RELAXER has three threads. With two of
  them, \`-D TWO_THREADS\`, there are about as many interleavings as in the paper.
- **The number of accesses.** THRILLE, the paper's tool, is public, but its programs are not. It may switch before every
  access, at the start of a thread and after creating one; it defines preemptions as we do. So for threads that do not
  wait, the number of interleavings depends only on how many accesses they have. Two threads that only load show how
  many would suffice. The numbers of loads are fitted: many pairs have the paper's interleavings for one preemption; of
  those below 55 steps each, we took the one closest for two. Some pair always comes within a few percent, so this shows
  that two threads with such numbers of accesses suffice, not that the paper's threads had them. Retries and locks are
  left out.

${markdownTable(['program', ...bounds.map((b) => `paper: ${b}`), 'steps of the two threads', ...bounds], straightRows)}

- **Nothing in the critical sections.** With \`-D EMPTY\` bakery has exactly the paper's violations in both tables, and
  dekker those under PSO of Table 2. With \`counter++\`, a plain load and a store, PSO can reorder more pairs.
- **Waiting threads yield, and the scheduler is fair** in THRILLE, as in CHESS ([SOBER](sober.md#differences)); ours
  sleep. With such a scheduler and visible starts dekker comes within 2 % of the paper in both tables. None of the
  variants tried is exact:

${markdownTable(['dekker with', ...bounds], dekkerRows)}

- **How bakery is written.** With a fair scheduler and visible starts some variants have exactly the paper's 197
  interleavings with one preemption, and with two are within 1 % of its 13,632: those in which a thread looks at all
  threads, including itself, and loads both numbers for every comparison, as the variant with all of SOBER's numbers
  does in part ([SOBER](sober.md#differences)). The variants differ in how they find the largest number (\`MAX\`) and in
  what the critical section does (\`INSIDE\`); [bench/programs/bakery.c](../../bench/programs/bakery.c) has them all. The
  last two rows show how much the numbers vary: for a small variant and a large one.

${bakeryTexts(open, paperOf('bakery'))}

  They were found by a sweep outside the suite, with a small model of the same scheduler that reproduces the counts of
  dekker above: 1,920 variants with one preemption, of which 25 have 197, and these 25 with two preemptions: 10,107 to
  13,680. None has both of the paper's numbers. The variants were selected by these numbers, so the match does not show
  that the paper's program is one of them. THRILLE differs from this scheduler in two points: a yield counts when a
  thread reaches it, and the main thread can be preempted after it has created the last one. A model of that, which has
  the 19 and 174 executions of two of THRILLE's own tests, was run on 3,200 variants: none has 197; two that have 201
  have 13,548 and 13,844 with two preemptions.
${distinct(pairs)}
`;
  return { name: 'mon.md', text };
}
