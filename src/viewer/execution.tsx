/** One execution: why it fails, the diagram or the table, the source, memory and buffers, and the navigation. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { blockText } from '../report/story/blocks.ts';
import { Controls } from './controls.tsx';
import { DiagramView } from './diagram.tsx';
import { Legend } from './legend.tsx';
import type { Filters } from './model/filters.ts';
import { eventsOnCycle } from './model/layout.ts';
import type { Execution } from './model/page.ts';
import type { Route } from './model/route.ts';
import { type Move, move, moveOfKey, nextAtLine, placeOf, stopsOf } from './model/stepping.ts';
import { Timeline } from './model/timeline.ts';
import type { Navigate } from './navigation.tsx';
import { SourceView } from './source.tsx';
import { StateView } from './state.tsx';
import { EventTable } from './table.tsx';

export interface ExecutionProps {
  readonly execution: Execution;
  readonly sources: Readonly<Record<string, string>>;
  readonly route: Route;
  readonly navigate: Navigate;
  /** Further actions at this step. */
  readonly children?: ComponentChildren;
}

export function ExecutionView({ execution, sources, route, navigate, children }: ExecutionProps): JSX.Element {
  const { trace, error } = execution;
  const { filters } = route;
  const timeline = useMemo(() => new Timeline(trace), [trace]);
  const stops = useMemo(() => stopsOf(trace, filters), [trace, filters.asides]);
  const cycle = useMemo(() => eventsOnCycle(trace), [trace]);
  const place = placeOf(stops, route.step ?? trace.events.length);
  const step = stops[place]!;
  const go = (to: number): void => navigate({ step: to }, 'step');
  const goBy = (how: Move): void =>
    navigate((now) => ({ step: move(stops, now.step ?? trace.events.length, how) }), 'step');
  useKeys(goBy);
  const atLine = (file: string, line: number): void => {
    const found = nextAtLine(trace, file, line, step);
    if (found !== undefined) go(found);
  };
  const event = trace.events[step - 1];
  const ends = step === trace.events.length ? trace.ends.filter((end) => end.line !== undefined) : [];
  const places = ends.length > 0 ? ends : event === undefined ? [] : [event];
  const setFilters = (changed: Filters): void => navigate({ filters: changed, step }, 'replace');
  return (
    <section class="execution" aria-label={execution.title}>
      <Heading execution={execution} />
      {children}
      <Controls stops={stops} place={place} goBy={goBy} go={go} description={timeline.describe(step)} />
      <div class="panes">
        <div class="drawing">
          {route.view === 'table' ? (
            <EventTable trace={trace} stops={stops} step={step} go={go} />
          ) : (
            <DiagramView trace={trace} filters={filters} step={step} go={go} />
          )}
          <Legend
            trace={trace}
            filters={filters}
            change={setFilters}
            view={route.view}
            setView={(view) => navigate({ view, step }, 'replace')}
          />
        </div>
        <StateView snapshot={timeline.at(step)} showPrivate={filters.asides} />
        <SourceView
          trace={trace}
          sources={sources}
          places={places}
          fallback={execution.file}
          cycle={cycle}
          atLine={atLine}
        />
      </div>
      {error?.notes !== undefined && (
        <ul class="notes">
          {error.notes.map((note) => (
            <li>{note}</li>
          ))}
        </ul>
      )}
      <footer class="facts">
        {trace.blocks.map((block) => (
          <p>
            <b>{block.name}</b>: {blockText(block)}
          </p>
        ))}
        {trace.schedule !== '' && (
          <p>
            Schedule <code>{trace.schedule}</code>
          </p>
        )}
      </footer>
    </section>
  );
}

function Heading({ execution }: { execution: Execution }): JSX.Element {
  const { trace, error, state, model, file } = execution;
  const [why, ...remedies] = trace.explanation ?? [];
  const where = error?.file === undefined ? file : `${error.file}:${error.line}`;
  return (
    <div class="what">
      <p class="detail">
        {model.toUpperCase()} · <span class="code">{where}</span>
        {error?.thread === undefined ? '' : ` · thread ${error.thread}`}
      </p>
      <h2
        class={
          error !== undefined || execution.isFineSoFar === false ? 'wrong' : state !== undefined ? 'code' : undefined
        }
      >
        {error === undefined ? (state ?? execution.title) : `${error.kind}: ${error.message}`}
      </h2>
      {execution.isHarmless === true && (
        <p class="remedy">No failure was found by continuing from here; SC does not allow this execution.</p>
      )}
      {why !== undefined && (
        <p class="why">
          <b>Why</b> {why}
        </p>
      )}
      {error?.kind === 'race' && (
        <p class="why">
          Two threads access the same variable, not both atomically, and neither access happens before the other:
          undefined behaviour in C, whatever values are read here.
        </p>
      )}
      {why === undefined && error?.kind !== 'race' && trace.sequential === true && execution.isFineSoFar !== true && (
        <p class="why">The memory model is not the cause: the same can happen under SC.</p>
      )}
      {remedies.map((text) => (
        <p class="remedy">{text}</p>
      ))}
    </div>
  );
}

/** Keys work wherever the focus is, except where they already have a meaning. */
function useKeys(goBy: (how: Move) => void): void {
  const latest = useRef(goBy);
  latest.current = goBy;
  // Before the page is visible: keys typed then count too.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
      if (event.target.closest('input, select, textarea') !== null) return;
      const how = moveOfKey(event.key, event.target.closest('.diagram') !== null);
      if (how === undefined) return;
      event.preventDefault();
      latest.current(how);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
