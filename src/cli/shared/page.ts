/** The page of a report. */
import type { AnyReport } from '../../report/page-data.ts';
import { type ReadSource, writeHtml } from '../../report/writers/html.ts';

/** Writes the page, if requested. If that fails, prints a message and returns false. */
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
