import type { WatchedPace } from '../../src/workers/turns.ts';

/** A pace that alternates between searching together and alone, and sometimes redistributes the work at once. */
export const restless = (): WatchedPace => {
  let calls = 0;
  return {
    isSlow: () => ++calls % 2 === 0,
    hasPaid: () => calls % 3 === 0,
    isRested: () => ++calls % 2 === 0,
    goOn: () => {},
  };
};
