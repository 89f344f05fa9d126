/** Clang's errors about a text, by line. */

export interface LineOf {
  readonly file: string;
  readonly line: number;
}

interface Complaint extends LineOf {
  /** Its places in the bodies of macros, if any, innermost macro first. */
  readonly macros: readonly LineOf[];
}

const DIAGNOSTIC = /^(.+?):(\d+):\d+: (?:fatal )?(error|warning|note: expanded from macro)\b/gm;

export function readComplaints(diagnostics: string): readonly Complaint[] {
  const complaints: Complaint[] = [];
  let macros: LineOf[] = [];
  for (const { 1: file, 2: line, 3: kind } of diagnostics.matchAll(DIAGNOSTIC)) {
    const place: LineOf = { file: file!, line: Number(line) };
    if (kind!.startsWith('note')) {
      macros.unshift(place);
      continue;
    }
    macros = [];
    if (kind === 'error') complaints.push({ ...place, macros });
  }
  return complaints;
}
