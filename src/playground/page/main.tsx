/** The page of the playground. */
import { render } from 'preact';
import '../../viewer/style/base.css';
import './style.css';
import { restoreTheme } from '../../viewer/theme.tsx';
import { App } from './app.tsx';

restoreTheme();
render(<App />, document.getElementById('app')!);
