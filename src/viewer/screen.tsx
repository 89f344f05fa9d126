/** What the screens of `fencepost serve` have in common. */
import type { JSX } from 'preact';
import type { Route } from './model/route.ts';
import type { Navigate } from './navigation.tsx';

/** The list of runs and programs. */
export const HOME = '#/runs';

export interface ScreenProps {
  readonly route: Route;
  readonly navigate: Navigate;
}

/** The first line is the error; the rest is compiler output, in which columns matter. */
export function Problem({ text }: { text: string }): JSX.Element {
  const [what = '', ...details] = text.trimEnd().split('\n');
  return (
    <div class="problem" role="alert">
      <p>{what}</p>
      {details.length > 0 && <pre>{details.join('\n')}</pre>}
    </div>
  );
}
