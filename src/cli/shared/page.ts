/** The page of a report. */
import type { AnyReport } from '../../report/page-data.ts';
import { type ReadSource, writeHtml } from '../../report/writers/html.ts';

/** Writes the requested page, if any; returns false, with a message, if it cannot be written. */
export function writePage(file: string | undefined, report: AnyReport, read?: ReadSource): boolean {
  if (file === undefined) return true;
  try {
    writeHtml(file, report, read);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    process.stderr.write(`fencepost: cannot write the page ${file}: ${code ?? message}\n`);
    return false;
  }
}
