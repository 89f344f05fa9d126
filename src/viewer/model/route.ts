/**
 * The current view, as the fragment of the address, so that every view can be linked to and revisited:
 *
 *   #/page?execution=2&step=5&show=psx        an execution of the report, after 5 steps
 *   #/runs                                    (serve) the contents of the folder
 *   #/run?path=fencepost-out/a-1&step=5       (serve) a saved run
 *   #/explore?file=a.c&model=tso&schedule=0*2 (serve) a program after these steps
 */
import { DEFAULT_FILTERS, type Filters, PARTIAL_FILTERS, parseFilters, printFilters } from './filters.ts';

export type Screen = 'page' | 'runs' | 'run' | 'explore';
const SCREENS: readonly Screen[] = ['page', 'runs', 'run', 'explore'];

export interface Route {
  readonly screen: Screen;
  /** Path of a saved run. */
  readonly path: string | undefined;
  readonly file: string | undefined;
  readonly model: string | undefined;
  readonly schedule: string;
  readonly defines: readonly string[];
  readonly execution: number | undefined;
  /** `undefined`: the best place to begin. */
  readonly step: number | undefined;
  readonly filters: Filters;
  readonly view: 'diagram' | 'table';
}

export function emptyRoute(screen: Screen): Route {
  return {
    screen,
    path: undefined,
    file: undefined,
    model: undefined,
    schedule: '',
    defines: [],
    execution: undefined,
    step: undefined,
    filters: filtersOf(screen),
    view: 'diagram',
  };
}

function filtersOf(screen: Screen): Filters {
  return screen === 'explore' ? PARTIAL_FILTERS : DEFAULT_FILTERS;
}

function natural(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Ignores whatever makes no sense. */
export function parseRoute(fragment: string, home: Screen): Route {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  const screen = SCREENS.find((s) => `/${s}` === path) ?? home;
  const params = new URLSearchParams(query);
  return {
    screen,
    path: params.get('path') ?? undefined,
    file: params.get('file') ?? undefined,
    model: params.get('model') ?? undefined,
    schedule: params.get('schedule') ?? '',
    defines: params.getAll('define'),
    execution: natural(params.get('execution')),
    step: natural(params.get('step')),
    filters: parseFilters(params.get('show') ?? undefined, filtersOf(screen)),
    view: params.get('view') === 'table' ? 'table' : 'diagram',
  };
}

export function printRoute(route: Route): string {
  const params = new URLSearchParams();
  const { path, file, model, schedule, execution, step, view } = route;
  for (const [name, value] of Object.entries({ path, file, model, schedule, execution, step })) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  for (const define of route.defines) params.append('define', define);
  const show = printFilters(route.filters);
  if (show !== printFilters(filtersOf(route.screen))) params.set('show', show);
  if (view !== 'diagram') params.set('view', view);
  const query = params.toString();
  return `#/${route.screen}${query === '' ? '' : `?${query}`}`;
}
