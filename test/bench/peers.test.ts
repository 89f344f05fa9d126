/** Other tools beside ours: how they are called, and the message if they cannot be. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Beside } from '../../bench/beside.ts';
import { filled, knownPeer, peersOf, timeCommand } from '../../bench/peer.ts';
import type { Suite } from '../../bench/suite.ts';
import { suites } from '../../bench/suites.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-peers-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A tool that prints this. */
function tool(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const INPUT = { files: ['scale/fib.c'], defines: ['N=1'], model: 'tso' };

it('every suite has programs for other tools, or says why not', () => {
  for (const { name, inputs, alone } of suites) {
    expect(inputs === undefined ? alone : 'inputs', name).toBeTruthy();
    expect(inputs !== undefined && alone !== undefined, name).toBe(false);
  }
});

it('a tool that is not installed is named', () => {
  const { peers, missing } = peersOf('genmc=/no/such/tool');
  expect(peers).toEqual([]);
  expect(missing).toEqual(['genmc is not installed: there is no /no/such/tool']);
});

it('any other words are a command', () => {
  const { peers } = peersOf('some tool --{model}');
  const command = peers[0]!.command(INPUT);
  expect('line' in command && command.line).toMatch(/^some tool --tso '-DN=1' '.*\/programs\/scale\/fib\.c'$/);
  expect(filled('x {file} {defines}', INPUT)).toMatch(/^x '.*fib\.c' '-DN=1'$/);
});

it('a model that a tool does not have, and several files, are not given to it', () => {
  expect(knownPeer('genmc', 'genmc').command({ ...INPUT, model: 'pso' })).toEqual({ cannot: 'no pso' });
  expect(knownPeer('nidhugg', 'x').command({ ...INPUT, files: ['a.c', 'b.c'] })).toEqual({ cannot: 'one file only' });
});

it('output, exit code and time of a command are told apart', () => {
  const { output, exitCode, seconds } = timeCommand('echo a; echo b >&2; exit 3');
  expect([output.trim(), exitCode]).toEqual(['a\nb', 3]);
  expect(seconds).toBeGreaterThanOrEqual(0);
});

it('counts are compared with ours', () => {
  const suite: Suite = {
    ...{ name: 'x', about: '', cases: ['a'], measure: () => Promise.reject() },
    inputs: () => ['sc', 'tso', 'pso'].map((model) => ({ ...INPUT, model })),
  };
  const says = (n: number): string => `echo "Number of complete executions explored: ${n}"`;
  const beside = new Beside(suite, [
    knownPeer('genmc', tool('genmc', `case "$1" in --tso) ${says(7)};; *) ${says(6)};; esac`)),
  ]);
  beside.add('a', { counts: {}, rates: {}, texts: { executions: '6  6  6' } });
  expect(beside.cases.map(({ name, texts }) => [name, texts!['genmc executions']])).toEqual([
    ['a sc', 'same'],
    ['a tso', '7'],
    ['a pso', 'no pso'],
  ]);
});
