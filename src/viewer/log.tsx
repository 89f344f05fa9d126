/** What a monitor found in a recorded execution. */
import type { JSX } from 'preact';
import type { LoggedEvent, LogTable, LogWitness } from './model/log.ts';

export function LogView({ log, showFile }: { log: LogTable; showFile: boolean }): JSX.Element {
  const { file, verdict, headline, monitors, rows } = log;
  return (
    <section class="log">
      {showFile && <h2 class="code">{file}</h2>}
      <p class={`headline ${verdict}`}>{headline}</p>
      <p class="detail">Monitors: {monitors}.</p>
      {rows.length > 0 && (
        <table>
          <caption class="unseen">Accesses that store buffers could have reordered</caption>
          <thead>
            <tr>
              <th scope="col">This access</th>
              <th scope="col">can come before this store reaches memory</th>
              <th scope="col">Under</th>
              <th scope="col">Seen</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ model, monitor, early, late, count }) => (
              <tr>
                <td>
                  <Event event={early} />
                </td>
                <td>
                  <Event event={late} />
                </td>
                <td>
                  {model.toUpperCase()} <span class="detail">{monitor}</span>
                </td>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.flatMap(({ witness }) => (witness === undefined ? [] : [<Witness witness={witness} />]))}
    </section>
  );
}

function Witness({ witness: { title, parts } }: { witness: LogWitness }): JSX.Element {
  if (parts.length === 0) return <p class="detail">{title}</p>;
  return (
    <details class="witness" aria-label={title}>
      <summary>{title}</summary>
      {parts.map(({ heading, events }) => (
        <>
          <p>{heading}</p>
          <ol>
            {events.map((event) => (
              <li class="code">{event}</li>
            ))}
          </ol>
        </>
      ))}
    </details>
  );
}

function Event({ event }: { event: LoggedEvent }): JSX.Element {
  return (
    <>
      <span class="code">
        {event.variable === '' ? '' : `${event.variable}  `}
        {event.place}
      </span>{' '}
      <span class="detail">{event.detail}</span>
    </>
  );
}
