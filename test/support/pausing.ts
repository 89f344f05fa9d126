/**
 * Threads that pause while they wait, in C++: counters, growing and random delays, yields and sleeps, in local variables,
 * behind out-parameters and in objects of classes; crossed with counters that somebody observes, or that have no value,
 * with addresses that get away, and with pauses that never end.
 */
import { printThreadPrograms, ThreadGenerator, type ThreadProgram } from './thread-programs.ts';

export class PausingGenerator extends ThreadGenerator {
  /** Loops inside of loops may use it. */
  private depth = 0;

  program(): ThreadProgram {
    const threads: string[] = [];
    const count = this.chance(5) ? 3 : 2;
    for (let thread = 0; thread < count; thread++) {
      const waits = thread === 0 || this.chance(3);
      const body = waits ? `${this.maybe(3, () => this.write())} ${this.wait()}` : this.some(3, () => this.write());
      threads.push(`${body} ${this.maybe(3, () => this.use())}`);
    }
    return { threads };
  }

  private maybe(one: number, make: () => string): string {
    return this.chance(one) ? make() : '';
  }

  private place(): string {
    return this.pick(['x', 'x', 'x', 'y']);
  }

  /** What others see. */
  private write(): string {
    return this.pick([
      'set(x, 1);',
      'set(x, 1);',
      `set(${this.place()}, ${this.value()});`,
      `${this.place()}.store(${this.value()});`,
      `${this.place()}.fetch_add(1);`,
      `assert(get(${this.place()}) != ${this.value()});`,
      `{ Guard g(x); ${this.maybe(2, () => 'data++;')} }`,
    ]);
  }

  private wait(): string {
    const left = this.pick(['==', '!=']);
    const at = this.place();
    const value = left === '==' ? this.pick([0, 0, 2]) : this.pick([1, 1, 2]);
    const waits = `get(${at}) ${left} ${value}`;
    const body = (): string => this.some(2, () => this.pause());
    return this.pick([
      `while (${waits}) { ${body()} ${this.rarely()} }`,
      `do { ${body()} ${this.rarely()} } while (${waits});`,
      `for (;;) { if (!(${waits})) break; ${body()} ${this.rarely()} }`,
      `for (n = 0; ${waits}; n++) { ${this.pick([`if (n == ${1 + this.value()}) n = 0;`, `n %= ${2 + this.value()};`])} ${this.maybe(2, () => this.pause())} ${this.rarely()} }`,
      `{ Backoff back; while (${waits}) { back.pause(); ${this.rarely()} } ${this.maybe(5, () => 'kept[3] = back.size;')} }`,
      `{ Spinner<${1 + this.value()}> spin(n); while (${waits}) { ${this.pick(['spin.once();', 'spin.once();', 'if (!spin.once()) break;', 'spin.touch(y);'])} } }`,
      `{ Guard g(x); ${this.maybe(2, () => 'data++;')} ${this.maybe(3, () => this.use())} }`,
    ]);
  }

  /** Something that is not only a pause. */
  private rarely(): string {
    if (this.chance(6)) return this.use();
    if (this.chance(8)) return `if (${this.pick(['n', 'k', 'box.a', 'box.b'])} >= ${1 + this.value()}) break;`;
    return this.chance(12) ? this.pause() : '';
  }

  private counter(): string {
    return this.pick(['n', 'n', 'k', 'box.a', 'box.b']);
  }

  /** Somebody observes a counter. */
  private use(): string {
    const c = this.counter();
    return this.pick([
      `set(y, ${c} & 3);`,
      `t = ${c} & 3;`,
      `assert(${c} < ${2 + this.value()});`,
      `if (${c} == ${this.value()}) set(y, 1);`,
      `keep(&${c});`,
      `show(&${c});`,
      `own = ${c} & 3;`,
      `assert(own < ${1 + this.value()});`,
      `{ int *p = ${this.pick(['get(y) ? &n : &k', 'own ? &box.a : &n', '&n'])}; *p = ${this.value()}; }`,
    ]);
  }

  private pause(): string {
    const [c, d] = [this.counter(), this.counter()];
    const limit = 1 + this.value();
    const nested = (): string => {
      if (this.depth > 1) return 'sched_yield();';
      this.depth++;
      const inner = this.pause();
      this.depth--;
      return inner;
    };
    return this.pick([
      'sched_yield();',
      'relax();',
      this.chance(4) ? 'usleep(5);' : 'sched_yield();',
      `if (${c} < ${limit}) ${c}++; else ${this.pick(['sched_yield();', `${c} = 0;`, nested()])}`,
      `if (++${c} >= ${limit}) { ${c} = 0; ${this.maybe(2, nested)} }`,
      `${c} = (${c} + 1) % ${1 + limit};`,
      `bump(&${c}, ${limit});`,
      `if (bump(&${c}, ${limit})) ${nested()}`,
      `add(${c}, ${d} & 1); ${c} &= 3;`,
      `nap(&${c}, ${this.pick(['1', '-1', d])});`,
      `swap(box); ${this.maybe(2, nested)}`,
      `delay(${this.pick([c, `${c} & 3`, String(limit)])});`,
      `${c} = ${this.value()};`,
      `${c} ^= ${d}; ${c} &= 3;`,
      `for (int i = 0; i < ${this.pick([c, `(${c} & 3)`, '3'])}; i++) ${nested()}`,
      `for (int i = ${c} & 3; ${this.pick(['i > 0', 'i != 0', 'i'])}; ${this.pick(['i--', 'i--', 'i -= 2'])}) relax();`,
      `for (int i = ${c} & 3; i-- > 0; ) relax();`,
      this.chance(4)
        ? `for (unsigned char i = ${this.value()}; i ${this.pick(['!=', '<', '<=', '>='])} ${this.pick([3, 255, 0])}; i += ${this.pick([1, 1, 2])}) relax();`
        : 'relax();',
      `{ int u; ${this.maybe(2, () => `if (${c} < ${limit}) u = 1;`)} if (u) ${nested()} }`,
      this.chance(4) ? `own = (own * 5 + 3) & 3; delay(own);` : 'relax();',
      `{ Backoff b; b.size = ${c} & 3; b.pause(); ${this.maybe(2, () => `${c} = b.size & 3;`)} }`,
      this.chance(6) ? `if (${c} > 90) { log("many", ${c}); }` : 'relax();',
    ]);
  }
}

/** One translation unit; `main_i` runs program i and leaves its threads' results in `kept`. */
export function printPausing(programs: readonly ThreadProgram[]): string {
  const header = `#include <assert.h>
#include <atomic>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
static std::atomic<int> x, y; static int kept[4], data; static thread_local int own; static int *away;
struct Box { int a, b; };
static inline int get(std::atomic<int> &at) { return at.load(std::memory_order_relaxed); }
static inline void set(std::atomic<int> &at, int value) { at.store(value, std::memory_order_relaxed); }
static inline void relax() { __builtin_ia32_pause(); }
static int bump(int *p, int limit) { if (++*p < limit) return 0; *p = 0; return 1; }
static void add(int &to, int by) { to += by; }
static void swap(Box &box) { int t = box.a; box.a = box.b; box.b = t; }
static void delay(int n) { for (int i = 0; i < n; i++) relax(); }
static void rest(int by) { if (by < 0) poll(0, 0, 1); else sched_yield(); }
static void nap(int *p, int by) { if (*p < 2) ++*p; else { *p = 0; rest(by); } }
static void keep(int *p) { away = p; }
static void show(int *p) { set(y, *p & 3); }
static void log(const char *text, ...) { char to[32]; va_list rest; va_start(rest, text); vsnprintf(to, sizeof to, text, rest); va_end(rest); }
struct Backoff {
  int size = 1;
  void pause() { if (size < 4) { for (int i = 0; i < size; i++) relax(); size *= 2; } else sched_yield(); }
};
template <int LIMIT> struct Spinner {
  int &count;
  explicit Spinner(int &c) : count(c) {}
  ~Spinner() { relax(); }
  bool once() { if (count < LIMIT) { ++count; return true; } sched_yield(); return false; }
  void touch(std::atomic<int> &at) { if (get(at) == 0) count = 0; }
};
struct Guard {
  std::atomic<int> &l;
  explicit Guard(std::atomic<int> &lock) : l(lock) { int tries = 0, zero = 0; while (!l.compare_exchange_strong(zero, 1)) { zero = 0; if (++tries > 2) { tries = 0; sched_yield(); } } }
  ~Guard() { l.store(0, std::memory_order_release); }
};
extern "C" {`;
  const text = printThreadPrograms(programs, {
    header,
    locals: 'int t = 0, n = 0, k = 0; Box box = {0, 0}; (void)k; (void)n; (void)box;',
    kept: 't + 4 * own',
  });
  return `${text}}\n`;
}
