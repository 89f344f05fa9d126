/** The space-time diagram. Only the rows in view are in the document, so a long execution is as quick as a short one. */
import { Component, createRef, type JSX } from 'preact';
import type { TraceReport } from '../report/trace-schema.ts';
import { className } from './legend.tsx';
import { type Edge, edgesOf, pathOf } from './model/edges.ts';
import type { Filters } from './model/filters.ts';
import { type Bar, type Diagram, layOut, type Mark, ROW, rowsInView, rowY } from './model/layout.ts';

export interface DiagramProps {
  readonly trace: TraceReport;
  readonly filters: Filters;
  readonly step: number;
  readonly go: (step: number) => void;
}

interface Window {
  readonly first: number;
  readonly last: number;
  /** Printing: all rows, scaled down to fit the sheet. */
  readonly isPrinted: boolean;
}

/** Width of a sheet of paper, A4 or Letter, without margins, in pixels. */
const SHEET = 680;

export class DiagramView extends Component<DiagramProps, Window> {
  private readonly box = createRef<HTMLElement>();
  private diagram!: Diagram;
  private edges!: readonly Edge[];
  private isNarrow = false;

  constructor(props: DiagramProps) {
    super(props);
    this.layOut(props);
    this.state = { ...rowsInView(0, 900, this.diagram.rows), isPrinted: false };
  }

  override componentDidMount(): void {
    this.follow();
    addEventListener('beforeprint', this.showAll);
    addEventListener('afterprint', this.showSome);
    addEventListener('resize', this.resize);
  }

  override componentWillUnmount(): void {
    removeEventListener('beforeprint', this.showAll);
    removeEventListener('afterprint', this.showSome);
    removeEventListener('resize', this.resize);
  }

  override componentWillUpdate(next: DiagramProps): void {
    if (next.trace === this.props.trace && next.filters === this.props.filters) return;
    this.layOut(next);
  }

  private layOut({ trace, filters }: DiagramProps): void {
    this.isNarrow = isNarrow();
    this.diagram = layOut(trace, filters, this.isNarrow);
    this.edges = edgesOf(trace, this.diagram, filters);
  }

  override componentDidUpdate(previous: DiagramProps): void {
    if (previous.step !== this.props.step || previous.trace !== this.props.trace) this.follow();
    else if (previous.filters !== this.props.filters) this.look();
  }

  private readonly showAll = (): void => this.setState({ first: 0, last: this.diagram.rows, isPrinted: true });

  private readonly showSome = (): void => this.setState({ isPrinted: false }, this.look);

  /** Turning a phone makes room for labels, or removes it. */
  private readonly resize = (): void => {
    if (isNarrow() !== this.isNarrow) {
      this.layOut(this.props);
      this.forceUpdate();
    }
    this.look();
  };

  /** Draws the visible part of the box. */
  private readonly look = (): void => {
    const box = this.box.current;
    if (box === null) return;
    const { first, last } = rowsInView(box.scrollTop, box.clientHeight, this.diagram.rows);
    if (first !== this.state.first || last !== this.state.last) this.setState({ first, last });
  };

  /** Scrolls the row of the step into view, in both directions. */
  private follow(): void {
    const box = this.box.current;
    const mark = this.currentMark();
    if (box === null) return;
    const y = mark === undefined ? 0 : mark.y;
    const margin = Math.min(3 * ROW, box.clientHeight / 3);
    const room = box.clientHeight - HEAD;
    if (y - margin < box.scrollTop) box.scrollTop = y - margin;
    else if (y + margin > box.scrollTop + room) box.scrollTop = y + margin - room;
    const x = mark?.x ?? 0;
    if (x - 60 < box.scrollLeft) box.scrollLeft = x - 60;
    else if (x + 150 > box.scrollLeft + box.clientWidth) box.scrollLeft = x + 150 - box.clientWidth;
    this.look();
  }

  private currentMark(): Mark | undefined {
    return this.diagram.markOf.get(this.props.step - 1);
  }

  private readonly choose = (event: JSX.TargetedMouseEvent<SVGSVGElement>): void => {
    const top = event.currentTarget.getBoundingClientRect().top;
    const mark = this.diagram.marks[Math.floor((event.clientY - top) / ROW)];
    if (mark !== undefined) this.props.go(Math.min(mark.event + 1, this.props.trace.events.length));
  };

  override render({ trace, filters, step }: DiagramProps, { first, last, isPrinted }: Window): JSX.Element {
    const { lanes, marks, bars, rows, width, height } = this.diagram;
    const current = this.currentMark();
    const isInView = (item: { firstRow: number; lastRow: number }): boolean =>
      item.firstRow < last && item.lastRow >= first;
    const showBars = filters.kinds.has('store–update');
    return (
      <section
        class="diagram"
        ref={this.box}
        onScroll={this.look}
        style={{ zoom: isPrinted ? String(Math.min(1, SHEET / width)) : '' }}
        tabIndex={0}
        aria-label="Diagram of the execution; the table has the same information as text"
      >
        <div class="heads" style={{ width: `${width}px` }}>
          {lanes.map(({ kind, title, subtitle, x, width: wide }) => (
            <div class={`head ${kind}`} style={{ left: `${x}px`, width: `${wide}px` }}>
              <b>{title}</b> {subtitle}
            </div>
          ))}
        </div>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${rows} events in ${lanes.length} lanes`}
          onClick={this.choose}
        >
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
          {lanes.map(({ kind, x, width: wide }) =>
            kind === 'buffer' ? (
              <rect class="buffer-lane" x={x} y={0} width={wide} height={height} />
            ) : (
              <path class="lane" d={`M${x + 16} 0V${height}`} />
            ),
          )}
          {current !== undefined && (
            <rect class="current" x={0} y={rowY(current.row) - ROW / 2} width="100%" height={ROW} />
          )}
          {showBars && bars.filter(isInView).map((bar) => <BarView key={bar.event} bar={bar} step={step} />)}
          {this.edges.filter(isInView).map((edge) => (
            <EdgeView key={`${edge.from.event}-${edge.to.event}-${edge.kind}`} edge={edge} step={step} />
          ))}
          {marks.slice(first, last).map((mark) => (
            <MarkView key={mark.event} mark={mark} count={trace.events.length} step={step} filters={filters} />
          ))}
        </svg>
      </section>
    );
  }
}

function isNarrow(): boolean {
  return innerWidth < 560;
}

/** Height of the row of names above the lanes. */
const HEAD = 34;

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
  readonly filters: Filters;
}

function MarkView({ mark, count, step, filters }: MarkProps): JSX.Element {
  const { event, x, y, shape, label, full, labelX, isStale, isOnCycle } = mark;
  const isEnd = shape === 'end';
  const isFuture = isEnd ? step < count : event >= step;
  const now = !isEnd && event === step - 1 ? ' now' : '';
  const marked = isOnCycle && filters.cycle ? ' on-cycle' : '';
  return (
    <g class={`event ${shape}${isFuture ? ' future' : ''}${marked}${isStale ? ' stale' : ''}${now}`}>
      {!isEnd && (
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
    case 'end':
      return <path class="line" d={`M${x - 5} ${y - 5}l10 10m0 -10l-10 10`} />;
    default:
      return <rect x={x - 3.5} y={y - 3.5} width={7} height={7} />;
  }
}
