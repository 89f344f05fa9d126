/** The bar above the diagram: views, search, folding, zoom, and menus for threads and for what is drawn. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { TraceReport } from '../report/trace-schema.ts';
import { useShortcut } from './keys.tsx';
import { Legend } from './legend.tsx';
import { Menu } from './menu.tsx';
import { type Filters, toggleHidden } from './model/filters.ts';
import { hasGraph } from './model/graph.ts';
import { type View, ZOOMS } from './model/route.ts';
import { canFold, isFolding } from './model/rows.ts';

interface ToolbarProps {
  readonly trace: TraceReport;
  readonly filters: Filters;
  readonly view: View;
  readonly zoom: number;
  readonly change: (filters: Filters) => void;
  readonly setView: (view: View) => void;
  readonly setZoom: (zoom: number) => void;
  readonly search: SearchProps;
}

export function Toolbar({ trace, filters, view, zoom, change, setView, setZoom, search }: ToolbarProps): JSX.Element {
  const views: readonly View[] = ['diagram', ...(hasGraph(trace) ? ['graph' as const] : []), 'table'];
  const at = ZOOMS.indexOf(zoom);
  return (
    <div class="toolbar">
      <fieldset class="views">
        <legend class="unseen">Show the execution as</legend>
        {views.map((name) => (
          <label>
            <input type="radio" name="view" checked={view === name} onChange={() => setView(name)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <SearchField {...search} />
      {view !== 'graph' && canFold(trace, filters) && (
        <label class="fold-switch">
          <input
            type="checkbox"
            checked={isFolding(trace, filters)}
            onChange={() => change({ ...filters, fold: !isFolding(trace, filters), opened: [] })}
          />
          <span>fold</span>
        </label>
      )}
      {view !== 'table' && (
        <fieldset class="zoom" aria-label="Zoom">
          <button
            type="button"
            aria-label="Zoom out (-)"
            aria-disabled={at === 0}
            onClick={() => setZoom(ZOOMS[at - 1] ?? zoom)}
          >
            −
          </button>
          <span>{zoom} %</span>
          <button
            type="button"
            aria-label="Zoom in (+)"
            aria-disabled={at === ZOOMS.length - 1}
            onClick={() => setZoom(ZOOMS[at + 1] ?? zoom)}
          >
            +
          </button>
        </fieldset>
      )}
      {trace.threads.length > 2 && <Threads trace={trace} filters={filters} change={change} />}
      <Menu name="Show" className="right">
        <Legend trace={trace} filters={filters} change={change} view={view} />
      </Menu>
    </div>
  );
}

interface SearchProps {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** How many events match, and which of them the current step is, from 1; 0 if none. */
  readonly count: number;
  readonly current: number;
  readonly next: (isBack: boolean) => void;
}

function SearchField({ query, setQuery, count, current, next }: SearchProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useShortcut('/', () => input.current?.focus());
  return (
    <search class="search">
      <input
        ref={input}
        type="search"
        placeholder="Search  /"
        aria-label="Search events"
        spellcheck={false}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') next(event.shiftKey);
          if (event.key === 'Escape') input.current?.blur();
        }}
      />
      {query.trim() !== '' && (
        <output class="count">{count === 0 ? 'none' : current === 0 ? `${count}` : `${current} of ${count}`}</output>
      )}
    </search>
  );
}

function Threads({ trace, filters, change }: Pick<ToolbarProps, 'trace' | 'change' | 'filters'>): JSX.Element {
  const { hidden } = filters;
  const shown = trace.threads.length - hidden.length;
  return (
    <Menu
      name={hidden.length === 0 ? `${trace.threads.length} threads` : `${shown} of ${trace.threads.length} threads`}
      className="right threads"
    >
      <fieldset class="lanes">
        <legend class="unseen">Threads to show</legend>
        {trace.threads.map(({ thread, function: name = '' }) => (
          <label>
            <input
              type="checkbox"
              checked={!hidden.includes(thread)}
              onChange={() => change(toggleHidden(filters, thread))}
            />
            <span>
              {thread} {name}
            </span>
          </label>
        ))}
      </fieldset>
    </Menu>
  );
}
