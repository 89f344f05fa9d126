/** Selects the screen. */
import type { JSX } from 'preact';
import type { PageData } from '../report/page-data.ts';
import { useRoute } from './navigation.tsx';
import { ReportScreen } from './report.tsx';
import { ServeScreens } from './serve.tsx';

/** Without data, the page is from `fencepost serve`, and requests its data. */
export function App({ data }: { data: PageData | null }): JSX.Element {
  const [route, navigate] = useRoute(data === null ? 'runs' : 'page');
  if (data === null) return <ServeScreens route={route} navigate={navigate} />;
  return <ReportScreen data={data} route={route} navigate={navigate} />;
}
