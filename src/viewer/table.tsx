/** The execution as a table: what the diagram shows, in words. */
import { Component, type JSX } from 'preact';
import { textOf } from '../report/story/cells.ts';
import type { EventReport, TraceReport } from '../report/trace-schema.ts';
import { type Row, rowOfEvent } from './model/rows.ts';
import { windowOf } from './model/window.ts';
import { Sentence } from './sentence.tsx';

interface TableProps {
  readonly trace: TraceReport;
  readonly rows: readonly Row[];
  readonly step: number;
  readonly go: (step: number) => void;
}

export function EventTable({ trace, rows, step, go }: TableProps): JSX.Element {
  const current = rowOfEvent(rows, step - 1);
  const { from, to } = windowOf(rows.length, current);
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
          {from > 0 && <Others count={from} where="earlier" step={rows[from - 1]!.last + 1} go={go} />}
          {rows.slice(from, to).map((row, i) => (
            <RowView
              key={row.last}
              row={row}
              event={trace.events[row.last]!}
              isCurrent={from + i === current}
              go={go}
            />
          ))}
          {to < rows.length && <Others count={rows.length - to} where="later" step={rows[to]!.last + 1} go={go} />}
          {trace.ends.map((end) => (
            <tr class="end">
              <td />
              <td>{end.thread}</td>
              <td>{end.line}</td>
              <td colSpan={2}>
                <Sentence text={end.what} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Others({
  count,
  where,
  step,
  go,
}: {
  count: number;
  where: string;
  step: number;
  go: (step: number) => void;
}): JSX.Element {
  return (
    <tr class="others">
      <td colSpan={5}>
        <button type="button" class="quiet" onClick={() => go(step)}>
          {count.toLocaleString('en')} {where} {count === 1 ? 'row' : 'rows'}
        </button>
      </td>
    </tr>
  );
}

interface RowProps {
  readonly row: Row;
  readonly event: EventReport;
  readonly isCurrent: boolean;
  readonly go: (step: number) => void;
}

class RowView extends Component<RowProps> {
  override shouldComponentUpdate({ row, event, isCurrent }: RowProps): boolean {
    return row.count !== this.props.row.count || event !== this.props.event || isCurrent !== this.props.isCurrent;
  }

  private readonly reveal = (row: HTMLTableRowElement | null): void => {
    if (this.props.isCurrent) row?.scrollIntoView({ block: 'nearest' });
  };

  override render({ row, event, isCurrent, go }: RowProps): JSX.Element {
    const stop = row.last + 1;
    return (
      <tr ref={isCurrent ? this.reveal : null} aria-current={isCurrent ? 'step' : undefined}>
        <td>
          <button type="button" class="quiet" onClick={() => go(stop)} aria-label={`Go to step ${stop}`}>
            {stop}
          </button>
        </td>
        <td>{event.kind === 'update' ? `${event.thread} buffer` : event.thread}</td>
        <td>{row.count > 1 ? '' : event.line}</td>
        <td>{row.count > 1 ? `${row.count} steps` : textOf(event)}</td>
        <td class="code">{event.buffers}</td>
      </tr>
    );
  }
}
