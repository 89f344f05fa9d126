/** If a log does not fit into memory, the result is what was found so far, and says where it stopped. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMonitorCommand } from '../../src/cli/commands/monitor.ts';

/** Lists of more words are refused. */
const room = vi.hoisted(() => ({ words: 0 }));

vi.mock('../../src/util/memory-limit.ts', async (original) => {
  const actual = await original<typeof import('../../src/util/memory-limit.ts')>();
  return {
    ...actual,
    allocateWords: (count: number) => {
      if (count > room.words) throw new actual.MemoryLimit('too much');
      return actual.allocateWords(count);
    },
  };
});

const VIOLATION = [
  '{"op": "store", "thread": 1, "at": "x"}',
  '{"op": "load", "thread": 1, "at": "y"}',
  '{"op": "store", "thread": 2, "at": "y"}',
  '{"op": "load", "thread": 2, "at": "x"}',
];

afterEach(() => {
  vi.restoreAllMocks();
});

async function monitor(events: readonly string[], words: number): Promise<{ exit: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-'));
  let [exit, output] = [-1, ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  try {
    const file = join(folder, 'log');
    writeFileSync(file, `${events.join('\n')}\n`);
    room.words = words;
    const program = new Command();
    addMonitorCommand(program, (code) => {
      exit = code;
    });
    await program.parseAsync(['monitor', file], { from: 'user' });
    return { exit, output: output.replace(file, 'log') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each line by a new thread, at a new place: the numbers of threads, locations and events grow with every line. */
const growing = Array.from({ length: 3000 }, (_, n) =>
  JSON.stringify({ op: 'store', thread: 3 + (n % 2000), at: 4096 + 8 * n }),
);

describe('a log that does not fit into memory', () => {
  // In each case, another list fills up first.
  it.each([1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 15])('is inconclusive (%d words for a list)', async (words) => {
    const { exit, output } = await monitor(growing, words);
    expect(output).toMatch(
      /^log: [\d,]+ events: inconclusive: no violation in this execution; .*\(one recorded execution; memory: the log was not examined from event \d+ on\)\n$/,
    );
    expect(exit).toBe(4);
  });

  it('shows the violations found before', async () => {
    const { exit, output } = await monitor([...VIOLATION, ...growing], 1 << 13);
    expect(output).toContain('not robust: 1 distinct violation');
    expect(output).toMatch(/\n {2}memory: the log was not examined from event \d+ on\n$/);
    expect(exit).toBe(1);
  });

  it('is not reported for other logs', async () => {
    expect((await monitor(growing, 1 << 22)).output).toMatch(/\(one recorded execution\)\n$/);
  });
});
