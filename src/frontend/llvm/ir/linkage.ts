/** What a linkage word says about where else a name may be defined or seen. */

export interface Linkage {
  readonly isLocal: boolean;
  readonly isWeak: boolean;
  /** The actual definition is elsewhere; this copy is only for inlining. */
  readonly isCopy?: true;
}

const LINKAGES: ReadonlyMap<string, Linkage> = new Map(
  Object.entries({
    external: { isLocal: false, isWeak: false },
    appending: { isLocal: false, isWeak: false },
    private: { isLocal: true, isWeak: false },
    internal: { isLocal: true, isWeak: false },
    weak: { isLocal: false, isWeak: true },
    weak_odr: { isLocal: false, isWeak: true },
    linkonce: { isLocal: false, isWeak: true },
    linkonce_odr: { isLocal: false, isWeak: true },
    common: { isLocal: false, isWeak: true },
    available_externally: { isLocal: false, isWeak: true, isCopy: true },
    extern_weak: { isLocal: false, isWeak: true },
  }),
);

export const EXTERNAL: Linkage = { isLocal: false, isWeak: false };

/** `undefined` if the word is not a linkage. */
export function linkageOf(word: string): Linkage | undefined {
  return LINKAGES.get(word);
}
