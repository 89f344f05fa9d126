/** What the lines and marks mean, with switches for them. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { TraceReport } from '../report/trace-schema.ts';
import { hasAllArrows } from './model/edges.ts';
import { EDGE_KINDS, type EdgeKind, type Filters, kindOf, toggleChronological, toggleKind } from './model/filters.ts';
import { type Shape, shapeOf } from './model/layout.ts';
import type { View } from './model/route.ts';

interface LegendProps {
  readonly trace: TraceReport;
  readonly filters: Filters;
  readonly change: (filters: Filters) => void;
  readonly view: View;
}

const RELATIONS: readonly (readonly [string, string])[] = [
  ['po', 'program order: successive steps of one thread'],
  ['rf', 'reads from: from a store to a load that reads its value'],
  ['mo', 'modification order of one location'],
  ['hb', 'happens-before between threads, without what follows from other arrows'],
  ['fr', 'from a load to a store that is newer than what it read; only on the cycle'],
];

/** The kinds of edges that the execution has; no others are offered. */
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

export function Legend({ trace, filters, change, view }: LegendProps): JSX.Element {
  const present = kindsIn(trace);
  const shapes = new Set(trace.events.map(shapeOf));
  const asides = trace.events.filter((e) => e.aside === true).length;
  const isDrawn = view === 'diagram';
  return (
    <div class="legend">
      <fieldset class="kinds">
        <legend class="unseen">Edges and steps to show</legend>
        {view !== 'table' && trace.cycle !== undefined && (
          <Switch
            name={<Named sample="cycle" name="cycle" />}
            meaning="these steps happen before each other in a circle, so no order of them explains it"
            isOn={filters.cycle}
            toggle={() => change({ ...filters, cycle: !filters.cycle })}
          />
        )}
        {isDrawn &&
          EDGE_KINDS.filter(({ kind }) => present.has(kind)).map(({ kind, meaning }) => (
            <Switch
              name={<Named sample={kind} name={kind} />}
              meaning={meaning}
              isOn={filters.kinds.has(kind)}
              toggle={() => change(toggleKind(filters, kind))}
            />
          ))}
        {isDrawn && trace.chronological !== undefined && (
          <Switch
            name="chronological trace"
            meaning="stores and their updates as separate events, as the search orders them"
            isOn={filters.chronological}
            toggle={() => change(toggleChronological(filters))}
          />
        )}
        {isDrawn && (
          <Switch
            name="all arrows"
            meaning="otherwise those of this step; all from the beginning if there are few rows and threads"
            isOn={hasAllArrows(trace, filters)}
            toggle={() => change({ ...filters, arrows: hasAllArrows(trace, filters) ? 'step' : 'all' })}
          />
        )}
        {asides > 0 && (
          <Switch
            name={`${asides} private step${asides === 1 ? '' : 's'}`}
            meaning="invisible to other threads"
            isOn={filters.asides}
            toggle={() => change({ ...filters, asides: !filters.asides })}
          />
        )}
      </fieldset>
      {view === 'graph' && (
        <dl class="relations">
          {RELATIONS.map(([name, meaning]) => (
            <div>
              <dt>{name}</dt>
              <dd class="note">{meaning}</dd>
            </div>
          ))}
        </dl>
      )}
      {isDrawn && (
        <p class="marks" aria-hidden="true">
          {MARKS.filter(([name]) => shapes.has(name)).map(([name, meaning]) => (
            <span>
              <i class={name} /> {meaning}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

interface SwitchProps {
  readonly name: ComponentChildren;
  readonly meaning: string;
  readonly isOn: boolean;
  readonly toggle: () => void;
}

function Switch({ name, meaning, isOn, toggle }: SwitchProps): JSX.Element {
  const id = useId();
  return (
    <div class="switch">
      <label>
        <input type="checkbox" checked={isOn} onChange={toggle} aria-describedby={id} />
        {name}
      </label>
      <span class="note" id={id}>
        {meaning}
      </span>
    </div>
  );
}

function Named({ sample, name }: { sample: EdgeKind | 'cycle'; name: string }): JSX.Element {
  return (
    <>
      <Sample kind={sample} />
      <span>{name}</span>
    </>
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
