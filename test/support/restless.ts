import type { WatchedPace } from '../../src/workers/turns.ts';

/** A pace at which workers search together and alone by turns, and are sometimes divided anew at once. */
export const restless = (): WatchedPace => {
  let calls = 0;
  return {
    isSlow: () => ++calls % 2 === 0,
    hasPaid: () => calls % 3 === 0,
    isRested: () => ++calls % 2 === 0,
    goOn: () => {},
  };
};
