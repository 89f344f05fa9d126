/**
 * Searches by workers in other processes, through a real Redis: the results are those of a single search, whichever
 * process is killed.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clusterHelpers } from '../../../src/cluster/helpers.ts';
import { Host } from '../../../src/cluster/host.ts';
import { ClusterProblem, loadPackages, RedisServer } from '../../../src/cluster/redis.ts';
import { codeVersion, Registry, type SearchInfo } from '../../../src/cluster/registry.ts';
import { ClusterSearch } from '../../../src/cluster/search.ts';
import { fromText, toText } from '../../../src/cluster/wire.ts';
import { stoppedFor } from '../../../src/explore/bound.ts';
import { Keeper } from '../../../src/explore/frontier/keeper.ts';
import type { Model } from '../../../src/models/index.ts';
import { CHECK, type CheckChoices } from '../../../src/options/check.ts';
import { defaultsOf } from '../../../src/options/option.ts';
import { CheckRun, type SavedCheck } from '../../../src/pipelines/check.ts';
import type { Helpers } from '../../../src/pipelines/helpers.ts';
import type { ModelResult } from '../../../src/pipelines/model-run.ts';
import type { Together } from '../../../src/pipelines/together.ts';
import type { Program } from '../../../src/program/ir.ts';
import { resumingHelpers } from '../../../src/workers/team.ts';
import { compileC } from '../../support/c.ts';
import { hasRedis, pause, TestCluster } from '../../support/cluster.ts';
import { FAILING_LATE } from '../../support/failing-late.ts';
import { fencepost } from '../../support/fencepost.ts';
import { restless } from '../../support/restless.ts';
import { DEEP } from '../../support/tier.ts';

const scale = (name: string, n: number): string =>
  `#define N ${n}\n${readFileSync(new URL(`../../../programs/scale/${name}.c`, import.meta.url), 'utf8')}`;

const without = ({ seconds: _, ...rest }: ModelResult): Omit<ModelResult, 'seconds'> => rest;

const optionsFor = (models: readonly Model[]): CheckChoices => ({
  ...defaultsOf<CheckChoices>(CHECK),
  models,
  monitors: false,
});

function alone(program: Program, models: readonly Model[]): CheckRun {
  const check = new CheckRun(program, optionsFor(models));
  while (!check.advance(1_000_000));
  return check;
}

/** An entry of the registry. */
const SEARCH: SearchInfo = {
  id: 'other',
  version: '0.0.0+other',
  program: 'program.c',
  model: 'sc',
  sha256: '',
  host: 'elsewhere',
  idle: 0,
  executions: 0,
  jobs: 1,
  seconds: 0,
};

/** Harm is done once in this share of a search. Each replacement worker takes time to start. */
const HARM_EVERY = DEEP ? 0.3 : 0.48;

describe.skipIf(!hasRedis)('a cluster', () => {
  let cluster: TestCluster;
  let all: Together[];
  let notes: string[];
  let helpers: Helpers;

  beforeAll(async () => {
    cluster = await TestCluster.start(2);
  });
  beforeEach(() => {
    all = [];
    notes = [];
    const some = clusterHelpers(cluster.server, (note) => notes.push(note), 0);
    helpers = {
      ...some,
      begin: (work, left) => {
        const together = some.begin(work, left);
        all.push(together);
        return together;
      },
    };
  });
  afterAll(() => cluster?.end());

  /** Runs a check, and calls `harm` whenever `often` more executions have been handed over. */
  async function run(program: Program, models: readonly Model[], often = 0, harm = async () => {}): Promise<CheckRun> {
    const check = new CheckRun(program, optionsFor(models), helpers);
    let next = often;
    while (!check.advance(300)) {
      await check.wait();
      const found = all.at(-1)?.state === 'running' ? all.at(-1)!.executions : 0;
      if (often === 0 || found < next) continue;
      next = found + often;
      await harm();
    }
    return check;
  }

  /** Does harm at least once to a search of n! executions: a small one may be over before, depending on the machine. */
  async function runHarmed(harm: () => Promise<void>): Promise<void> {
    for (const [n, executions] of [
      [7, 5040],
      [8, 40_320],
    ] as const) {
      let times = 0;
      const check = await run(await compileC(scale('mutex', n)), ['sc'], HARM_EVERY * executions, async () => {
        times++;
        await harm();
      });
      expect(check.results.map(({ verdict, executions: count }) => [verdict.kind, count])).toEqual([
        ['verified', executions],
      ]);
      expect(all.at(-1)!.state).toBe('done');
      if (times > 0) return;
    }
    expect.fail('no search was harmed');
  }

  it('gives the results of a search alone, with and without an error', async () => {
    for (const [source, models] of [
      [scale('mutex', DEEP ? 6 : 5), ['sc', 'pso']],
      [FAILING_LATE, ['sc']],
    ] as const) {
      const program = await compileC(source);
      const together = await run(program, models);
      expect(together.results.map(without)).toEqual(alone(program, models).results.map(without));
    }
    // Done, if the error was in the last part of all.
    // A model that a first look has finished needs no search here.
    const states = all.map(({ state }) => state);
    expect(states.length).toBeGreaterThanOrEqual(2);
    expect(states.slice(0, -1).every((state) => state === 'done')).toBe(true);
    expect(states.at(-1)).toMatch(/^(failed|done)$/);
    // A worker has found the error, so the search continued alone.
    expect((all.at(-1) as ClusterSearch).results.some(({ tally }) => tally.errors.length > 0)).toBe(true);
  });

  it('counts the same if workers are killed at any time', () =>
    runHarmed(async () => {
      cluster.hire();
      await cluster.killWorker();
    }));

  it('counts the same if all workers and one of them take turns', async () => {
    // A small search may be over before the first turn, depending on the machine.
    for (const rounds of [4, 5, 6]) {
      const program = await compileC(scale('fib', rounds));
      const check = new CheckRun(program, optionsFor(['tso']), {
        ...helpers,
        begin: (work, left) => {
          const { server } = cluster;
          const search = new ClusterSearch(server, work, Keeper.of(left), () => {}, undefined, restless());
          all.push(search);
          return search;
        },
      });
      while (!check.advance(300)) await check.wait();
      expect(check.results.map(without)).toEqual(alone(program, ['tso']).results.map(without));
      expect(all.at(-1)!.state).toBe('done');
      if ((all.at(-1) as ClusterSearch).turns.count > 2) return;
    }
    expect.fail('no search had more than two turns');
  });

  it('survives a Redis that goes away and comes back empty', async () => {
    let times = 0;
    await runHarmed(async () => {
      times++;
      await cluster.killRedis();
      // After ten seconds, the waiting user gets a message.
      const back = performance.now() + (times > 1 ? 100 : DEEP ? 12_000 : 3000);
      // A worker that is asked to stop does not wait for Redis.
      if (times === 1) await cluster.killWorker('SIGTERM');
      while (performance.now() < back) await Promise.all([all.at(-1)!.wait(), pause(20)]);
      cluster.startRedis();
      if (times === 1) cluster.hire();
    });
    if (DEEP)
      expect(notes).toContainEqual(expect.stringMatching(/^Redis at 127\.0\.0\.1:\d+ is away; the search waits/));
  });

  it('queues again what is in none of the lists of the queue', async () => {
    const program = await compileC(scale('mutex', 7));
    const redis = cluster.server.connect();
    let removed = 0;
    let isOver = false;
    const remove = async (): Promise<void> => {
      while (removed === 0 && !isOver)
        for (const key of await redis.keys('fencepost:*:wait')) removed += await redis.del(key);
    };
    const removing = remove();
    const check = await run(program, ['sc']);
    isOver = true;
    await removing;
    redis.disconnect();
    expect(removed).toBeGreaterThan(0);
    expect(check.results.map(({ verdict, executions }) => [verdict.kind, executions])).toEqual([['verified', 5040]]);
    expect(all.map(({ state }) => state)).toEqual(['done']);
  });

  it('keeps two searches apart, and removes what they had in Redis', async () => {
    const [mutex, fib] = [await compileC(scale('mutex', DEEP ? 7 : 6)), await compileC(scale('fib', DEEP ? 5 : 4))];
    const both = await Promise.all([run(mutex, ['sc']), run(fib, ['sc'])]);
    expect(both.flatMap(({ results }) => results.map(without))).toEqual(
      [mutex, fib].flatMap((program) => alone(program, ['sc']).results.map(without)),
    );
    expect(all.map(({ state }) => state)).toEqual(['done', 'done']);
    const redis = cluster.server.connect();
    await expect.poll(() => redis.keys('fencepost:*:jobs:*')).toEqual([]);
    redis.disconnect();
  });

  it.runIf(DEEP)('goes on from what was saved, without the cluster', async () => {
    const program = await compileC(scale('mutex', 7));
    const check = new CheckRun(program, optionsFor(['sc']), helpers);
    while ((all[0]?.executions ?? 0) < 500 && !check.advance(300)) await check.wait();
    const saved = JSON.parse(JSON.stringify(check.save())) as SavedCheck;
    check.stop(stoppedFor('elsewhere'));
    expect(saved.current?.search.together?.jobs).toBeGreaterThan(0);
    const again = new CheckRun(program, optionsFor(['sc']), resumingHelpers(1));
    again.resume(saved);
    while (!again.advance(300)) await again.wait();
    expect(again.results.map(without)).toEqual(alone(program, ['sc']).results.map(without));
  });

  it.runIf(DEEP)('is inconclusive if Redis stays away, and can be resumed', async () => {
    const program = await compileC(scale('mutex', 7));
    const check = new CheckRun(program, optionsFor(['sc']), helpers);
    while ((all[0]?.executions ?? 0) < 500 && !check.advance(300)) await check.wait();
    await cluster.killRedis();
    const stop = performance.now() + 3000;
    while (performance.now() < stop && !check.advance(300)) await check.wait();
    const saved = JSON.parse(JSON.stringify(check.save())) as SavedCheck;
    check.stop(stoppedFor('time: 3 s'));
    expect(check.results[0]!.verdict).toEqual({ kind: 'inconclusive', because: ['time: 3 s'] });
    cluster.startRedis();
    const again = new CheckRun(program, optionsFor(['sc']), resumingHelpers(1));
    again.resume(saved);
    while (!again.advance(300)) await again.wait();
    expect(again.results.map(without)).toEqual(alone(program, ['sc']).results.map(without));
  });

  it('wants the password, and does not show it', async () => {
    const { url } = cluster;
    const name = new URL(url).host;
    const problem = (given: string): Promise<unknown> =>
      RedisServer.reach(given).catch((error: Error) => error.message);
    expect(await problem(url.replace('sesame', 'open'))).toMatch(`cannot use Redis at ${name}: WRONGPASS`);
    expect(await problem(`redis://${name}`)).toMatch(`cannot use Redis at ${name}: NOAUTH`);
  });

  it('passes over what others have written into the registry, says so, and lets it expire', async () => {
    const redis = cluster.server.connect();
    const bad: Readonly<Record<string, string>> = {
      text: 'not JSON',
      nothing: 'null',
      part: '{"id":"part","version":1}',
      other: JSON.stringify({ ...SEARCH, id: 'another' }),
      model: JSON.stringify({ ...SEARCH, id: 'model', model: 'x86' }),
    };
    for (const [id, text] of Object.entries(bad)) {
      await redis.sadd('fencepost:searches', id);
      await redis.set(`fencepost:search:${id}`, text);
    }
    await redis.sadd('fencepost:searches', '*', 'list');
    await redis.lpush('fencepost:search:list', 'x');
    await redis.set('fencepost:kept:work', 'of another search');
    // Sound entries whose work is not that of a search: a worker must not try them for ever.
    const works = { junk: 'not JSON', null: 'null', strange: '{"program":{}}' };
    for (const [id, text] of Object.entries(works)) {
      await new Registry(redis, () => {}).showSearch({ ...SEARCH, id, version: codeVersion() });
      await redis.set(`fencepost:${id}:work`, text);
    }
    const status = await fencepost(['cluster', 'status', '--redis', cluster.url]);
    expect([status.exit, status.stdout]).toEqual([0, expect.stringContaining('3 searches on ')]);
    for (const id of [...Object.keys(bad), 'list']) {
      expect(status.stderr).toContain(
        `fencepost: the entry of search ${id} in the registry cannot be read: passed over\n`,
      );
      expect(await redis.ttl(`fencepost:search:${id}`)).toBeGreaterThan(0);
    }
    expect(status.stderr).toContain('"*" in the registry is not the name of a search: removed');
    expect(await redis.exists('fencepost:kept:work')).toBe(1);
    const program = await compileC(scale('mutex', 5));
    const check = await run(program, ['sc']);
    expect(all.at(-1)!.state).toBe('done');
    expect(check.results.map(without)).toEqual(alone(program, ['sc']).results.map(without));
    expect(cluster.said).toContain('search junk refused: its program is not what was sent');
    await redis.flushall();
    redis.disconnect();
  });

  it('refuses searches of another version', async () => {
    const redis = cluster.server.connect();
    await new Registry(redis, () => {}).showSearch(SEARCH);
    const host = new Host(cluster.server, 1, (note) => notes.push(note));
    const running = host.run();
    await expect
      .poll(() => notes)
      .toEqual([`search other refused: it is of version 0.0.0+other, and this is ${codeVersion()}`]);
    host.stop();
    await running;
    redis.disconnect();
  });
});

describe('without a cluster', () => {
  const problemOf = async (url: string): Promise<string> => {
    try {
      await RedisServer.reach(url);
      return 'reached';
    } catch (error) {
      return error instanceof ClusterProblem ? error.message : String(error);
    }
  };

  it('says what is wrong', async () => {
    expect(await problemOf('localhost:6379')).toMatch(/^--redis must be an address such as redis:\/\//);
    expect(await problemOf('env:NO_SUCH_VARIABLE')).toMatch(
      /^the variable NO_SUCH_VARIABLE, named by --redis, must be/,
    );
    // Nobody listens there; the password is not shown.
    expect(await problemOf('redis://:secret@127.0.0.1:1')).toBe('cannot reach Redis at 127.0.0.1:1: ECONNREFUSED');
    const absent = (): never => {
      throw Object.assign(new Error('absent'), { code: 'MODULE_NOT_FOUND' });
    };
    expect(() => loadPackages(absent)).toThrow('npm install bullmq ioredis');
  });

  it('keeps bytes, large integers and unusual numbers', () => {
    const data = { a: [2n ** 63n, -0, Number.NaN, -Infinity, 1.5], b: new Uint8Array([0, 255]), c: 'text', d: null };
    expect(fromText(toText(data))).toEqual(data);
    expect(Object.is((fromText(toText([-0])) as number[])[0], -0)).toBe(true);
  });
});
