/** Chronological traces as graphs: [NIDHUGG] Sect. 4, `replay --graph`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Machine } from '../../src/machine/machine.ts';
import { type GraphReport, graphReport, printDot } from '../../src/report/graph.ts';
import { traceExecution } from '../../src/report/story/execution.ts';
import { chronologicalEdges } from '../../src/trace/chronological.ts';
import { HappensBefore } from '../../src/trace/happens-before.ts';
import { check, compileC } from '../support/c.ts';
import { ensureBuilt, Folder, fencepost } from '../support/fencepost.ts';
import { validateReport } from '../support/schemas.ts';

// The page contains the built viewer.
beforeAll(ensureBuilt);

const SOURCE = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z; static int a, b;
static void *left(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed); a = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst); z = 2; return p;
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, left, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed); b = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0); assert(a || b || z != 2);
}
`;

async function failing(model: 'tso' | 'pso'): Promise<{ machine: Machine; graph: GraphReport }> {
  const program = await compileC(SOURCE);
  const { schedule } = check(program, model, { strategy: 'optimal' }).errors[0]!;
  const machine = new Machine(program, model);
  const trace = traceExecution(machine, schedule);
  return { machine, graph: graphReport('test.c', model, trace, chronologicalEdges(machine)) };
}

describe.each(['tso', 'pso'] as const)('the graph of store buffering under %s', (model) => {
  it('has the relations of the paper', async () => {
    const { graph } = await failing(model);
    const { events, edges } = graph;
    const nameOf = (id: number): string =>
      `${events[id]!.thread}${events[id]!.kind === 'update' ? '/' : ''} ${events[id]!.effect}`;
    const shown = edges.map(({ from, relation, to }) => `${nameOf(from)} | ${relation} | ${nameOf(to)}`);
    for (const edge of [
      '0 create thread 0.1 | create | 0.1 x = 1 (buffered), relaxed',
      '0 x → 0, relaxed | conflict | 0.1/ x = 1 reaches memory',
      '0.1 y → 0, relaxed | conflict | 0/ y = 1 reaches memory',
      '0.1 x = 1 (buffered), relaxed | store to update | 0.1/ x = 1 reaches memory',
      '0.1 x = 1 (buffered), relaxed | program order | 0.1 y → 0, relaxed',
    ]) {
      expect(shown).toContain(edge);
    }
    expect(shown.filter((edge) => /reaches memory \| update to fence \| 0\.1 fence/.test(edge))).not.toEqual([]);
    expect(shown.filter((edge) => /\| join \| 0 join thread 0\.1$/.test(edge))).not.toEqual([]);
    expect(edges.some(({ relation }) => relation === 'buffer order')).toBe(model === 'tso');
  });

  it('is happens-before, and no edge follows from others', async () => {
    const { machine, graph } = await failing(model);
    const order = new HappensBefore(machine);
    order.catchUp();
    const n = graph.events.length;
    const reach = (edges: GraphReport['edges']): Set<string> => {
      const pairs = new Set<string>();
      const past = Array.from({ length: n }, () => new Set<number>());
      for (const { from, to } of edges) for (const e of [from, ...past[from]!]) past[to]!.add(e);
      past.forEach((before, to) => {
        for (const from of before) pairs.add(`${from} ${to}`);
      });
      return pairs;
    };
    const expected = new Set<string>();
    for (let from = 0; from < n; from++)
      for (let to = 0; to < n; to++) if (from !== to && order.happensBefore(from, to)) expected.add(`${from} ${to}`);
    expect(reach(graph.edges)).toEqual(expected);
    for (const edge of graph.edges) {
      expect(edge.from).toBeLessThan(edge.to);
      expect(reach(graph.edges.filter((e) => e !== edge)).has(`${edge.from} ${edge.to}`)).toBe(false);
    }
  });
});

it('a drawing quotes whatever a program contains', async () => {
  const { graph } = await failing('pso');
  const odd = { ...graph, file: 'a"b\\c\u0007.c' };
  const dot = printDot(odd);
  expect(dot).toContain('label="a\\"b\\\\c .c under pso: chronological trace";');
  expect(dot).toContain('label="buffer of thread 0.1 for x";');
  expect(dot.split('\n').filter((line) => /^ {2}e\d+ -> e\d+/.test(line))).toHaveLength(graph.edges.length);
});

it('replay writes it, in the form that the name of the file says', async () => {
  const folder = new Folder();
  folder.write('test.c', SOURCE);
  const saved = await fencepost(['check', 'test.c', '--model', 'tso', '--json', '--no-out'], { cwd: folder.path });
  folder.write('report.json', saved.stdout);
  const replay = (file: string) => fencepost(['replay', 'report.json', '--graph', file], { cwd: folder.path });
  expect((await replay('trace.dot')).exit).toBe(1);
  expect(readFileSync(join(folder.path, 'trace.dot'), 'utf8')).toMatch(/^digraph trace \{\n/);
  expect((await replay('trace.json')).exit).toBe(1);
  expect(JSON.parse(readFileSync(join(folder.path, 'trace.json'), 'utf8'))).toMatchObject({
    ...{ schema: 'fencepost/1', graph: 'chronological trace', file: 'test.c', model: 'tso' },
    edges: expect.arrayContaining([{ from: 0, to: 1, relation: 'program order' }]),
  });
  expect(await replay('trace.png')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--graph needs a file') });
  expect(existsSync(join(folder.path, 'trace.png'))).toBe(false);
  expect((await replay('nowhere/trace.dot')).exit).toBe(2);
  folder.remove();
});

it('pages have it, for the viewer; other reports do not', async () => {
  const folder = new Folder();
  folder.write('test.c', SOURCE);
  const run = (...more: readonly string[]) =>
    fencepost(['check', 'test.c', '--model', 'tso', '--json', '--no-out', ...more], { cwd: folder.path });
  const [plain, paged] = [JSON.parse((await run()).stdout), JSON.parse((await run('--html', 'page.html')).stdout)];
  expect(plain.results[0].trace).not.toHaveProperty('chronological');
  const { graph } = await failing('tso');
  expect(paged.results[0].trace.chronological).toEqual(expect.arrayContaining([graph.edges[0]]));
  expect(validateReport(paged)).toEqual([]);
  expect(readFileSync(join(folder.path, 'page.html'), 'utf8')).toContain('store to update');
  folder.remove();
});

describe('a model without happens-before', () => {
  it('has a page without a chronological trace, and no graph', async () => {
    const folder = new Folder();
    const text = readFileSync(new URL('../../examples/store-buffering.c', import.meta.url), 'utf8');
    folder.write('sb.c', text);
    const inFolder = { cwd: folder.path };
    const page = await fencepost(['check', 'sb.c', '--model', 'pslo', '--html', 'sb.html'], inFolder);
    expect([page.exit, page.stderr]).toEqual([1, '']);
    const [run] = readdirSync(`${folder.path}/fencepost-out`);
    const graph = await fencepost(['replay', `fencepost-out/${run}`, '--graph', 'sb.dot'], inFolder);
    expect([graph.exit, graph.stderr]).toEqual([2, expect.stringContaining('pslo has no happens-before')]);
    folder.remove();
  });
});
