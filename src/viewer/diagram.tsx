/** The space-time diagram. Only the rows in view are in the document, so long executions are as fast as short ones. */

import { Component, createRef, type JSX } from 'preact';
import type { TraceReport } from '../report/trace-schema.ts';
import { ArrowHeads } from './arrow-heads.tsx';
import { className } from './legend.tsx';
import { Minimap } from './minimap.tsx';
import { type Edge, edgesAt, edgesOf, hasAllArrows, pathOf } from './model/edges.ts';
import { EDGE_KINDS, type Filters } from './model/filters.ts';
import { type Bar, type Diagram, layOut, type Mark, ROW, rowsInView, rowY } from './model/layout.ts';
import { rowOfEvent } from './model/rows.ts';

interface DiagramProps {
  readonly trace: TraceReport;
  readonly filters: Filters;
  readonly step: number;
  /** In percent. */
  readonly zoom: number;
  /** Events to highlight, found by a search. */
  readonly found: ReadonlySet<number>;
  readonly go: (step: number) => void;
  /** Opens the fold after this event. */
  readonly unfold: (event: number) => void;
}

interface Window {
  readonly first: number;
  readonly last: number;
  /** Whether the page is being printed: then all rows are drawn, scaled down to fit the sheet. */
  readonly isPrinted: boolean;
}

/** Width of a sheet of paper, A4 or Letter, without margins, in pixels. */
const SHEET = 680;
/** Height of the row of names above the lanes. */
const HEAD = 34;
/** With fewer rows, no overview is shown. */
const MAPPED = 30;

export class DiagramView extends Component<DiagramProps, Window> {
  private readonly box = createRef<HTMLElement>();
  private readonly map = createRef<Minimap>();
  private diagram!: Diagram;
  private edges!: readonly Edge[];
  private hasAllArrows = true;
  private room = 0;
  private observer: ResizeObserver | undefined;

  constructor(props: DiagramProps) {
    super(props);
    this.room = innerWidth * (innerWidth > 1000 ? 0.63 : 0.92);
    this.layOut(props);
    this.state = { ...rowsInView(0, 900, this.diagram.rows), isPrinted: false };
  }

  override componentDidMount(): void {
    this.resize();
    this.follow();
    addEventListener('beforeprint', this.showAll);
    addEventListener('afterprint', this.showSome);
    this.observer = new ResizeObserver(this.resize);
    this.observer.observe(this.box.current!);
  }

  override componentWillUnmount(): void {
    removeEventListener('beforeprint', this.showAll);
    removeEventListener('afterprint', this.showSome);
    this.observer?.disconnect();
  }

  override componentWillUpdate(next: DiagramProps): void {
    const { trace, filters, zoom } = this.props;
    if (next.trace !== trace || next.filters !== filters || next.zoom !== zoom) this.layOut(next);
  }

  private layOut({ trace, filters, zoom }: DiagramProps): void {
    this.diagram = layOut(trace, filters, (this.room * 100) / zoom);
    this.hasAllArrows = hasAllArrows(trace, filters);
    this.edges = edgesOf(trace, this.diagram, this.hasAllArrows ? filters : { ...filters, kinds: ALL_KINDS });
  }

  override componentDidUpdate(previous: DiagramProps): void {
    const { step, trace, filters, zoom } = this.props;
    const isOther = previous.trace !== trace || previous.filters !== filters || previous.zoom !== zoom;
    if (previous.step !== step || isOther) this.follow();
  }

  private readonly showAll = (): void => this.setState({ first: 0, last: this.diagram.rows, isPrinted: true });

  private readonly showSome = (): void => this.setState({ isPrinted: false }, this.look);

  /** Another width has room for other labels, and another height for other rows. */
  private readonly resize = (): void => {
    const box = this.box.current;
    if (box === null || this.state.isPrinted || box.clientWidth === 0) return;
    if (Math.abs(box.clientWidth - this.room) > 4) {
      this.room = box.clientWidth;
      this.layOut(this.props);
      this.forceUpdate(() => this.follow());
    } else this.follow();
  };

  private get scale(): number {
    return this.props.zoom / 100;
  }

  /** Draws the visible part of the box. */
  private readonly look = (): void => {
    const box = this.box.current;
    if (box === null) return;
    const [top, height] = [box.scrollTop / this.scale, (box.clientHeight - HEAD) / this.scale];
    this.map.current?.frame(top / ROW, height / ROW);
    const { first, last } = rowsInView(top, height, this.diagram.rows);
    if (first !== this.state.first || last !== this.state.last) this.setState({ first, last });
  };

  /** Scrolls the row of the step into view, in both directions; for the last step, the ends too. */
  private follow(): void {
    const box = this.box.current;
    const mark = this.currentMark();
    if (box === null) return;
    const { step, trace } = this.props;
    const { scale } = this;
    const isLast = step === trace.events.length;
    const [y, x] = [(mark?.y ?? 0) * scale, (mark?.x ?? 0) * scale];
    const room = box.clientHeight - HEAD;
    const margin = Math.min(3 * ROW * scale, room / 3);
    const below = isLast ? Math.min((1.5 + trace.ends.length) * ROW * scale, room / 2) : margin;
    if (y - margin < box.scrollTop) box.scrollTop = y - margin;
    else if (y + below > box.scrollTop + room) box.scrollTop = y + below - room;
    if (x - 60 < box.scrollLeft) box.scrollLeft = x - 60;
    else if (x + 150 > box.scrollLeft + box.clientWidth) box.scrollLeft = x + 150 - box.clientWidth;
    this.look();
  }

  private currentMark(): Mark | undefined {
    const { events, marks } = this.diagram;
    const event = this.props.step - 1;
    const row = rowOfEvent(events, event);
    return row < 0 || event > events[row]!.last ? undefined : marks[row];
  }

  private readonly choose = (event: JSX.TargetedMouseEvent<SVGSVGElement>): void => {
    const top = event.currentTarget.getBoundingClientRect().top;
    this.chooseRow(Math.floor((event.clientY - top) / (ROW * this.scale)));
  };

  private chooseRow(row: number): void {
    const mark = this.diagram.marks[row];
    if (mark === undefined) return;
    if (mark.shape === 'fold') this.props.unfold(this.diagram.events[row - 1]!.last);
    else this.props.go(Math.min(mark.event + 1, this.props.trace.events.length));
  }

  /** Scrolls to a row without taking a step. */
  private readonly scrollTo = (row: number): void => {
    const box = this.box.current;
    if (box !== null) box.scrollTop = row * ROW * this.scale - (box.clientHeight - HEAD) / 2;
  };

  override render({ trace, filters, step, found }: DiagramProps, { first, last, isPrinted }: Window): JSX.Element {
    const { lanes, marks, bars, rows, height } = this.diagram;
    const { scale } = this;
    const width = Math.max(this.diagram.width, Math.floor(this.room / scale) - 1);
    const current = this.currentMark();
    const isInView = (item: { firstRow: number; lastRow: number }): boolean =>
      item.firstRow < last && item.lastRow >= first;
    const showBars = filters.kinds.has('store–update');
    const edges = edgesAt(this.edges.filter(isInView), step - 1, this.hasAllArrows);
    return (
      <div class={`canvas${rows > MAPPED ? ' mapped' : ''}`}>
        <section
          class="diagram"
          ref={this.box}
          onScroll={this.look}
          style={{ zoom: isPrinted ? String(Math.min(1, SHEET / width)) : '' }}
          tabIndex={0}
          aria-label="Diagram of the execution; the table has the same information as text"
        >
          <div class="heads" style={{ width: `${width * scale}px` }}>
            {lanes.map(({ kind, title, subtitle, x, width: wide }) => (
              <div class={`head ${kind}`} style={{ left: `${x * scale}px`, width: `${wide * scale}px` }}>
                <b>{title}</b> {subtitle}
              </div>
            ))}
          </div>
          <svg
            width={width * scale}
            height={height * scale}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={`${rows} rows in ${lanes.length} lanes`}
            onClick={this.choose}
          >
            <ArrowHeads />
            {lanes.map(({ kind, x, width: wide }) =>
              kind === 'buffer' ? (
                <rect class="buffer-lane" x={x} y={0} width={wide} height={height} />
              ) : (
                <path class="lane" d={`M${x + 16} 0V${height}`} />
              ),
            )}
            {current !== undefined && (
              <rect class="current" x={0} y={rowY(current.row) - ROW / 2} width={width} height={ROW} />
            )}
            {showBars && bars.filter(isInView).map((bar) => <BarView key={bar.event} bar={bar} step={step} />)}
            {edges.map((edge) => (
              <EdgeView key={`${edge.from.event}-${edge.to.event}-${edge.kind}`} edge={edge} step={step} />
            ))}
            {marks.slice(first, last).map((mark) => (
              <MarkView
                key={mark.event}
                mark={mark}
                count={trace.events.length}
                step={step}
                isNow={mark === current}
                isOnCycle={mark.isOnCycle && filters.cycle}
                isFound={found.has(mark.event)}
              />
            ))}
          </svg>
        </section>
        {rows > MAPPED && (
          <Minimap ref={this.map} diagram={this.diagram} current={current?.row} found={found} choose={this.scrollTo} />
        )}
      </div>
    );
  }
}

const ALL_KINDS: Filters['kinds'] = new Set(EDGE_KINDS.map(({ kind }) => kind));

function BarView({ bar, step }: { bar: Bar; step: number }): JSX.Element {
  const isFuture = bar.event >= step;
  const { x, from, to, entersFrom, update } = bar;
  const waits = !isFuture && (update === undefined || update >= step);
  return (
    <g class={isFuture ? 'future' : waits ? 'waits' : undefined}>
      {entersFrom !== undefined && <path class="entering" d={`M${entersFrom} ${from}H${x}`} />}
      <rect
        class="bar"
        x={x - 3}
        y={from - 3}
        width={6}
        height={Math.max(6, to - from + (update === undefined ? 0 : 3))}
        rx={3}
      />
    </g>
  );
}

function EdgeView({ edge, step }: { edge: Edge; step: number }): JSX.Element {
  const isFuture = Math.max(edge.from.event, edge.to.event) >= step && !edge.isOnCycle;
  const name = edge.isOnCycle ? 'cycle' : className(edge.kind);
  const isPlain = edge.kind === 'program order' && !edge.isOnCycle;
  return (
    <path
      class={`edge ${name}${isFuture ? ' future' : ''}`}
      d={pathOf(edge)}
      marker-end={isPlain ? undefined : edge.isOnCycle ? 'url(#arrow-cycle)' : 'url(#arrow)'}
    />
  );
}

interface MarkProps {
  readonly mark: Mark;
  readonly count: number;
  readonly step: number;
  readonly isNow: boolean;
  readonly isOnCycle: boolean;
  readonly isFound: boolean;
}

/** Redrawn only if the step changes it. */
class MarkView extends Component<MarkProps> {
  override shouldComponentUpdate(next: MarkProps): boolean {
    const { mark, isNow, isOnCycle, isFound } = this.props;
    return (
      next.mark !== mark ||
      next.isNow !== isNow ||
      next.isOnCycle !== isOnCycle ||
      next.isFound !== isFound ||
      isFuture(next) !== isFuture(this.props)
    );
  }

  override render(props: MarkProps): JSX.Element {
    const { mark, isNow, isOnCycle, isFound } = props;
    const { event, x, y, shape, label, full, labelX, isStale } = mark;
    const states = [
      ...(isFuture(props) ? ['future'] : []),
      ...(isOnCycle ? ['on-cycle'] : []),
      ...(isStale ? ['stale'] : []),
      ...(isNow && shape !== 'end' ? ['now'] : []),
      ...(isFound ? ['found'] : []),
    ];
    return (
      <g class={['event', shape, ...states].join(' ')}>
        {shape !== 'end' && shape !== 'fold' && (
          <text class="number" x={34} y={y + 4}>
            {event + 1}
          </text>
        )}
        {shapeOf(shape, x, y)}
        <text class="label" x={labelX} y={y + 4}>
          {label}
          {label !== full && <title>{full}</title>}
        </text>
      </g>
    );
  }
}

function isFuture({ mark, count, step }: MarkProps): boolean {
  return mark.shape === 'end' ? step < count : mark.event >= step;
}

function shapeOf(shape: Mark['shape'], x: number, y: number): JSX.Element {
  switch (shape) {
    case 'load':
    case 'store':
      return <circle cx={x} cy={y} r={4.5} />;
    case 'rmw':
      return <path d={`M${x - 6} ${y}l6 -6 6 6 -6 6z`} />;
    case 'update':
      return <path d={`M${x - 5} ${y - 4}h10l-5 8z`} />;
    case 'fence':
      return <path class="line" d={`M${x - 8} ${y}h16`} />;
    case 'fold':
      return <path class="line" d={`M${x} ${y - 8}v2m0 4v2m0 4v2`} />;
    case 'end':
      return <path class="line" d={`M${x - 5} ${y - 5}l10 10m0 -10l-10 10`} />;
    default:
      return <rect x={x - 3.5} y={y - 3.5} width={7} height={7} />;
  }
}
