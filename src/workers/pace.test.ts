import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';

/**
 * Two threads that are no longer too new to be judged. `areSlow` takes their executions in each quarter of a second.
 */
class Threads {
  readonly pace = new Pace({ seconds: 0, cpu: 0, executions: 0 }, 1000);
  private seconds = 2.5;
  private cpu = 5;
  private executions = 0;

  constructor() {
    this.pace.isSlow(this.moment);
  }

  get moment(): Parameters<Pace['isSlow']>[0] {
    const { seconds, cpu, executions } = this;
    return { seconds, cpu, executions };
  }

  run(executions: number, cpu = 0.5): void {
    this.seconds += 0.25;
    this.cpu += cpu;
    this.executions += executions;
  }

  areSlow(windows: readonly number[], cpu?: number): readonly boolean[] {
    return windows.map((executions) => {
      this.run(executions, cpu);
      return this.pace.isSlow(this.moment);
    });
  }
}

describe('threads together', () => {
  it('are too slow if one was faster, for a second', () => {
    expect(new Threads().areSlow([500, 200, 200, 200, 200])).toEqual([false, false, false, false, true]);
    expect(new Threads().areSlow([200, 200, 200, 500, 200, 200, 200])).not.toContain(true);
  });

  it('are not if only the clock says so: something else runs on the machine', () => {
    expect(new Threads().areSlow([200, 200, 200, 200, 200], 0.2)).not.toContain(true);
  });

  it('are measured by the best pace so far', () => {
    const threads = new Threads();
    expect(threads.areSlow([800, 300, 300, 300, 300]).at(-1)).toBe(true);
    expect(new Threads().areSlow([300, 300, 300, 300]).at(-1)).toBe(false);
  });

  it('are not judged while they are new', () => {
    const pace = new Pace({ seconds: 0, cpu: 0, executions: 0 }, 1000);
    const seconds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];
    expect(seconds.map((at) => pace.isSlow({ seconds: at, cpu: 2 * at, executions: 0 }))).not.toContain(true);
  });

  it('have paid if it took long until they were slow', () => {
    const threads = new Threads();
    threads.pace.goOn(threads.moment);
    threads.areSlow([500, 200, 200, 200, 200]);
    expect(threads.pace.hasPaid(threads.moment)).toBe(false);
    threads.areSlow(Array.from({ length: 20 }, () => 500));
    expect(threads.pace.hasPaid(threads.moment)).toBe(true);
  });
});

describe('one thread alone', () => {
  /** The quarters of a second until the other threads come back, if one has this many executions in each. */
  function rest(executions: number, before: number): number {
    const threads = new Threads();
    for (let i = 0; i < before; i++) threads.areSlow([500]);
    threads.areSlow([200, 200, 200, 200]);
    threads.pace.goOn(threads.moment);
    for (let quarters = 1; ; quarters++) {
      threads.run(executions, 0.25);
      if (threads.pace.isRested(threads.moment)) return quarters;
    }
  }

  it('goes on for a while if it is faster, the longer the later', () => {
    expect(rest(250, 0)).toBe(16);
    expect(rest(250, 100)).toBe(2 * 28.5);
  });

  it('does not if it is no faster', () => {
    expect(rest(150, 0)).toBe(4);
  });
});
