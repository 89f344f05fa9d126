/** Memory, buffers, locks and calls at the current step, and the output so far. */
import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CallReport, NamedValue } from '../report/trace-schema.ts';
import type { BufferNow, LockNow, PlaceNow, Snapshot } from './model/timeline.ts';

interface StateProps {
  readonly snapshot: Snapshot;
  readonly showPrivate: boolean;
  /** The thread of the step and its calls, innermost first. */
  readonly thread: string | undefined;
  readonly calls: readonly CallReport[];
  /** The values that a failing assertion mentions, local variables included. */
  readonly values: readonly NamedValue[];
}

export function StateView({ snapshot, showPrivate, thread, calls, values }: StateProps): JSX.Element {
  const { buffers, locks, printed } = snapshot;
  const places = snapshot.places.filter((p) => showPrivate || !p.isPrivate);
  return (
    <aside class="state" aria-label="State at this step">
      <div class="column">
        <section>
          <h3>Memory</h3>
          {places.length === 0 ? <p class="none">nothing is accessed</p> : <Memory places={places} />}
        </section>
      </div>
      <div class="column">
        {buffers.length > 0 && <Buffers buffers={buffers} />}
        {values.length > 0 && (
          <section>
            <h3>In the assertion</h3>
            <table class="memory" aria-label="What the assertion mentions">
              <tbody>
                {values.map(({ name, value }) => (
                  <tr>
                    <th scope="row">
                      <Name text={name} />
                    </th>
                    <td>{value}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
        {locks.length > 0 && <Locks locks={locks} />}
        <Calls thread={thread} calls={calls} />
        {printed !== '' && (
          <section>
            <h3>Output</h3>
            <pre class="output">{printed}</pre>
          </section>
        )}
      </div>
    </aside>
  );
}

/** A name that breaks, if it must, at members and array elements. */
function Name({ text }: { text: string }): JSX.Element {
  const parts = text.split(/(?<=\.|->)|(?=\[)/);
  return (
    <>
      {parts.map((part, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}

function threadText(thread: string): string {
  return /^\d/.test(thread) ? `thread ${thread}` : thread;
}

function Memory({ places }: { places: readonly PlaceNow[] }): JSX.Element {
  const count = new Map<string, number>();
  for (const { place } of places) count.set(place.location, (count.get(place.location) ?? 0) + 1);
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    // Scrolls only this column; `scrollIntoView` would scroll the page too.
    const row = table.current?.querySelector<HTMLElement>('.changed');
    const pane = table.current?.closest<HTMLElement>('.column');
    if (row === null || row === undefined || pane === null || pane === undefined) return;
    const [r, p] = [row.getBoundingClientRect(), pane.getBoundingClientRect()];
    if (r.top < p.top) pane.scrollTop -= p.top - r.top + 24;
    else if (r.bottom > p.bottom) pane.scrollTop += r.bottom - p.bottom + 24;
  });
  return (
    <table class="memory" aria-label="Memory" ref={table}>
      <tbody>
        {places.map(({ place, value, changed }) => (
          <tr key={place.address} class={changed ? 'changed' : undefined}>
            <th scope="row" title={place.address}>
              <Name text={count.get(place.location)! > 1 ? `${place.location} ${place.address}` : place.location} />
            </th>
            <td>{value ?? '?'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Up to this many buffers keep their place while they are empty. */
const FEW = 3;

function Buffers({ buffers }: { buffers: readonly BufferNow[] }): JSX.Element {
  const shown = buffers.length <= FEW ? buffers : buffers.filter((b) => b.stores.length > 0);
  const empty = buffers.length - shown.length;
  return (
    <section>
      <h3>Store buffers</h3>
      {shown.map((buffer) => (
        <Buffer key={buffer.thread} buffer={buffer} />
      ))}
      {empty > 0 && (
        <p class="none">{shown.length === 0 ? `all ${empty} are empty` : `the other ${empty} are empty`}</p>
      )}
    </section>
  );
}

function Buffer({ buffer }: { buffer: BufferNow }): JSX.Element {
  const { thread, stores } = buffer;
  return (
    <div class="buffer">
      <span class="owner">{threadText(thread)}</span>
      {stores.length === 0 ? (
        <span class="none">empty</span>
      ) : (
        <ol>
          {stores.map(({ event, location, value, isNew }) => (
            <li key={event} class={isNew ? 'changed' : undefined}>
              <Name text={value === undefined ? `end of ${location}` : `${location} = ${value}`} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Locks({ locks }: { locks: readonly LockNow[] }): JSX.Element {
  return (
    <section>
      <h3>Locks</h3>
      <table class="memory" aria-label="Locks">
        <tbody>
          {locks.map(({ location, holder }) => (
            <tr>
              <th scope="row">
                <Name text={location} />
              </th>
              <td>{holder === undefined ? 'free' : threadText(holder)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Calls({ thread, calls }: Pick<StateProps, 'thread' | 'calls'>): JSX.Element | null {
  if (thread === undefined || calls.length === 0) return null;
  return (
    <section>
      <h3>Calls of {threadText(thread)}</h3>
      <ol class="calls">
        {calls.map(({ function: name, file, line }) => (
          <li title={file}>
            {name}
            {line === undefined ? '' : <span class="none"> line {line}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
