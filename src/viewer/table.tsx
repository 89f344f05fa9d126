/** The execution as a table: what the diagram shows, in words. */
import { Component, type JSX } from 'preact';
import { textOf } from '../report/story/cells.ts';
import type { EventReport, TraceReport } from '../report/trace-schema.ts';

export interface TableProps {
  readonly trace: TraceReport;
  readonly stops: readonly number[];
  readonly step: number;
  readonly go: (step: number) => void;
}

export function EventTable({ trace, stops, step, go }: TableProps): JSX.Element {
  return (
    <div class="events">
      <table>
        <caption class="unseen">The steps of the execution, in order</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Thread</th>
            <th scope="col">Line</th>
            <th scope="col">What happens</th>
            <th scope="col">Buffers afterwards</th>
          </tr>
        </thead>
        <tbody>
          {stops.slice(1).map((stop) => (
            <Row key={stop} stop={stop} event={trace.events[stop - 1]!} isCurrent={stop === step} go={go} />
          ))}
          {trace.ends.map((end) => (
            <tr class="end">
              <td />
              <td>{end.thread}</td>
              <td>{end.line}</td>
              <td colSpan={2}>{end.what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly stop: number;
  readonly event: EventReport;
  readonly isCurrent: boolean;
  readonly go: (step: number) => void;
}

class Row extends Component<RowProps> {
  override shouldComponentUpdate({ event, isCurrent }: RowProps): boolean {
    return event !== this.props.event || isCurrent !== this.props.isCurrent;
  }

  private readonly reveal = (row: HTMLTableRowElement | null): void => {
    if (this.props.isCurrent) row?.scrollIntoView({ block: 'nearest' });
  };

  override render({ stop, event, isCurrent, go }: RowProps): JSX.Element {
    return (
      <tr ref={isCurrent ? this.reveal : null} aria-current={isCurrent ? 'step' : undefined}>
        <td>
          <button type="button" class="quiet" onClick={() => go(stop)} aria-label={`Go to step ${stop}`}>
            {stop}
          </button>
        </td>
        <td>{event.kind === 'update' ? `${event.thread} buffer` : event.thread}</td>
        <td>{event.line}</td>
        <td>{textOf(event, false)}</td>
        <td class="code">{event.buffers}</td>
      </tr>
    );
  }
}
