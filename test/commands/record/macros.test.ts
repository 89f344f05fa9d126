/** The recording macros, from C++. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BinaryReader } from '../../../src/monitor/log/binary.ts';
import { OPERATION_NAMES } from '../../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../../src/monitor/log/stream.ts';
import { REPOSITORY } from '../../support/fencepost.ts';
import { ALL_MONITORS } from '../../support/monitoring.ts';
import { compilersOf } from '../../support/recorded.ts';

describe.each(compilersOf('C++'))('%s', (_, compiler) => {
  it('records every kind of operation', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fencepost-macros-'));
    const source = fileURLToPath(new URL('macros.cpp', import.meta.url));
    const flags = [
      '-Wall',
      '-Wextra',
      '-Werror',
      '-I',
      join(REPOSITORY, 'log'),
      '-pthread',
      '-o',
      join(folder, 'macros'),
    ];
    execFileSync(compiler, [...flags, source]);
    expect(spawnSync(join(folder, 'macros'), { cwd: folder }).status).toBe(0);
    const stream = new StreamMonitor(ALL_MONITORS);
    const kinds = new Set<string>();
    const reader = new BinaryReader({
      event: (event) => {
        kinds.add(OPERATION_NAMES[event.operation]!);
        stream.event(event);
      },
      site: (site, text) => stream.site(site, text),
      name: (address, text) => stream.name(address, text),
    });
    reader.push(readFileSync(join(folder, 'run.log')));
    reader.end();
    expect(stream.violations).toEqual([]);
    const expected = ['broadcast', 'fence', 'join', 'load', 'lock', 'rmw', 'spawn', 'store', 'unlock', 'wait', 'wake'];
    // Whether the other thread has to wait for the broadcast depends on timing; the timed wait always waits.
    expect([...kinds].sort()).toEqual(expected);
    rmSync(folder, { recursive: true });
  });
});
