/** In the readable form of a log, a name and the address that a line gives it denote the same place. */
import { describe, expect, it } from 'vitest';
import { JsonLinesReader } from '../../src/monitor/log/jsonl.ts';
import { NameScan } from '../../src/monitor/log/name-scan.ts';
import { LateName, type Names } from '../../src/monitor/log/names.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';

const monitor = (lines: readonly string[], names?: Names): StreamMonitor => {
  const stream = new StreamMonitor(['causal-tso', 'causal-pso']);
  const reader = new JsonLinesReader(stream, names);
  reader.push(new TextEncoder().encode(lines.join('\n')));
  reader.end();
  return stream;
};

/** Store buffering on x and y; `x` and `y` are the names in each of the four events. */
const storeBuffering = (x: readonly [string, string], y: readonly [string, string]): readonly string[] => [
  `{"op": "store", "thread": 1, "at": ${x[0]}}`,
  `{"op": "load", "thread": 1, "at": ${y[0]}}`,
  `{"op": "store", "thread": 2, "at": ${y[1]}}`,
  `{"op": "load", "thread": 2, "at": ${x[1]}}`,
];
const NAMED = ['{"name": "x", "at": "0x1000"}', '{"name": "y", "at": 8192}'];

describe('a name', () => {
  it('is equivalent to its address', () => {
    const events = storeBuffering(['"x"', '"0x1000"'], ['8192', '"y"']);
    expect(monitor([...NAMED, ...events]).violations).toMatchObject([{ variable: 'x' }, { variable: 'x' }]);
  });

  it('overlaps others as addresses do', () => {
    const lines = ['{"name": "low", "at": "0x1002"}', ...NAMED, ...storeBuffering(['"x"', '"low"'], ['"y"', '"y"'])];
    expect(monitor(lines).violations).toHaveLength(2);
    // One byte past x.
    const apart = lines.map((line) => line.replace('0x1002', '0x1004'));
    expect(monitor(apart).violations).toHaveLength(0);
  });

  it('can have aliases', () => {
    const lines = ['{"name": "z", "at": "x"}', ...storeBuffering(['"x"', '"z"'], ['"y"', '"y"'])];
    expect(monitor(lines).violations).toHaveLength(2);
  });

  it('must not mean one place first and then another', () => {
    const events = storeBuffering(['"x"', '"0x1000"'], ['"y"', '"y"']);
    expect(() => monitor([...events, ...NAMED])).toThrow(LateName);
    expect(() => monitor([...events, ...NAMED])).toThrow('line 5 declares "x" after events have used it');
    const twice = [...NAMED, ...events, '{"name": "x", "at": "0x3000"}'];
    expect(() => monitor(twice)).toThrow('line 7 gives "x" another address, after events have used it');
    const shared = [...NAMED, '{"name": "x", "at": "0x3000"}', ...events];
    expect(() => monitor(shared)).toThrow('line 4 has "at" "x", which is the name of several addresses');
  });

  it('may be declared late if the log can be read again', () => {
    const lines = [...storeBuffering(['"x"', '"0x1000"'], ['8192', '"y"']), ...NAMED];
    const scan = new NameScan();
    scan.push(new TextEncoder().encode(lines.join('\n')));
    scan.end();
    expect(monitor(lines, scan.names).violations).toMatchObject([{ variable: 'x' }, { variable: 'x' }]);
  });

  it('may have several addresses if no event uses it', () => {
    const lines = [...NAMED, '{"name": "x", "at": "0x3000"}', ...storeBuffering(['4096', '4096'], ['"y"', '"y"'])];
    expect(monitor(lines).violations).toHaveLength(2);
  });
});

it.each([
  ['{"op": "store", "thread": 1, "at": "4096"}', 'line 1 has "at" "4096": an address is a number'],
  ['{"op": "store", "thread": 1, "at": " 0x1000"}', 'line 1 has "at" " 0x1000": an address is a number'],
  ['{"op": "store", "thread": 1, "at": "x", "size": 65537}', 'line 1 has 65537 bytes at a name without an address'],
  ['{"op": "store", "thread": 1, "at": 4503599627370492, "size": 5}', 'line 1 accesses memory beyond address 2^52'],
  ['{"op": "constructor", "thread": 1, "at": "x"}', 'line 1 has an unknown "op"'],
  ['{"op": "rmw", "thread": 1, "at": "x", "wrote": 0}', 'line 1 needs "wrote": true or false'],
  ['{"op": "load", "thread": 1, "at": "x", "awaits": ["eq", 1]}', 'line 1 awaits a condition, but is not an rmw'],
  ['{"op": "rmw", "thread": 1, "at": "x", "awaits": ["foeq", 1]}', 'line 1 awaits a condition of unknown kind'],
  ['{"op": "wait", "thread": 1, "at": "c"}', 'line 1 needs "mutex"'],
  ['{"name": 1, "at": "x"}', 'line 1 needs "name": a string'],
  ['{"name": "x", "at": 1, "size": 8}', 'line 1 has the unknown field "size"'],
])('a line is refused: %s', (line, message) => {
  expect(() => monitor([line])).toThrow(message);
});

it('invalid UTF-8 is refused: two names must not become one', () => {
  const reader = new JsonLinesReader(new StreamMonitor(['causal-tso']));
  const line = (byte: number): Uint8Array =>
    Buffer.concat([Buffer.from('{"op": "load", "thread": 1, "at": "'), Uint8Array.of(byte), Buffer.from('"}\n')]);
  expect(() => reader.push(line(0xff))).toThrow('is not UTF-8, behind line 0');
});
