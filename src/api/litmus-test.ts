/** Reads a litmus test, or says what is wrong with it. */
import { LitmusError } from '../frontend/litmus/error.ts';
import { type LitmusTest, parseLitmus } from '../frontend/litmus/litmus.ts';
import type { ProblemReport } from '../report/schema.ts';
import { readText } from './files.ts';

export const LITMUS_SUFFIX = '.litmus';

/** The problem, for a report and as text for people. */
export interface UnreadTest {
  readonly problem: ProblemReport;
  readonly text: string;
}

export function readLitmusTest(file: string): LitmusTest | UnreadTest {
  const read = readText(file);
  if ('problem' in read) {
    return { problem: { file, message: read.problem }, text: `fencepost: ${file}: ${read.problem}` };
  }
  try {
    return parseLitmus(read.text, file);
  } catch (error) {
    if (!(error instanceof LitmusError)) throw error;
    const { line, column } = error;
    const message = `found "${error.found}", expected ${error.expected}`;
    return { problem: { file, message, line, column }, text: `fencepost: ${error.message}` };
  }
}
