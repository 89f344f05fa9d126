/** What the screens of `fencepost serve` share. */
import type { JSX } from 'preact';
import type { Route } from './model/route.ts';
import type { Navigate } from './navigation.tsx';

export interface ScreenProps {
  readonly route: Route;
  readonly navigate: Navigate;
}

export function Problem({ text }: { text: string }): JSX.Element {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
