/** The table of pages: to add one, add a file beside this one and its function here. */
import { monPage } from './mon.ts';
import type { Page } from './page.ts';
import { soberPage } from './sober.ts';

export const PAGES: readonly (() => Page)[] = [soberPage, monPage];
