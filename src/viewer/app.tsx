/** Selects the screen; draws the common header. */
import type { JSX } from 'preact';
import type { PageData } from '../report/page-data.ts';
import { useRoute } from './navigation.tsx';
import { ReportScreen } from './report.tsx';
import { ServeScreens } from './serve.tsx';
import { ThemeButton } from './theme.tsx';

/** Without data: the page is from `fencepost serve`, and requests its data. */
export function App({ data }: { data: PageData | null }): JSX.Element {
  const [route, navigate] = useRoute(data === null ? 'runs' : 'page');
  return (
    <>
      <header class="top">
        {data === null ? (
          <a class="mark" href="#/runs">
            Fencepost
          </a>
        ) : (
          <span class="mark">Fencepost</span>
        )}
        {data !== null && <span class="command">{data.report.command}</span>}
        {data === null && route.screen !== 'runs' && (
          <a class="home" href="#/runs">
            all runs and programs
          </a>
        )}
        <ThemeButton />
      </header>
      <main>
        {data === null ? (
          <ServeScreens route={route} navigate={navigate} />
        ) : (
          <ReportScreen data={data} route={route} navigate={navigate} />
        )}
      </main>
    </>
  );
}
