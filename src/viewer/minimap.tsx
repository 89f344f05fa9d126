/** The whole execution beside the diagram: a tick per row, the cycle, search results, and the part in view. */
import { Component, createRef, type JSX } from 'preact';
import type { Diagram } from './model/layout.ts';

interface MinimapProps {
  readonly diagram: Diagram;
  /** The row of the current step. */
  readonly current: number | undefined;
  readonly found: ReadonlySet<number>;
  readonly choose: (row: number) => void;
}

const WIDTH = 48;

export class Minimap extends Component<MinimapProps> {
  private readonly view = createRef<SVGRectElement>();
  private readonly box = createRef<SVGSVGElement>();

  /** Shows which rows are in view. Called while scrolling, so it redraws nothing else. */
  frame(first: number, count: number): void {
    this.view.current?.setAttribute('y', String(first));
    this.view.current?.setAttribute('height', String(Math.max(1, count)));
  }

  override shouldComponentUpdate({ diagram, current, found }: MinimapProps): boolean {
    const old = this.props;
    return diagram !== old.diagram || current !== old.current || found !== old.found;
  }

  private readonly drag = (event: JSX.TargetedPointerEvent<SVGSVGElement>): void => {
    if (event.buttons !== 1) return;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    this.props.choose(((event.clientY - top) / height) * this.props.diagram.rows);
  };

  override render({ diagram, current, found }: MinimapProps): JSX.Element {
    const { rows } = diagram;
    return (
      <svg
        class="minimap"
        ref={this.box}
        viewBox={`0 0 ${WIDTH} ${rows}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerDown={this.drag}
        onPointerMove={this.drag}
      >
        <Ticks diagram={diagram} found={found} />
        {current !== undefined && <path class="here" d={`M0 ${current + 0.5}H${WIDTH}`} />}
        <rect class="window" ref={this.view} x={0} y={0} width={WIDTH} height={1} />
      </svg>
    );
  }
}

/** One path for all ticks of a kind, so that thousands of rows are only a few elements. */
class Ticks extends Component<Pick<MinimapProps, 'diagram' | 'found'>> {
  override shouldComponentUpdate({ diagram, found }: Pick<MinimapProps, 'diagram' | 'found'>): boolean {
    return diagram !== this.props.diagram || found !== this.props.found;
  }

  override render({ diagram, found }: Pick<MinimapProps, 'diagram' | 'found'>): JSX.Element {
    const { marks, width } = diagram;
    const lengths = WIDTH / Math.max(4, diagram.lanes.length);
    const ticks = (isOne: (mark: Diagram['marks'][number]) => boolean): string =>
      marks
        .filter(isOne)
        .map(({ x, row }) => `M${Math.round((x / width) * (WIDTH - lengths))} ${row + 0.5}h${Math.ceil(lengths)}`)
        .join('');
    return (
      <>
        <path class="tick" d={ticks((m) => !m.isOnCycle && m.shape !== 'end')} />
        <path class="tick bad" d={ticks((m) => m.isOnCycle || m.shape === 'end')} />
        {found.size > 0 && <path class="tick hit" d={ticks((m) => found.has(m.event))} />}
      </>
    );
  }
}
