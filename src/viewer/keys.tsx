/** The keyboard: what keys mean, and how to listen to them. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Jump, jumpOfKey, type Move, moveOfKey } from './model/stepping.ts';

/** As the help dialog shows them. */
export const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['→', 'j'], 'one step forward'],
  [['←', 'k'], 'one step back'],
  [['↓', '↑'], 'the same, while the diagram has the focus'],
  [['Home', 'End'], 'to the start, to the end'],
  [['c', 'C'], 'next, previous step of the cycle'],
  [['s', 'S'], 'next, previous step where the thread changes'],
  [['t', 'T'], 'next, previous step of this thread'],
  [['v', 'V'], 'next, previous access to this variable'],
  [['/'], 'search; Enter and Shift+Enter go to the next and the previous match'],
  [['f'], 'fold long runs of one thread, or unfold them'],
  [['a'], 'all arrows, or those of this step'],
  [['+', '-'], 'zoom in, zoom out'],
  [['?'], 'this list'],
];

/** Keys work wherever the focus is, except where they already mean something else. */
function useListener(listen: (event: KeyboardEvent, target: Element) => boolean): void {
  const latest = useRef(listen);
  latest.current = listen;
  // A layout effect, so that keys typed before the page is visible count too.
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof Element)) return;
      if (target.closest('input:not([type=range], [type=checkbox], [type=radio]), select, textarea, dialog') !== null)
        return;
      if (latest.current(event, target)) event.preventDefault();
    };
    addEventListener('keydown', handle);
    return () => removeEventListener('keydown', handle);
  }, []);
}

export function useShortcut(key: string, act: () => void): void {
  useListener((event) => {
    if (event.key === key) act();
    return event.key === key;
  });
}

interface KeyActions {
  readonly goBy: (how: Move) => void;
  readonly jump: (jump: Jump, isBack: boolean) => void;
  /** By key. */
  readonly others: Readonly<Record<string, () => void>>;
}

export function useKeys({ goBy, jump, others }: KeyActions): void {
  useListener((event, target) => {
    if (target.closest('input') !== null) return false;
    const how = moveOfKey(event.key, target.closest('.diagram') !== null);
    const wanted = jumpOfKey(event.key);
    if (how !== undefined) goBy(how);
    else if (wanted !== undefined) jump(wanted.jump, wanted.isBack);
    else if (Object.hasOwn(others, event.key)) others[event.key]!();
    else return false;
    return true;
  });
}
