import { expect, it } from 'vitest';
import { outOfTime } from '../../explore/bound.ts';
import type { CheckReport } from '../schema.ts';
import { nextStep } from './next-step.ts';

const LONG = { place: 'a.c:4:46', why: 'is run again and again: each iteration writes `n`', isLong: true as const };

function inconclusive(result: Partial<CheckReport>): CheckReport {
  const base = { file: 'a.c', model: 'sc', verdict: 'inconclusive', executions: 0, blocked: 0 };
  return { ...base, ...result } as CheckReport;
}

it('a loop that may have no end is named if no execution has ended: more time would not help', () => {
  const stopped = { boundedBy: [outOfTime(5)], loops: [LONG] };
  const [text] = nextStep([inconclusive(stopped)]);
  expect(text).toMatch(/^Next: no execution has ended\. .*`--unroll 10`\.$/);
  expect(text).not.toContain('--timeout');
  // An execution that ended shows that the loop ends.
  expect(nextStep([inconclusive({ ...stopped, executions: 7 })])[0]).toMatch(/^Next: try `--timeout 50`/);
  expect(nextStep([inconclusive({ ...stopped, loops: [] })])[0]).toMatch(/^Next: try `--timeout 50`/);
});

it('recursion that may have no end cannot be cut by a bound on loops', () => {
  const loops = [{ ...LONG, isRecursion: true as const }];
  const [text] = nextStep([inconclusive({ boundedBy: [outOfTime(5)], loops })]);
  expect(text).toMatch(/^Next: no execution has ended\. .*recursion.*depth/);
  expect(text).not.toContain('--unroll');
  expect(nextStep([inconclusive({ boundedBy: [outOfTime(5)], loops: [...loops, LONG] })])[0]).toContain('--unroll');
});

it('with no thread yet, a smaller driver is advised, and no option', () => {
  const steps = { kind: 'steps' as const, limit: 1000, forLackOfMemory: false };
  const before = { boundedBy: [steps], unchecked: ['threads'] as const, loops: [LONG] };
  expect(nextStep([inconclusive(before)])[0]).toMatch(/^Next: no thread was created.*a smaller driver/);
  expect(nextStep([inconclusive(before)])[0]).not.toContain('--');
  // An execution that ended, or a thread, shows that the program gets further.
  expect(nextStep([inconclusive({ ...before, executions: 2 })])[0]).toContain('--max-steps 10000');
  expect(nextStep([inconclusive({ boundedBy: [steps], unchecked: ['assertions'] })])[0]).toContain('--max-steps 10000');
});

it('more steps are not advised where a loop ran on up to their bound', () => {
  const cut = { executions: 9, boundedBy: [{ kind: 'steps' as const, limit: 1000, forLackOfMemory: false }] };
  const loops = [{ ...LONG, why: 'runs on: each iteration writes `n`' }];
  expect(nextStep([inconclusive({ ...cut, loops })])[0]).toMatch(/^Next: a loop ran on .*`for \(int tries/);
  expect(nextStep([inconclusive({ ...cut, loops })])[0]).not.toContain('--max-steps');
  expect(nextStep([inconclusive({ ...cut, loops: [LONG] })])[0]).toContain('--max-steps 10000');
  expect(nextStep([inconclusive({ ...cut, loops: [{ ...loops[0]!, isRecursion: true }] })])[0]).toContain(
    '--max-steps',
  );
});

it('where every execution is cut by the bound on loops, another number may not help', () => {
  const cut = { blocked: 3, boundedBy: [{ kind: 'unroll' as const, limit: 5, place: undefined }] };
  expect(nextStep([inconclusive(cut)])[0]).toMatch(/polls.*a smaller driver.*`--unroll 10`/);
  expect(nextStep([inconclusive({ ...cut, executions: 1 })])[0]).toMatch(/^Next: try `--unroll 10`/);
});

it('a loop without any access is named by its place', () => {
  const endless = { file: 'a.c', line: 4, column: 41 };
  const boundedBy = [{ kind: 'machine' as const, what: 'local steps (thread 0.1, a.c:4:41)', endless }];
  expect(nextStep([inconclusive({ boundedBy })])[0]).toMatch(/^Next: look at a\.c:4:41: /);
});
