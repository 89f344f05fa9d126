/** The page's address as state: its fragment describes the whole view. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { parseRoute, printRoute, type Route, type Screen } from './model/route.ts';

/**
 * `push` adds to the history and `replace` does not; `step` is a `replace` that may come in quick succession. A
 * function gets the current route, which may be newer than what is drawn.
 */
export type Navigate = (change: Partial<Route> | ((now: Route) => Partial<Route>), how: How) => void;
type How = 'push' | 'replace' | 'step';

/** Milliseconds between writes. Browsers reject more frequent changes, as would happen while a key is held down. */
const WRITE_EVERY = 120;

/** Writes the address: immediately, except for steps in quick succession. */
class Address {
  private pending: string | undefined;
  private timer = 0;

  readonly flush = (): void => {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.pending !== undefined) history.replaceState(null, '', this.pending);
    this.pending = undefined;
  };

  replace(fragment: string): void {
    this.pending = fragment;
    this.flush();
  }

  step(fragment: string): void {
    this.pending = fragment;
    if (this.timer !== 0) return;
    this.flush();
    this.timer = window.setTimeout(this.flush, WRITE_EVERY);
  }

  push(fragment: string): void {
    this.flush();
    history.pushState(null, '', fragment);
  }

  forget(): void {
    this.pending = undefined;
  }
}

export function useRoute(home: Screen): readonly [Route, Navigate] {
  const [route, setRoute] = useState(() => parseRoute(location.hash, home));
  const now = useRef(route);
  const address = useRef<Address | null>(null);
  address.current ??= new Address();
  const { current: writer } = address;
  useLayoutEffect(() => {
    const read = (): void => {
      writer.forget();
      now.current = parseRoute(location.hash, home);
      setRoute(now.current);
    };
    addEventListener('popstate', read);
    addEventListener('pagehide', writer.flush);
    return () => {
      removeEventListener('popstate', read);
      removeEventListener('pagehide', writer.flush);
    };
  }, [home, writer]);
  const navigate = useRef<Navigate>((change, how) => {
    const next = { ...now.current, ...(typeof change === 'function' ? change(now.current) : change) };
    const fragment = printRoute(next);
    if (fragment === printRoute(now.current)) return;
    now.current = next;
    writer[how](fragment);
    setRoute(next);
  });
  return [route, navigate.current];
}
