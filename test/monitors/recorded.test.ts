/** What only logs of real programs have: reused memory, modules, an end of the program before the end of the file. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { placeViolations } from '../../src/cli/shared/places.ts';
import { BinaryReader, BinaryWriter } from '../../src/monitor/log/binary.ts';
import { JsonLinesReader } from '../../src/monitor/log/jsonl.ts';
import { Modules } from '../../src/monitor/log/modules.ts';
import { emptyEvent } from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import { ALL_MONITORS } from '../support/monitoring.ts';

function monitored(lines: readonly string[]): readonly string[] {
  const stream = new StreamMonitor(ALL_MONITORS);
  const reader = new JsonLinesReader(stream);
  reader.push(Buffer.from(lines.join('\n')));
  reader.end();
  return stream.violations.map(({ monitor }) => monitor).sort();
}

const BLOCK = '"at": "0x1000", "size": 8';
const FREED = [`{"op": "free", "thread": 1, ${BLOCK}}`, '{"op": "load", "thread": 1, "at": "y"}'];
const REUSED = ['{"op": "store", "thread": 2, "at": "y"}', `{"op": "alloc", "thread": 2, ${BLOCK}}`];
const USED = ['{"op": "store", "thread": 2, "at": "0x1004"}'];

describe('a block that begins where another was freed', () => {
  it('is new memory to all monitors', () => {
    expect(monitored([...FREED, ...REUSED, ...USED])).toEqual([]);
  });

  it('would else look like an access that comes before the free', () => {
    const without = [...FREED, REUSED[0]!, ...USED];
    expect(monitored(without).length).toBeGreaterThan(3);
  });

  it('has a history of its own', () => {
    const again = ['{"op": "load", "thread": 2, "at": "z"}', '{"op": "store", "thread": 3, "at": "z"}'];
    const seen = ['{"op": "load", "thread": 3, "at": "0x1004"}'];
    expect(monitored([...FREED, ...REUSED, ...USED, ...again, ...seen]).length).toBeGreaterThan(3);
  });
});

/** Two events and a module. */
function binary(): Buffer {
  const pieces: Buffer[] = [];
  const writer = new BinaryWriter((piece) => pieces.push(Buffer.from(piece)));
  for (const thread of [0, 1])
    writer.event({ ...emptyEvent(), operation: 2, thread, address: 16, size: 4, site: 0x30 });
  writer.end();
  const module = Buffer.alloc(64);
  module[0] = 0xf2;
  module.writeUInt32LE(0x20, 8);
  module.writeUInt32LE(9, 12);
  module.writeUInt32LE(0x400, 16);
  module.writeUInt32LE(0x100, 24);
  module.write('/bin/prog', 32);
  return Buffer.concat([...pieces, module]);
}

describe('the compact form', () => {
  it('ends at the first record that is zero, whatever follows', () => {
    const stream = new StreamMonitor(['causal-tso']);
    const reader = new BinaryReader(stream);
    reader.push(Buffer.concat([binary(), Buffer.alloc(33), Buffer.from('anything')]));
    reader.push(Buffer.alloc(100, 7));
    reader.end();
    expect(stream.count).toBe(2);
  });

  it('says where sites and addresses are in the files that were loaded', () => {
    const stream = new StreamMonitor(['causal-tso']);
    const reader = new BinaryReader(stream);
    reader.push(binary());
    reader.end();
    expect(stream.modules.text(0x30)).toBe('prog+0x110');
    expect(stream.modules.data(0x410)).toEqual({ path: '/bin/prog', address: 0x110 });
    expect(stream.modules.text(0x10)).toBeUndefined();
    expect(stream.modules.data(0x3ff)).toBeUndefined();
  });
});

describe('the files that a log names', () => {
  const changedBy = (make: (folder: string) => string): readonly string[] => {
    const folder = mkdtempSync(join(tmpdir(), 'fencepost-places-'));
    const before = process.cwd();
    process.chdir(folder);
    try {
      writeFileSync('run.log', '');
      utimesSync('run.log', 1, 1);
      writeFileSync('@prog', '');
      const modules = new Modules();
      modules.add({ first: 1, start: 0x1000, low: 0, path: make(folder) });
      const pair = { thread: 1, writer: 2, event: undefined, write: undefined, variable: undefined, count: 1 };
      const sites = { eventSite: 5, writeSite: 6, eventNumber: 1, writeNumber: 2, address: 0x1004 };
      const violation = { monitor: 'tso' as const, model: 'tso' as const, ...pair, ...sites };
      return placeViolations('run.log', [violation], modules).changed;
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true });
    }
  };

  it('are looked at by their whole path', () => {
    expect(changedBy((folder) => join(folder, '@prog'))).toHaveLength(1);
  });

  it('are not, where tools could take the name for an option or for a file of arguments', () => {
    expect(changedBy(() => '@prog')).toEqual([]);
  });
});
