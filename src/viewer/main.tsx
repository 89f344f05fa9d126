/**
 * viewer/: the page in the browser. `model/` decides what is shown and where; the files here draw it. It runs as one
 * script in a page that `--html` wrote, with its data, or that `fencepost serve` sent, from which it requests its data.
 */
import { render } from 'preact';
import { App } from './app.tsx';
import './style/base.css';
import './style/report.css';
import './style/execution.css';
import './style/diagram.css';
import './style/results.css';
import './style/serve.css';
import './style/adapt.css';
import { restoreTheme } from './theme.tsx';

restoreTheme();
const text = document.getElementById('data')?.textContent ?? 'null';
render(<App data={JSON.parse(text)} />, document.getElementById('app')!);
