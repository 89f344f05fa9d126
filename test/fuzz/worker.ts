/** The process behind a job: see `job.ts`. */
import { Tally } from './compare.ts';
import { Coverage } from './coverage.ts';
import type { Report, Seeds } from './job.ts';
import { type Finding, runSeeds, shrinkFinding } from './session.ts';

process.on('message', (message: Seeds) => void work(message));

async function work({ seeds, npm }: Seeds): Promise<void> {
  const tally = new Tally();
  const coverage = new Coverage();
  const found: Finding[] = [];
  const kinds = new Set<string>();
  for (const finding of await runSeeds(seeds, tally, coverage, npm)) {
    const { what } = finding.disagreements[0]!;
    // One of each kind is shrunk; others most likely have the same cause.
    found.push(kinds.has(what) ? finding : await shrinkFinding(finding, new Tally()));
    kinds.add(what);
  }
  const report: Report = { programs: seeds.length, counts: [...tally.counts], pairs: coverage.entries, found };
  process.send!(report);
}
