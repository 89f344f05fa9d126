/**
 * The current view, as the fragment of the address, so that every view can be linked to and revisited:
 *
 *   #/page?execution=2&step=5&show=psx        an execution of the report, after 5 steps
 *   #/runs                                    (serve) the contents of the folder
 *   #/run?path=fencepost-out/a-1&step=5       (serve) a saved run
 *   #/explore?file=a.c&model=tso&schedule=0*2 (serve) a program after these steps
 */
import { defaultModels, type Model } from '../../models/index.ts';
import { DEFAULT_FILTERS, type Filters, PARTIAL_FILTERS, parseFilters, printFilters } from './filters.ts';

/** The model that the explorer begins with: the strongest that shows more than SC. */
export const FIRST_EXPLORED: Model = defaultModels('robust')[0]!;

export type Screen = 'page' | 'runs' | 'run' | 'explore';
const SCREENS: readonly Screen[] = ['page', 'runs', 'run', 'explore'];

export interface Route {
  readonly screen: Screen;
  /** The path of a saved run. */
  readonly path: string | undefined;
  readonly file: string | undefined;
  readonly model: string | undefined;
  readonly schedule: string;
  readonly defines: readonly string[];
  readonly execution: number | undefined;
  /** `undefined`: the best step to start at. */
  readonly step: number | undefined;
  readonly filters: Filters;
  /** `undefined`: a graph if there is one, else the diagram. */
  readonly view: View | undefined;
  /** Of the diagram, in percent. */
  readonly zoom: number;
}

export type View = 'diagram' | 'graph' | 'table';
const VIEWS: readonly View[] = ['diagram', 'graph', 'table'];
export const ZOOMS: readonly number[] = [50, 60, 70, 85, 100, 125, 150];

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
    view: undefined,
    zoom: 100,
  };
}

function filtersOf(screen: Screen): Filters {
  return screen === 'explore' ? PARTIAL_FILTERS : DEFAULT_FILTERS;
}

function natural(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const ARROWS = ['all', 'step'] as const;

function wordsOf(text: string | null): readonly string[] {
  return (text ?? '').split(' ').filter((word) => word !== '');
}

/** Ignores anything invalid. */
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
    filters: {
      ...parseFilters(params.get('show') ?? undefined, filtersOf(screen)),
      hidden: wordsOf(params.get('hide')),
      fold: params.has('fold') ? params.get('fold') !== 'no' : undefined,
      opened: wordsOf(params.get('open')).map(Number).filter(Number.isSafeInteger),
      arrows: ARROWS.find((a) => a === params.get('arrows')),
    },
    view: VIEWS.find((v) => v === params.get('view')),
    zoom: ZOOMS.find((z) => z === natural(params.get('zoom'))) ?? 100,
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
  const { hidden, fold, opened, arrows } = route.filters;
  if (hidden.length > 0) params.set('hide', hidden.join(' '));
  if (fold !== undefined) params.set('fold', fold ? 'yes' : 'no');
  if (opened.length > 0) params.set('open', opened.join(' '));
  if (arrows !== undefined) params.set('arrows', arrows);
  if (view !== undefined) params.set('view', view);
  if (route.zoom !== 100) params.set('zoom', String(route.zoom));
  const query = params.toString();
  return `#/${route.screen}${query === '' ? '' : `?${query}`}`;
}
