/** [NIDHUGG] Table 1, from the results of `nidhugg-set` (the authors' files) and `nidhugg` (our versions). */
import { fileOf } from '../nidhugg-set.ts';
import { MODELS, PRINTED, ROWS } from '../nidhugg-table.ts';
import type { Case } from '../results.ts';
import { caseOf, markdownTable, origin, type Page, resultsOf } from './page.ts';

/** `1  2  3*` → `1 / 2 / 3*` */
const perModel = (text: string): string => text.trim().split(/\s+/).join(' / ');
const textOf = ({ texts = {} }: Case, column: string): string => perModel(texts[column] ?? '-');

export function nidhuggPage(): Page {
  const [set, ours] = [resultsOf('nidhugg-set'), resultsOf('nidhugg')];
  const rows = ROWS.filter(({ paper }) => paper !== '-');

  const times = rows.map(({ paper }) => {
    const { bound, cbmc, gotoInstrument, nidhugg } = PRINTED.get(paper)!;
    const [program, fences] = paper.split(' ');
    const printed = [cbmc, gotoInstrument, nidhugg].map(perModel);
    return [program!, fences!, bound, ...printed, textOf(caseOf(set, paper), 'ours: CPU s')];
  });

  const counts = rows.map(({ paper, name }) => {
    const [their, own] = [caseOf(set, paper), caseOf(ours, name)];
    return [
      fileOf(paper),
      paper.split(' ')[1]!,
      their.texts!['LB']!,
      perModel(their.texts!['we say']!.replaceAll(';', ',')),
      textOf(their, 'ours: executions'),
      textOf(their, 'ours: blocked'),
      textOf(own, 'executions'),
      textOf(own, 'blocked'),
    ];
  });
  const leastBounds = rows.flatMap(({ paper }) => {
    const least = caseOf(set, paper).texts!['least LB'];
    return least === undefined ? [] : [`${fileOf(paper)} ${least}`];
  });
  const unfinished = rows.filter(({ paper }) => caseOf(set, paper).texts!['we say']!.includes('t/o'));

  const text = `# NIDHUGG, Table 1

${origin([set, ours])} The first needs the authors' files, which are public but not ours: \`npm run bench -- nidhugg --their
FOLDER\` ([programs/nidhugg](../../programs/nidhugg/README.md)). Cells have ${MODELS.length} values, under ${MODELS.join(', ')}.

## Times

Seconds; \`*\`: an error was found; \`t/o\`: not within ten minutes; \`+\`: stopped by that limit; \`?\`: illegible in our copy
of the paper. The paper's are from a 3 GHz Intel i7; ours are CPU seconds of the search alone, on the authors' files,
optimised (\`--optimise 2\`) and with their bound on loops (LB, \`--unroll\`), each model by itself and every trace counted,
as in the paper (\`--count-orders\`); without that option some programs have fewer traces.

${markdownTable(['program', 'fences', 'LB', 'paper: CBMC', 'goto-instrument', 'Nidhugg', 'ours'], times)}

## Verdicts and executions

On the authors' files every verdict is the paper's: the suite fails if one is not${
    unfinished.length === 0
      ? ''
      : ` (${unfinished.map(({ paper }) => paper).join(', ')}: no verdict within ten minutes)`
  }. *Blocked* executions end at an assumption,
in a waiting loop, or at the bound: where there are no others, the program runs for ever, and is correct up to the
bound.
\`(none)\` in the column LB: the bound cut every execution, so nothing ran to its end, and the program was checked
without a bound${leastBounds.length === 0 ? '' : ` (the least bound that cuts nothing is, after our clang's \`-O2\`: ${leastBounds.join(', ')})`}. Our own versions of the programs need no bound.

${markdownTable(['their file', 'fences', 'LB', 'verdicts', 'their file: executions', 'blocked', 'our version: executions', 'blocked'], counts)}

## What cannot be compared

- **Numbers of traces**: the paper prints none. \`--peer\` runs another tool on our programs, if it is installed.
- **Struck-out entries**, which are wrong answers of a tool: the lines are lost in our copy.
- **Memory**: the paper prints none.
- **The same machine and compiler**: clang's optimiser has changed since, so loops and accesses may differ from what the
  authors' tool saw.
`;
  return { name: 'nidhugg.md', text };
}
