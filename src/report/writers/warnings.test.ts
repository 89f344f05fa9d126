/** How warnings relate to a failure in the same report. */
import { describe, expect, it } from 'vitest';
import type { CheckReport, WarningReport } from '../schema.ts';
import type { EventReport } from '../trace-schema.ts';
import { warningTexts, whatRacesAre } from './warnings.ts';

const race = (name: string, ...lines: readonly number[]): WarningReport => ({
  kind: 'race',
  message: `data race on \`${name}\`: a read by thread 0 at a.c:${lines[0]}:1 and …`,
  places: lines.map((line) => ({ file: 'a.c', line, column: 1 })),
});
const LEAK: WarningReport = { kind: 'leak', message: 'leak: 8 bytes', places: [] };

const step = (line: number): EventReport => ({
  event: `0#${line}`,
  thread: '0',
  kind: 'load',
  effect: '',
  file: 'a.c',
  line,
  column: 1,
  buffers: '',
});

/** If `isFailing`, it fails in lines 1 and 2, which its explanation names. */
function result(model: string, warnings: readonly WarningReport[], isFailing: boolean): CheckReport {
  const events = [step(1), step(2), step(9)];
  const [from, to] = [events[0]!, events[1]!];
  const trace = {
    events,
    ends: [{ thread: '0', what: 'the assertion fails' }],
    cycle: [{ from, relation: 'conflict', to }],
  };
  const failure = isFailing ? { error: { kind: 'assertion', message: 'x', schedule: '' }, trace } : {};
  const verdict = isFailing ? 'violation' : 'verified';
  return { file: 'a.c', model, how: 'explored', verdict, warnings, ...failure } as unknown as CheckReport;
}

describe('after a failure', () => {
  it('races between its lines are told apart from others, and leaks from what it leaves behind', () => {
    const warnings = [race('x', 1, 2), race('y', 1, 5), LEAK];
    expect(warningTexts(warnings, [result('tso', warnings, true)])).toEqual([
      'data race in the lines of the failure, on `x`: a read by thread 0 at a.c:1:1 and …',
      'data race on `y`: a read by thread 0 at a.c:1:1 and …',
      'leak: 8 bytes, in executions that do not fail',
    ]);
  });

  it('many are told together', () => {
    const warnings = [race('x', 1, 2), race('y', 3, 4), race('y', 5, 6)];
    expect(warningTexts(warnings, [result('tso', warnings, true)])).toEqual([
      expect.stringMatching(/^data race in the lines of the failure, on `x`: /),
      expect.stringMatching(/^2 data races, on `y` \(lines 3, 4, 5 and 6\): /),
    ]);
  });
});

it('says what a race is if the verdict is good all the same', () => {
  const warnings = [race('x', 1, 2)];
  expect(whatRacesAre([result('sc', warnings, false)])).toHaveLength(1);
  expect(whatRacesAre([result('sc', [LEAK], false)])).toEqual([]);
  expect(whatRacesAre([result('sc', warnings, false), result('tso', warnings, true)])).toEqual([]);
});
