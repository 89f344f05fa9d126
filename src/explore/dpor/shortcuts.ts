/**
 * What the search omits because a lemma says that nothing is lost. Each has a switch; the tests turn them off one at a
 * time and compare traces. The lemmas are in
 * [decision 16](../../../docs/decisions/0016-dependence.md), and in
 * [decision 27](../../../docs/decisions/0027-commuting-operations.md) for operations that commute; a table in decision
 * 16 also lists what is omitted elsewhere.
 */
export interface Shortcuts {
  /** A race of the kept prefix is not examined again if every new event happens after its first event (Lemma 3). */
  readonly unchangedRaces: boolean;
  /** A race of the kept prefix is not examined again if what covered its sequence still does (Lemma 4). */
  readonly coveredRaces: boolean;
  /** Invisible steps run as soon as they are enabled, and are in no set and no tree (Lemma 5). */
  readonly invisibleSteps: boolean;
  /** Joins wait until nothing else is left to do, and then run without examining other threads (Lemma 6). */
  readonly lateJoins: boolean;
  /** An exit runs only when nothing else can, and is in no set and no tree (Lemma 9). */
  readonly lateExits: boolean;
  /** Threads in front of an invisible step are examined again only when they may be able to go on (Lemma 24). */
  readonly waitingThreads: boolean;
  /** Conflicts with a sequence are found in the access list of each word, not by scanning every event (Lemma 7). */
  readonly accessLists: boolean;
  /** A sleeping action that conflicts with the end of a sequence is not compared with the rest of it (Lemma 7). */
  readonly sleepersFirst: boolean;
  /** After this many events of one thread, another gets a turn. Ends polling loops sooner (Lemma 8). */
  readonly maxStreak: number;
  /** From this many events on, one event of each process stands for all that follow it (Lemma 20). */
  readonly longFrom: number;
  /** From this event on, a clock, not a row of bits, says what happens before an event (Lemma 22). */
  readonly clocksFrom: number;
  /** Operations that commute are not ordered. Off by default: it changes what a trace is (Lemma 10). */
  readonly commuting: boolean;
}

export const ALL_SHORTCUTS: Shortcuts = {
  unchangedRaces: true,
  coveredRaces: true,
  invisibleSteps: true,
  lateJoins: true,
  lateExits: true,
  waitingThreads: true,
  accessLists: true,
  sleepersFirst: true,
  maxStreak: 200,
  longFrom: 128,
  clocksFrom: 1024,
  commuting: false,
};
