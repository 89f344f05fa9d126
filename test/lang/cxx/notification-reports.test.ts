/** Reports of waits for atomic objects show what the program does, without the library's internal steps. */
import { expect, it } from 'vitest';
import { Machine } from '../../../src/machine/machine.ts';
import type { Model } from '../../../src/models/index.ts';
import { textOf } from '../../../src/report/story/cells.ts';
import { traceExecution } from '../../../src/report/story/execution.ts';
import type { TraceReport } from '../../../src/report/trace-schema.ts';
import { check } from '../../support/c.ts';
import { compileCxx } from '../../support/cxx.ts';

const SOURCE = `#include <atomic>
#include <memory>
#include <thread>
struct Queue { int size; std::atomic<bool> full{false}; };
std::atomic<int> ready{0}, other{0};
std::atomic<std::shared_ptr<int>> shared;
Queue queue;
extern "C" void missing() { std::thread t([] { ready.wait(0); });
  ready.store(1);
  t.join();
}
extern "C" void early() { std::thread t([] { ready.wait(0); });
  ready.notify_all();
  ready.store(1);
  t.join();
}
extern "C" void oneOfTwo() { std::thread t([] { ready.wait(0); }), u([] { ready.wait(0); });
  ready.store(1);
  ready.notify_one();
  t.join(); u.join();
}
extern "C" void member() { std::thread t([] { queue.full.wait(false); });
  queue.full = true;
  t.join();
}
extern "C" void pointer() { std::thread t([] { shared.wait(nullptr); });
  shared.store(std::make_shared<int>(1));
  t.join();
}
extern "C" void late() { std::thread t([] { other.store(1, std::memory_order_relaxed); if (!ready) __builtin_trap(); });
  ready.store(1, std::memory_order_relaxed); ready.notify_all();
  if (!other) __builtin_trap();
  t.join();
}
int main() {}
`;

const INTERNAL = /choose|notification|sleepers/;

interface Told {
  readonly message: string;
  readonly notes: readonly string[];
  readonly trace: TraceReport;
  /** Each thread's entries in the table. */
  readonly shown: readonly string[];
}

async function report(entry: string, model: Model): Promise<Told> {
  const program = await compileCxx(SOURCE, { entry, standard: 'c++20' });
  const { errors } = check(program, model, { strategy: 'optimal', spin: true });
  const { error, schedule } = errors[0]!;
  const { message, notes = [] } = error;
  const trace = traceExecution(new Machine(program, model, {}, { spin: true }), schedule);
  const shown = trace.events
    .filter(({ aside }) => aside !== true)
    .map((event) => `${event.thread}: ${textOf(event, { atOnce: true })}`);
  return { message, notes: notes.map((note) => note.replace(/\S+test\.cpp/g, 'test.cpp')), trace, shown };
}

it.each(['sc', 'tso', 'pso', 'rc11'] as const)('a missing notification is reported under %s', async (model) => {
  const { message, notes, trace, shown } = await report('missing', model);
  expect(message).toContain('thread 0.1 waits for a notification that `ready` has changed from 0');
  expect(notes).toContain('`ready` became 1 at test.cpp:9:9, and no thread notified it after that');
  expect(notes.at(-1)).toBe('to prevent it, notify `ready` after the change at test.cpp:9:9');
  expect(shown.some((text) => text.startsWith('0.1: reads ready: 0'))).toBe(true);
  expect(shown.join()).not.toMatch(INTERNAL);
  expect(trace.ends.map(({ waitsFor }) => waitsFor)).toContain('ready');
  expect(trace.places?.map(({ location }) => location).join()).not.toMatch(INTERNAL);
});

it('a notification that came before the change is reported', async () => {
  const { notes, shown } = await report('early', 'pso');
  expect(notes).toContain(
    '`ready` became 1 at test.cpp:14:9, and no thread notified it after that; the notification at test.cpp:13:9 came before that',
  );
  expect(shown).toContain('0: notify_all ready');
});

it.each(['sc', 'rc11'] as const)('a notification that another thread took is reported under %s', async (model) => {
  const { message, notes, shown } = await report('oneOfTwo', model);
  const [, taker] = /`notify_one` at test\.cpp:19:9 woke thread (\S+) instead$/m.exec(notes.join('\n'))!;
  expect(message).toContain(`thread ${taker === '0.1' ? '0.2' : '0.1'} waits for a notification that \`ready\``);
  expect(notes.at(-1)).toBe('to prevent it, use `notify_all` at test.cpp:19:9');
  expect(shown).toContain(`0: notify_one ready, wakes thread ${taker}`);
  expect(shown.join()).not.toMatch(INTERNAL);
});

it('a missing notification of a member or a pointer is reported', async () => {
  expect((await report('member', 'sc')).notes).toContain(
    '`queue.full` became 1 at test.cpp:23:14, and no thread notified it after that',
  );
  const { message, notes } = await report('pointer', 'sc');
  expect(message).toContain('for a notification that `shared` has changed');
  expect(notes).toContain('`shared` changed at test.cpp:27:10, and no thread notified it after that');
});

it('a notification in a store buffer is reported', async () => {
  const { trace } = await report('late', 'pso');
  const told = trace.events.map((event) => textOf(event));
  expect(told).toContain('notify_all ready, goes into the buffer');
  expect(trace.events.find(({ kind }) => kind === 'notify')).toMatchObject({
    location: 'notification of ready',
    buffered: true,
  });
});
