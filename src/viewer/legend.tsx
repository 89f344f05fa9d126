/** What the lines and marks mean, and switches for them. */
import type { JSX } from 'preact';
import type { TraceReport } from '../report/trace-schema.ts';
import { EDGE_KINDS, type EdgeKind, type Filters, kindOf, toggleChronological, toggleKind } from './model/filters.ts';
import { type Shape, shapeOf } from './model/layout.ts';

export interface LegendProps {
  readonly trace: TraceReport;
  readonly filters: Filters;
  readonly change: (filters: Filters) => void;
  readonly view: 'diagram' | 'table';
  readonly setView: (view: 'diagram' | 'table') => void;
}

/** Kinds that the execution does not have are not offered. */
function kindsIn({ edges = [], events }: TraceReport): ReadonlySet<EdgeKind> {
  const kinds = new Set<EdgeKind>(['program order', ...edges.map((e) => kindOf(e.relation))]);
  if (events.some((e) => e.buffered === true)) kinds.add('store–update');
  return kinds;
}

const MARKS: readonly (readonly [Shape, string])[] = [
  ['load', 'load'],
  ['store', 'store'],
  ['rmw', 'read-modify-write'],
  ['update', 'reaches memory'],
  ['fence', 'fence'],
  ['other', 'threads, locks, …'],
];

export function Legend({ trace, filters, change, view, setView }: LegendProps): JSX.Element {
  const present = kindsIn(trace);
  const shapes = new Set(trace.events.map(shapeOf));
  const asides = trace.events.filter((e) => e.aside === true).length;
  return (
    <div class="legend">
      <div class="row">
        <fieldset class="views">
          <legend class="unseen">Show the execution as</legend>
          {(['diagram', 'table'] as const).map((name) => (
            <label>
              <input type="radio" name="view" checked={view === name} onChange={() => setView(name)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        {view === 'diagram' && (
          <p class="marks" aria-hidden="true">
            {MARKS.filter(([name]) => shapes.has(name)).map(([name, meaning]) => (
              <span>
                <i class={name} /> {meaning}
              </span>
            ))}
          </p>
        )}
      </div>
      <fieldset class="kinds">
        <legend class="unseen">Edges and steps to show</legend>
        {view === 'diagram' && trace.cycle !== undefined && (
          <label title="Happens-before is cyclic, so no order of the steps explains it">
            <input
              type="checkbox"
              checked={filters.cycle}
              onChange={() => change({ ...filters, cycle: !filters.cycle })}
            />
            <Sample kind="cycle" />
            <span>cycle</span>
          </label>
        )}
        {view === 'diagram' &&
          EDGE_KINDS.filter(({ kind }) => present.has(kind)).map(({ kind, meaning }) => (
            <label title={meaning}>
              <input
                type="checkbox"
                checked={filters.kinds.has(kind)}
                onChange={() => change(toggleKind(filters, kind))}
              />
              <Sample kind={kind} />
              <span>{kind}</span>
            </label>
          ))}
        {view === 'diagram' && trace.chronological !== undefined && (
          <label title="Stores and their updates as separate events, as the search orders them; without edges that follow from others">
            <input
              type="checkbox"
              checked={filters.chronological}
              onChange={() => change(toggleChronological(filters))}
            />
            <span>chronological trace</span>
          </label>
        )}
        {asides > 0 && (
          <label title="Steps invisible to other threads">
            <input
              type="checkbox"
              checked={filters.asides}
              onChange={() => change({ ...filters, asides: !filters.asides })}
            />
            <span>
              {asides} private step{asides === 1 ? '' : 's'}
            </span>
          </label>
        )}
      </fieldset>
    </div>
  );
}

function Sample({ kind }: { kind: EdgeKind | 'cycle' }): JSX.Element {
  return (
    <svg width="26" height="10" aria-hidden="true" class="sample">
      {kind === 'store–update' ? (
        <rect x="2" y="2.5" width="22" height="5" rx="2.5" class="bar" />
      ) : (
        <path d="M1 5H25" class={`edge ${className(kind)}`} />
      )}
    </svg>
  );
}

export function className(kind: EdgeKind | 'cycle'): string {
  return kind.replace(/[^a-z]/g, '-');
}
