/** Searches with other shortcuts, which must find the same traces. */
import { ALL_SHORTCUTS, type Shortcuts } from '../../src/explore/dpor/shortcuts.ts';

/** More events than an execution can have. An integer: otherwise all comparisons would be slower. */
const NEVER = 0x7fffffff;

/** One variant for each shortcut, with that one turned off; and some that use one as often as possible. */
export const SHORTCUT_VARIANTS: readonly { readonly without: string; readonly shortcuts: Shortcuts }[] = [
  { without: 'unchangedRaces', shortcuts: { ...ALL_SHORTCUTS, unchangedRaces: false } },
  { without: 'coveredRaces', shortcuts: { ...ALL_SHORTCUTS, coveredRaces: false } },
  { without: 'invisibleSteps', shortcuts: { ...ALL_SHORTCUTS, invisibleSteps: false } },
  { without: 'lateJoins', shortcuts: { ...ALL_SHORTCUTS, lateJoins: false } },
  { without: 'waitingThreads', shortcuts: { ...ALL_SHORTCUTS, waitingThreads: false } },
  { without: 'accessLists', shortcuts: { ...ALL_SHORTCUTS, accessLists: false } },
  { without: 'sleepersFirst', shortcuts: { ...ALL_SHORTCUTS, sleepersFirst: false } },
  { without: 'turns', shortcuts: { ...ALL_SHORTCUTS, maxStreak: NEVER } },
  { without: 'streaks', shortcuts: { ...ALL_SHORTCUTS, maxStreak: 1 } },
  { without: 'longFrom', shortcuts: { ...ALL_SHORTCUTS, longFrom: NEVER } },
  { without: 'short executions', shortcuts: { ...ALL_SHORTCUTS, longFrom: 0 } },
  { without: 'clocksFrom', shortcuts: { ...ALL_SHORTCUTS, clocksFrom: NEVER } },
  { without: 'most rows of bits', shortcuts: { ...ALL_SHORTCUTS, clocksFrom: 7 } },
];
