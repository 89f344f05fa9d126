/**
 * Alg. 2 l. 12: choose p ∈ enabled(s_[E]) that does not sleep, where the wakeup tree is empty. Any choice is sound.
 * Ours is the first step in thread order; a step of another thread if one has run alone for long (`maxStreak`, Lemma 8
 * of [decision 16](../../../docs/decisions/0016-dependence.md)); an exit if there is nothing else.
 */
import { IntVector } from '../../util/int-vector.ts';
import { processOf, type Step } from '../runnable.ts';
import { ABANDON, NO_STEP } from '../strategy.ts';
import type { NextSteps } from './next-steps.ts';
import type { SearchStack } from './search-stack.ts';
import type { Shortcuts } from './shortcuts.ts';

export class NewSteps {
  /** The step chosen last is an exit: there was nothing else. */
  isExit = false;
  /**
   * Only steps that have to wait for a given order could have been chosen: no execution with this prefix has these
   * orders.
   */
  isStuck = false;
  /** The number of choices that its process had. */
  ways = 1;
  private readonly next: NextSteps;
  private readonly stack: SearchStack;
  private readonly maxStreak: number;
  private readonly lateExits: boolean;
  /** The length of the latest run of events of one thread, and that thread. */
  private streak = 0;
  private streakThread = -1;
  /** The steps of the thread being examined. */
  private readonly steps = new IntVector();

  constructor(
    next: NextSteps,
    stack: SearchStack,
    { maxStreak, lateExits }: Pick<Shortcuts, 'maxStreak' | 'lateExits'>,
  ) {
    this.next = next;
    this.stack = stack;
    this.maxStreak = maxStreak;
    this.lateExits = lateExits;
  }

  /** Never an invisible step: all enabled ones have been taken. */
  choose(): Step | typeof ABANDON | typeof NO_STEP {
    const { next, stack, steps } = this;
    this.isExit = false;
    this.isStuck = false;
    let chosen = NO_STEP;
    const depth = stack.length;
    steps.clear();
    for (let thread = next.addVisible(0, steps); thread >= 0; thread = next.addVisible(thread + 1, steps)) {
      for (let i = 0; i < steps.length; i++) {
        const step = steps.words[i]!;
        if (stack.isAsleep(step, depth)) {
          if (chosen === NO_STEP) chosen = ABANDON;
          continue;
        }
        if (chosen >= 0 && thread === this.streakThread) continue;
        this.ways = steps.length === 1 ? 1 : this.countWays(processOf(step));
        if (this.streak < this.maxStreak || thread !== this.streakThread) return step;
        chosen = step;
      }
      steps.clear();
    }
    if (chosen !== NO_STEP && (chosen !== ABANDON || this.lateExits)) return chosen;
    if (next.holdsBack) {
      this.isStuck = true;
      return ABANDON;
    }
    this.isExit = true;
    return this.chooseExit(chosen === ABANDON ? ABANDON : NO_STEP);
  }

  /** An exit, or `otherwise`. */
  private chooseExit(otherwise: typeof ABANDON | typeof NO_STEP): Step | typeof ABANDON | typeof NO_STEP {
    const { next, stack } = this;
    this.ways = 1;
    let answer = otherwise;
    for (let exit = next.exit(0); exit >= 0; exit = next.exit(processOf(exit) + 1)) {
      if (this.lateExits || !stack.isAsleep(exit, stack.length)) return exit;
      answer = ABANDON;
    }
    return answer;
  }

  private countWays(process: number): number {
    const { words, length } = this.steps;
    let count = 0;
    for (let i = 0; i < length; i++) if (processOf(words[i]!) === process) count++;
    return count;
  }

  /** The thread has taken a step. */
  observe(thread: number): void {
    this.streak = thread === this.streakThread ? this.streak + 1 : 1;
    this.streakThread = thread;
  }

  /** The system has been rolled back. */
  forget(): void {
    this.streak = 0;
  }
}
