/** A button that opens a panel over the page, for details that need not always be visible. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  readonly name: string;
  readonly className?: string;
  readonly children: ComponentChildren;
}

/** Closes on Escape, on a click elsewhere, and when a link inside is followed. */
export function Menu({ name, className, children }: MenuProps): JSX.Element {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const menu = box.current;
      if (menu === null || !menu.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        menu.open = false;
        menu.querySelector('summary')?.focus();
        return;
      }
      const { target } = event;
      const isInside = target instanceof Node && menu.contains(target);
      if (!isInside || (target instanceof Element && target.closest('a') !== null)) menu.open = false;
    };
    addEventListener('click', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('click', close);
      removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details class={`menu${className === undefined ? '' : ` ${className}`}`} ref={box} aria-label={name}>
      <summary>{name}</summary>
      <div class="panel">{children}</div>
    </details>
  );
}
