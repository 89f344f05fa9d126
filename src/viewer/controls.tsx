/**
 * Navigation through an execution: to either end, by one step, or anywhere with the slider.
 */
import type { JSX } from 'preact';
import type { Move } from './model/stepping.ts';

interface ControlsProps {
  readonly stops: readonly number[];
  readonly place: number;
  readonly step: number;
  readonly goBy: (how: Move) => void;
  readonly go: (step: number) => void;
  readonly description: string;
}

const BUTTONS: readonly { readonly how: Move; readonly name: string; readonly path: string }[] = [
  { how: 'first', name: 'To the start (Home)', path: 'M4 3v10M13 3 7 8l6 5z' },
  { how: 'previous', name: 'Back (left arrow, k)', path: 'M11 3 5 8l6 5z' },
  { how: 'next', name: 'Forward (right arrow, j)', path: 'M5 3l6 5-6 5z' },
  { how: 'last', name: 'To the end (End)', path: 'M12 3v10M3 3l6 5-6 5z' },
];

export function Controls({ stops, place, step, goBy, go, description }: ControlsProps): JSX.Element {
  const last = stops.length - 1;
  const isUseless = (how: Move): boolean => (how === 'first' || how === 'previous' ? step === 0 : place === last);
  return (
    <div class="controls">
      <fieldset class="buttons" aria-label="Step through the execution">
        {BUTTONS.map(({ how, name, path }) => (
          <button
            type="button"
            class={how}
            onClick={() => goBy(how)}
            aria-disabled={isUseless(how)}
            aria-label={name}
            title={name}
          >
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
              <path d={path} />
            </svg>
          </button>
        ))}
      </fieldset>
      <input
        type="range"
        min={0}
        max={last}
        value={place}
        aria-label="Step"
        aria-valuetext={description}
        onInput={(event) => go(stops[Number(event.currentTarget.value)]!)}
      />
      <span class="count" aria-hidden="true">
        {step} / {stops.at(-1)}
      </span>
    </div>
  );
}
