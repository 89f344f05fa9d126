import type { JSX } from 'preact';
import type { Route } from './model/route.ts';
import type { Navigate } from './navigation.tsx';

export function ServeScreens(_: { route: Route; navigate: Navigate }): JSX.Element {
  return <p />;
}
