/** [RELAXER] Table 1, from the results of `relaxer`. */
import { caseOf, markdownTable, origin, type Page, resultsOf } from './page.ts';

const PROGRAMS = ['dekker', 'bakery', 'msn', 'ms2', 'lazylist', 'harris', 'snark'];
/** Columns with the paper's in brackets, and ours alone. */
const COMPARED = ['lines', 'phase 1 s', 'phase 2 s', 'predicted', 'confirmed', 'harmful', 'probability'];
const OURS = ['with a failing trial', 'possible', 'of mutexes', 'of the harness'];

export function relaxerPage(): Page {
  const results = resultsOf('relaxer');
  const rows = PROGRAMS.map((name) => {
    const { texts = {} } = caseOf(results, name);
    const text = (column: string): string => (texts[column] ?? '-').replaceAll('-', '–');
    return [name, ...COMPARED.map((column) => text(`${column} (paper)`)), ...OURS.map(text)];
  });
  const text = `# RELAXER, Table 1

${origin([results])} The programs are in [programs/relaxer](../../programs/relaxer); the harnesses are those of the
paper's Sect. 5.2, the sources are ours.

Ours, with the paper's in brackets, per model TSO, PSO, PSLO. The probability is that of a trial confirming a cycle, averaged
over the confirmed cycles; a trial has 20 executions here and 100 there. Phase 2 is the time for 100 executions. Fresh
memory is arbitrary (\`--junk\`), as where the paper's programs ran.

${markdownTable(['program', ...COMPARED, ...OURS], rows)}

As in the paper, TSO has cycles in the two mutual exclusion algorithms and none in the five data structures, and PSO and PSLO
have some in all. \`npm run bench -- relaxer-published\` has the paper's effort, 30 trials of 100 executions for every
cycle, and takes hours.

## Differences

By experiments with 10 trials of 20 executions:

- **Fresh memory.** In the paper a node that is seen before its contents has random ones. In harris under PSO, 12 of 50
  confirmed cycles are harmful with zero memory. With junk that is a large number it is 35 of 45, and all 45 have a trial in
  which an execution fails, which is what the paper counts (48 of 54). With a negative number, which a sorted list just
  passes over, it is 10 of 36. So the value matters, and one value does not show everything. In ms2 both cycles are
  harmful with junk, as in the paper, and one without.
- **Unlocking.** ms2 with store–store fences (\`-D FENCED\`) has no cycle under PSO and \`pslo-unlock\`, and one, harmful,
  under \`pslo\`: a stale read, as in Sect. 5.4. Without fences \`pslo\` has the same two cycles as PSO (paper: 2 and 5).
- **The harness.** Of the 127 cycles of dekker under PSLO, 62 have a place at the counter that the harness checks; 65 are
  of the algorithm (paper: 69).

What cannot be compared: the numbers of cycles depend on the lines of the sources, which the paper does not print, and on
what counts as one cycle. *Possible* are those that the model allows at all; ours leave the others out before phase 2.
*Of mutexes* and *of the harness* are confirmed cycles through the locks' own accesses and through the test driver, which
the paper does not tell apart.
`;
  return { name: 'relaxer.md', text };
}
