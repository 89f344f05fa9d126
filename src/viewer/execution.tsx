/**
 * One execution: the bar with its controls, why it fails, the diagram or the table, the source, memory and buffers. As
 * a separate page it fills the window, and only the panes scroll.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Controls } from './controls.tsx';
import { DiagramView } from './diagram.tsx';
import { Top } from './frame.tsx';
import { GraphView } from './graph.tsx';
import { Heading } from './heading.tsx';
import { Help } from './help.tsx';
import { useKeys } from './keys.tsx';
import { eventsOnCycle } from './model/cycle.ts';
import { hasAllArrows } from './model/edges.ts';
import { type Filters, toggleFold } from './model/filters.ts';
import { hasGraph } from './model/graph.ts';
import type { Execution } from './model/page.ts';
import { type Route, ZOOMS } from './model/route.ts';
import { isFolding, rowsOf } from './model/rows.ts';
import { nextFound, search } from './model/search.ts';
import { type Jump, jumpFrom, type Move, move, nearestStep, nextAtLine, placeOf, stopsOf } from './model/stepping.ts';
import { callsAt, Timeline } from './model/timeline.ts';
import type { Navigate } from './navigation.tsx';
import { SourceView } from './source.tsx';
import { StateView } from './state.tsx';
import { EventTable } from './table.tsx';
import { Toolbar } from './toolbar.tsx';

interface ExecutionProps {
  readonly execution: Execution;
  readonly sources: Readonly<Record<string, string>>;
  readonly route: Route;
  readonly navigate: Navigate;
  /** If the page is this execution: where the page's name links to, and what precedes the controls in the bar. */
  readonly page?: { readonly home?: string; readonly bar: ComponentChildren };
  /** Shown above the source. */
  readonly aside?: ComponentChildren;
  /** Further actions at this step. */
  readonly children?: ComponentChildren;
}

export function ExecutionView(props: ExecutionProps): JSX.Element {
  const { execution, sources, route, navigate, page, aside, children } = props;
  const { trace } = execution;
  const { filters } = route;
  const view = route.view ?? (hasGraph(trace) ? 'graph' : 'diagram');
  const timeline = useMemo(() => new Timeline(trace), [trace]);
  const rows = useMemo(() => rowsOf(trace, filters), [trace, filters]);
  const stops = useMemo(() => stopsOf(rows), [rows]);
  const cycle = useMemo(() => eventsOnCycle(trace), [trace]);
  const [query, setQuery] = useState('');
  const found = useMemo(() => search(trace, filters, query), [trace, filters, query]);
  const foundSet = useMemo(() => new Set(found), [found]);
  const stepOf = (wanted: number | undefined): number => nearestStep(trace, filters, stops, wanted);
  const step = stepOf(route.step);
  const go = (to: number): void => navigate({ step: to }, 'step');
  const goBy = (how: Move): void => navigate((now) => ({ step: move(stops, stepOf(now.step), how) }), 'step');
  const jump = (to: Jump, isBack: boolean): void =>
    navigate((now) => ({ step: jumpFrom(trace, filters, stepOf(now.step), to, isBack) }), 'step');
  const setFilters = (changed: Filters): void => navigate({ filters: changed, step }, 'replace');
  const setZoom = (zoom: number): void => navigate({ zoom, step }, 'replace');
  const zoomBy = (steps: number): void => setZoom(ZOOMS[ZOOMS.indexOf(route.zoom) + steps] ?? route.zoom);
  useKeys({
    goBy,
    jump,
    others: {
      f: () => setFilters({ ...filters, fold: !isFolding(trace, filters), opened: [] }),
      a: () => setFilters({ ...filters, arrows: hasAllArrows(trace, filters) ? 'step' : 'all' }),
      '+': () => zoomBy(1),
      '=': () => zoomBy(1),
      '-': () => zoomBy(-1),
    },
  });
  const atLine = (file: string, line: number): void => {
    const next = nextAtLine(trace, file, line, step);
    if (next !== undefined) go(next);
  };
  const event = trace.events[step - 1];
  const ends = step === trace.events.length ? trace.ends.filter((end) => end.line !== undefined) : [];
  // Where an execution ends says more than what happened last. If several threads have an end, the one of the last
  // step.
  const own = ends.length === 1 ? ends : ends.filter(({ thread }) => thread === event?.thread);
  const end = own.find(({ stack, values }) => stack !== undefined || values !== undefined);
  const places = ends.length > 0 ? ends : event === undefined ? [] : [event];
  const description = timeline.describe(step);
  const place = placeOf(stops, step);
  const controls = <Controls stops={stops} place={place} step={step} goBy={goBy} go={go} description={description} />;
  const body = (
    <section class="execution" aria-label={execution.title}>
      <Heading execution={execution} />
      {page === undefined && <div class="bar">{controls}</div>}
      {children}
      <div class={`panes${aside === undefined ? '' : ' with-aside'}`}>
        <div class="drawing">
          <Toolbar
            trace={trace}
            filters={filters}
            view={view}
            zoom={route.zoom}
            change={setFilters}
            setView={(chosen) => navigate({ view: chosen, step }, 'replace')}
            setZoom={setZoom}
            search={{
              query,
              setQuery,
              count: found.length,
              current: found.indexOf(step - 1) + 1,
              next: (isBack) => go(nextFound(found, step, isBack) ?? step),
            }}
          />
          {view === 'table' && <EventTable trace={trace} rows={rows} step={step} go={go} />}
          {view === 'graph' && <GraphView trace={trace} filters={filters} step={step} zoom={route.zoom} go={go} />}
          {view === 'diagram' && (
            <DiagramView
              trace={trace}
              filters={filters}
              step={step}
              zoom={route.zoom}
              found={foundSet}
              go={go}
              unfold={(first) => setFilters(toggleFold(filters, first))}
            />
          )}
        </div>
        {aside !== undefined && <div class="aside">{aside}</div>}
        <SourceView
          trace={trace}
          sources={sources}
          step={step}
          places={places}
          fallback={execution.file}
          cycle={cycle}
          atLine={atLine}
        />
        <StateView
          snapshot={timeline.at(step)}
          showPrivate={filters.asides}
          thread={end?.thread ?? event?.thread}
          calls={end?.stack ?? callsAt(event)}
          values={ends.flatMap(({ values = [] }) => values)}
        />
      </div>
      <p class="description" aria-live="polite">
        {description}
      </p>
    </section>
  );
  if (page === undefined) return body;
  return (
    <>
      <Top {...(page.home === undefined ? {} : { home: page.home })}>
        {page.bar}
        {controls}
        <Help />
      </Top>
      <main class="bench">{body}</main>
    </>
  );
}
