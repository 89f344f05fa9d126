/** The screens of `fencepost serve`: the list, a saved run, the explorer. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { PageData } from '../report/page-data.ts';
import type { Listing } from '../report/serve-api.ts';
import { get, useAsked } from './api.tsx';
import { ExploreScreen } from './explore.tsx';
import { Frame } from './frame.tsx';
import { emptyRoute, FIRST_EXPLORED, printRoute } from './model/route.ts';
import { ReportScreen } from './report.tsx';
import { HOME, Problem, type ScreenProps } from './screen.tsx';

export function ServeScreens({ route, navigate }: ScreenProps): JSX.Element {
  switch (route.screen) {
    case 'run':
      return <RunScreen route={route} navigate={navigate} />;
    case 'explore':
      return <ExploreScreen route={route} navigate={navigate} />;
    default:
      return (
        <Frame>
          <ListScreen />
        </Frame>
      );
  }
}

function RunScreen({ route, navigate }: ScreenProps): JSX.Element {
  const path = route.path ?? '';
  const { value, problem } = useAsked(path, () => get<PageData>(`/api/run?path=${encodeURIComponent(path)}`));
  if (value !== undefined) return <ReportScreen data={value} route={route} navigate={navigate} home={HOME} />;
  return <Frame home={HOME}>{problem === undefined ? <p class="none">…</p> : <Problem text={problem} />}</Frame>;
}

function ListScreen(): JSX.Element {
  const { value, problem } = useAsked('list', () => get<Listing>('/api/list'));
  const [filter, setFilter] = useState('');
  if (problem !== undefined) return <Problem text={problem} />;
  if (value === undefined) return <p class="none">…</p>;
  const { folder, isCut } = value;
  const words = filter.toLowerCase().split(/\s+/);
  const has = (...texts: readonly string[]): boolean =>
    words.every((word) => texts.join(' ').toLowerCase().includes(word));
  const runs = value.runs.filter((run) =>
    has(run.title, run.command, run.path, ...run.verdicts.map((v) => `${v.model} ${v.verdict}`)),
  );
  const programs = value.programs.filter((file) => has(file));
  return (
    <div class="lists">
      <div class="lists-head">
        <h1 class="code">{folder}</h1>
        <input
          type="search"
          placeholder="Filter"
          aria-label="Filter runs and programs"
          spellcheck={false}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <section>
        <h2>Runs</h2>
        {value.runs.length === 0 && <p class="none">None yet. Checks that find errors are saved in fencepost-out.</p>}
        {value.runs.length > 0 && runs.length === 0 && <p class="none">None that match.</p>}
        {runs.length > 0 && <Runs runs={runs} />}
      </section>
      <section>
        <h2>Programs</h2>
        {value.programs.length === 0 && <p class="none">No C or C++ files with a main() and no .litmus files here.</p>}
        <ul class="programs">
          {programs.map((file) => (
            <li>
              <a class="code" href={printRoute({ ...emptyRoute('explore'), file, model: FIRST_EXPLORED })}>
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

/** Newest first. */
function Runs({ runs }: Pick<Listing, 'runs'>): JSX.Element {
  return (
    <div class="wide">
      <table class="runs" aria-label="Runs">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Program</th>
            <th scope="col">Command</th>
            <th scope="col">Verdicts</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ path, title, time, command, verdicts }) => (
            <tr>
              <td class="detail">
                {new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
              </td>
              <td>
                <a href={printRoute({ ...emptyRoute('run'), path })} title={path}>
                  {title}
                </a>
              </td>
              <td class="code">{command}</td>
              <td>
                {verdicts.map(({ model, verdict }) => (
                  <span class="of-run">
                    {model.toUpperCase()} <span class={`verdict ${verdict}`}>{verdict}</span>
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
