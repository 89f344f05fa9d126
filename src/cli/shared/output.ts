/** Where a command's report goes: text for people or one of the forms for programs, and a page if requested. */
import { chooseReporter, type ReporterChoices, type ReporterName } from '../../options/output.ts';
import type { AnyReport } from '../../report/page-data.ts';
import type { Report } from '../../report/schema.ts';
import { withoutCommands } from '../../report/writers/github.ts';
import type { ReadSource } from '../../report/writers/html.ts';
import { pageOfReport } from '../../report/writers/pages.ts';
import { reporters } from '../../report/writers/reporters.ts';
import { writePage } from './page.ts';
import { PAGE, unwritable } from './unwritable.ts';

export class Output {
  private readonly reporter: ReporterName;
  private readonly html: string | undefined;

  private constructor(reporter: ReporterName, html: string | undefined) {
    this.reporter = reporter;
    this.html = html;
  }

  /** Returns a problem if the choices contradict each other, or the page cannot be written. */
  static of(choices: ReporterChoices, inputs: readonly string[]): Output | { readonly problem: string } {
    const reporter = chooseReporter(choices);
    if ('problem' in reporter) return reporter;
    const problem = choices.html === undefined ? undefined : unwritable(choices.html, inputs, PAGE);
    return problem === undefined ? new Output(reporter.name, choices.html) : { problem };
  }

  /** GitHub shows the text above its annotations. */
  get isText(): boolean {
    return this.reporter === 'text' || this.reporter === 'github';
  }

  get hasPage(): boolean {
    return this.html !== undefined;
  }

  /** Writes text, if text is wanted. It may quote the program or its output. */
  writeText(text: string): void {
    if (this.isText) process.stdout.write(this.reporter === 'github' ? withoutCommands(text) : `${text}\n`);
  }

  /** Writes bytes that follow the text: as they are, or decoded if the reporter can only show text. */
  writeBytes(bytes: Buffer): void {
    if (this.reporter === 'text') process.stdout.write(bytes);
    else if (bytes.length > 0) this.writeText(bytes.toString('utf8'));
  }

  /** Writes the form for programs, and the page; false if the page cannot be written. */
  writeReport(report: Report, page: AnyReport = pageOfReport(report), read?: ReadSource): boolean {
    if (this.reporter !== 'text') process.stdout.write(reporters[this.reporter](report));
    return writePage(this.html, page, read);
  }
}
