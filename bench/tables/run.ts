/** `npm run tables`: writes the papers' tables, with our numbers beside theirs, to `docs/tables/`. See `page.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { PAGES } from './pages.ts';

const FOLDER = new URL('../../docs/tables/', import.meta.url);
mkdirSync(FOLDER, { recursive: true });
for (const make of PAGES) {
  const { name, text } = make();
  writeFileSync(new URL(name, FOLDER), text);
  console.log(`docs/tables/${name}`);
}
