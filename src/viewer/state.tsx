/** Memory and the buffers at this step, and the output so far. */
import type { JSX } from 'preact';
import type { BufferNow, PlaceNow, Snapshot } from './model/timeline.ts';

export interface StateProps {
  readonly snapshot: Snapshot;
  readonly showPrivate: boolean;
}

export function StateView({ snapshot, showPrivate }: StateProps): JSX.Element {
  const places = snapshot.places.filter((p) => showPrivate || !p.isPrivate);
  return (
    <aside class="state" aria-label="State at this step">
      {(places.length > 0 || snapshot.locks.length === 0) && (
        <section>
          <h3>Memory</h3>
          {places.length === 0 ? <p class="none">nothing is accessed</p> : <Memory places={places} />}
        </section>
      )}
      {snapshot.locks.length > 0 && (
        <section>
          <h3>Locks</h3>
          <table class="memory" aria-label="Locks">
            <tbody>
              {snapshot.locks.map(({ location, holder }) => (
                <tr>
                  <th scope="row">{location}</th>
                  <td>{holder === undefined ? 'free' : `thread ${holder}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {snapshot.buffers.length > 0 && (
        <section>
          <h3>Store buffers</h3>
          {snapshot.buffers.map((buffer) => (
            <Buffer buffer={buffer} />
          ))}
        </section>
      )}
      {snapshot.printed !== '' && (
        <section>
          <h3>Output</h3>
          <pre class="output">{snapshot.printed}</pre>
        </section>
      )}
    </aside>
  );
}

function Memory({ places }: { places: readonly PlaceNow[] }): JSX.Element {
  const names = places.map((p) => p.place.location);
  return (
    <table class="memory" aria-label="Memory">
      <tbody>
        {places.map(({ place, value, changed }) => (
          <tr class={changed ? 'changed' : undefined}>
            <th scope="row" title={place.address}>
              {names.filter((n) => n === place.location).length > 1
                ? `${place.location} ${place.address}`
                : place.location}
            </th>
            <td>{value ?? '?'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Buffer({ buffer }: { buffer: BufferNow }): JSX.Element {
  const { thread, stores } = buffer;
  return (
    <div class="buffer">
      <span class="owner">{/^\d/.test(thread) ? `thread ${thread}` : thread}</span>
      {stores.length === 0 ? (
        <span class="none">empty</span>
      ) : (
        <ol>
          {stores.map(({ event, location, value, isNew }) => (
            <li key={event} class={isNew ? 'changed' : undefined}>
              {value === undefined ? `end of ${location}` : `${location} = ${value}`}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
