/** The bar at the top of every page, and a page that scrolls below it. */
import type { ComponentChildren, JSX } from 'preact';
import { ThemeButton } from './theme.tsx';

interface TopProps {
  /** Where the name links to, in pages from a server. */
  readonly home?: string;
  readonly children?: ComponentChildren;
}

export function Top({ home, children }: TopProps): JSX.Element {
  return (
    <header class="top">
      {home === undefined ? (
        <span class="mark">Fencepost</span>
      ) : (
        <a class="mark" href={home} title="All runs and programs">
          Fencepost
        </a>
      )}
      {children}
      <ThemeButton />
    </header>
  );
}

export function Frame({ home, bar, children }: TopProps & { bar?: ComponentChildren }): JSX.Element {
  return (
    <>
      <Top {...(home === undefined ? {} : { home })}>{bar}</Top>
      <main class="page">{children}</main>
    </>
  );
}
