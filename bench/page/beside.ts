/** Our numbers beside those of other tools, as `--peer` recorded them. */
import { besideName } from '../beside.ts';
import { PEERS } from '../peer.ts';
import { lastResults } from '../results.ts';
import { grouped, markdownTable } from '../tables/page.ts';
import { programName, rounded } from './tables.ts';

const SUITES = ['dpor', 'growth', 'graph'];

export function beside(): string {
  const recorded = SUITES.flatMap((suite) => lastResults(besideName(suite)) ?? []);
  if (recorded.length === 0) return 'Not recorded yet: `npm run bench -- dpor --peer all`.';
  const all = recorded.flatMap(({ cases }) => cases);
  const peers = PEERS.filter((peer) => all.some(({ texts }) => texts?.[`${peer} executions`] !== undefined));
  const rows = recorded.flatMap(({ cases }) =>
    cases.map(({ name, counts, rates, texts = {} }) => [
      programName(name),
      counts['executions'] === undefined ? '-' : grouped(counts['executions']),
      rates['executions/s'] === undefined ? '-' : rounded(rates['executions/s']),
      ...peers.flatMap((peer) =>
        [`${peer} executions`, `${peer} executions/s`, `times ${peer}`].map((column) => texts[column] ?? '-'),
      ),
    ]),
  );
  const header = peers.flatMap((peer) => [`${peer}: executions`, 'per s', 'we are faster by']);
  return markdownTable(['program', 'executions', 'ours per s', ...header], rows);
}
