/** Light or dark: as the system chooses, until the reader does. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const KEY = 'fencepost-theme';

/** Storage may be refused, for example in a page opened from a file; the choice then lasts as long as the page. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function restoreTheme(): void {
  const theme = stored();
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

export function ThemeButton(): JSX.Element {
  const [dark, setDark] = useState(isDark);
  const toggle = (): void => {
    const theme = dark ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // See above.
    }
    setDark(!dark);
  };
  return (
    <button type="button" class="quiet theme" onClick={toggle} aria-label={dark ? 'Light colours' : 'Dark colours'}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5" />
        <path d="M8 1.75a6.25 6.25 0 0 1 0 12.5z" fill="currentColor" />
      </svg>
    </button>
  );
}
