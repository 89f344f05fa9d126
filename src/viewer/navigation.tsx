/** The address of the page as state: everything that is looked at is in its fragment. */
import { useEffect, useState } from 'preact/hooks';
import { parseRoute, printRoute, type Route, type Screen } from './model/route.ts';

/** `push` leaves a place to go back to; `replace` does not. */
export type Navigate = (change: Partial<Route>, how: 'push' | 'replace') => void;

export function useRoute(home: Screen): readonly [Route, Navigate] {
  const [route, setRoute] = useState(() => parseRoute(location.hash, home));
  useEffect(() => {
    const read = (): void => setRoute(parseRoute(location.hash, home));
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, [home]);
  const navigate: Navigate = (change, how) => {
    // From the address, not from the last drawing: two keys may come before it is drawn again.
    const next = { ...parseRoute(location.hash, home), ...change };
    const fragment = printRoute(next);
    if (fragment === location.hash) return;
    if (how === 'push') history.pushState(null, '', fragment);
    else history.replaceState(null, '', fragment);
    setRoute(next);
  };
  return [route, navigate];
}
