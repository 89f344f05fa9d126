/** The screens of `fencepost serve`: the list, a saved run, the explorer. */

import type { JSX } from 'preact';
import { TSO } from '../models/tso.ts';
import type { PageData } from '../report/page-data.ts';
import type { Listing } from '../report/serve-api.ts';
import { get, useAsked } from './api.tsx';
import { ExploreScreen } from './explore.tsx';
import { emptyRoute, printRoute } from './model/route.ts';
import { ReportScreen } from './report.tsx';
import { Problem, type ScreenProps } from './screen.tsx';

export function ServeScreens({ route, navigate }: ScreenProps): JSX.Element {
  switch (route.screen) {
    case 'run':
      return <RunScreen route={route} navigate={navigate} />;
    case 'explore':
      return <ExploreScreen route={route} navigate={navigate} />;
    default:
      return <ListScreen />;
  }
}

function RunScreen({ route, navigate }: ScreenProps): JSX.Element {
  const path = route.path ?? '';
  const { value, problem } = useAsked(path, () => get<PageData>(`/api/run?path=${encodeURIComponent(path)}`));
  if (problem !== undefined) return <Problem text={problem} />;
  return value === undefined ? <p class="none">…</p> : <ReportScreen data={value} route={route} navigate={navigate} />;
}

function ListScreen(): JSX.Element {
  const { value, problem } = useAsked('list', () => get<Listing>('/api/list'));
  if (problem !== undefined) return <Problem text={problem} />;
  if (value === undefined) return <p class="none">…</p>;
  const { folder, runs, programs, isCut } = value;
  return (
    <div class="lists">
      <h1 class="code">{folder}</h1>
      <section>
        <h2>Runs</h2>
        {runs.length === 0 && <p class="none">None yet. Checks that find errors are saved in fencepost-out.</p>}
        <ul>
          {runs.map(({ path, title, verdicts }) => (
            <li>
              <a href={printRoute({ ...emptyRoute('run'), path })}>{title}</a>
              <span class="detail">
                {verdicts.map(({ model, verdict }) => (
                  <span class={`verdict ${verdict}`}>
                    {model.toUpperCase()} {verdict}
                  </span>
                ))}
              </span>
              <span class="detail code">{path}</span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>Programs</h2>
        {programs.length === 0 && <p class="none">No .c or .litmus files here.</p>}
        <ul class="programs">
          {programs.map((file) => (
            <li>
              <a class="code" href={printRoute({ ...emptyRoute('explore'), file, model: TSO.name })}>
                {file}
              </a>
            </li>
          ))}
        </ul>
        {isCut && <p class="none">Too many to list; serve a smaller folder.</p>}
      </section>
    </div>
  );
}
