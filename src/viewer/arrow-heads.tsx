/** Arrow heads: plain ones, and those of the cycle. */
import type { JSX } from 'preact';

export function ArrowHeads(): JSX.Element {
  return (
    <defs>
      {['arrow', 'arrow-cycle'].map((id) => (
        <marker
          id={id}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 .8 7 4 0 7.2z" />
        </marker>
      ))}
    </defs>
  );
}
