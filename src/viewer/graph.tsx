/** An execution as a graph of events: program order, reads-from, modification order, happens-before. */

import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TraceReport } from '../report/trace-schema.ts';
import { ArrowHeads } from './arrow-heads.tsx';
import type { Filters } from './model/filters.ts';
import { curveOf, type GraphEdge, type GraphNode, graphOf, NODE_HEIGHT } from './model/graph.ts';

interface GraphProps {
  readonly trace: TraceReport;
  readonly filters: Filters;
  readonly step: number;
  readonly zoom: number;
  readonly go: (step: number) => void;
}

export function GraphView({ trace, filters, step, zoom, go }: GraphProps): JSX.Element {
  const box = useRef<HTMLElement>(null);
  const [room, setRoom] = useState(innerWidth * (innerWidth > 1000 ? 0.63 : 0.92));
  const scale = zoom / 100;
  const graph = useMemo(() => graphOf(trace, filters, room / scale), [trace, filters, room, scale]);
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver(() => setRoom(box.current?.clientWidth ?? room));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const [pane, node] = [box.current, graph.nodes.find(({ event }) => event === step - 1)];
    if (pane === null || node === undefined) return;
    const [top, bottom] = [(node.y - 20) * scale, (node.y + NODE_HEIGHT + 20) * scale];
    if (top < pane.scrollTop) pane.scrollTop = top;
    else if (bottom > pane.scrollTop + pane.clientHeight - HEAD) pane.scrollTop = bottom - pane.clientHeight + HEAD;
    const [left, right] = [(node.x - 20) * scale, (node.x + node.width + 20) * scale];
    if (left < pane.scrollLeft) pane.scrollLeft = left;
    else if (right > pane.scrollLeft + pane.clientWidth) pane.scrollLeft = right - pane.clientWidth;
  }, [graph, step, scale]);
  const choose = (click: JSX.TargetedMouseEvent<SVGSVGElement>): void => {
    const { left, top } = click.currentTarget.getBoundingClientRect();
    const [x, y] = [(click.clientX - left) / scale, (click.clientY - top) / scale];
    const node = graph.nodes.find((n) => x >= n.x && x <= n.x + n.width && y >= n.y && y <= n.y + NODE_HEIGHT);
    if (node !== undefined) go(node.event + 1);
  };
  const width = Math.max(graph.width, Math.floor(room / scale) - 2);
  return (
    <section
      class="diagram graph"
      ref={box}
      tabIndex={0}
      aria-label="Graph of the execution; the table has the same events as text"
    >
      <div class="heads" style={{ width: `${width * scale}px` }}>
        {graph.columns.map(({ title, subtitle, x }) => (
          <div class="head" style={{ left: `${x * scale}px` }}>
            <b>{title}</b> {subtitle}
          </div>
        ))}
      </div>
      <svg
        width={width * scale}
        height={graph.height * scale}
        viewBox={`0 0 ${width} ${graph.height}`}
        role="img"
        aria-label={`${graph.nodes.length} events and their orders`}
        onClick={choose}
      >
        <ArrowHeads />
        {graph.edges.map((edge) => (
          <GraphEdgeView edge={edge} />
        ))}
        {graph.nodes.map((node) => (
          <NodeView node={node} isNow={node.event === step - 1} />
        ))}
      </svg>
    </section>
  );
}

/** Height of the thread names. */
const HEAD = 34;

function GraphEdgeView({ edge }: { edge: GraphEdge }): JSX.Element {
  const { path, x, y } = curveOf(edge);
  const { names, isOnCycle } = edge;
  return (
    <g class={`relation ${names[0]}${isOnCycle ? ' on-cycle' : ''}`}>
      <path d={path} marker-end={isOnCycle ? 'url(#arrow-cycle)' : 'url(#arrow)'} />
      <text x={x} y={y}>
        {names.join(', ')}
      </text>
    </g>
  );
}

function NodeView({ node, isNow }: { node: GraphNode; isNow: boolean }): JSX.Element {
  const { event, x, y, width, label, full, order, isOnCycle } = node;
  return (
    <g class={`node${isNow ? ' now' : ''}${isOnCycle ? ' on-cycle' : ''}`}>
      <rect x={x} y={y} width={width} height={NODE_HEIGHT} rx={6} />
      <text class="label" x={x + 8} y={y + (order === '' ? 21 : 15)}>
        {label}
        {label !== full && <title>{full}</title>}
      </text>
      {order !== '' && (
        <text class="order" x={x + 8} y={y + 28}>
          {order}
        </text>
      )}
      <text class="number" x={x + width - 6} y={y + 13}>
        {event + 1}
      </text>
    </g>
  );
}
