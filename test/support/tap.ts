/** Reads TAP, version 13, and throws unless it has the form that our reporter writes. */

export interface TapTest {
  readonly isOk: boolean;
  readonly description: string;
  readonly skip?: string;
  readonly yaml: Readonly<Record<string, unknown>>;
  readonly findings: readonly Readonly<Record<string, unknown>>[];
  readonly comments: readonly string[];
}

export function parseTap(text: string): readonly TapTest[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const [version, plan, ...lines] = text.slice(0, -1).split('\n');
  const planned = /^1\.\.(\d+)( # SKIP .+)?$/.exec(plan ?? '');
  if (version !== 'TAP version 13' || planned === null) throw new Error(`no TAP: ${version}, ${plan}`);
  const tests: TapTest[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at++]!;
    // A directive begins at the first # that is not escaped.
    const found = /^(not )?ok (\d+) - ((?:[^\\#]|\\.)*?)(?: # SKIP ((?:[^\\#]|\\.)+))?$/.exec(line);
    if (found === null || Number(found[2]) !== tests.length + 1) throw new Error(`not the next test: ${line}`);
    const yaml: Record<string, unknown> = {};
    const findings: Record<string, unknown>[] = [];
    if (lines[at] === '  ---') {
      for (at++; lines[at] !== '  ...'; at++) readYaml(lines[at], yaml, findings);
      at++;
    }
    const comments: string[] = [];
    for (; lines[at]?.startsWith('#') === true; at++) comments.push(lines[at]!.slice(2));
    const [, not, , description, skip] = found;
    const isOk = not === undefined;
    tests.push({ isOk, description: description!, ...(skip === undefined ? {} : { skip }), yaml, findings, comments });
  }
  if (tests.length !== Number(planned[1])) throw new Error(`${tests.length} tests, not ${planned[1]}`);
  return tests;
}

/** Scalars are numbers, or strings as in JSON. */
function readYaml(line: string | undefined, yaml: Record<string, unknown>, findings: Record<string, unknown>[]): void {
  if (line === '  findings:') return;
  const found = /^ {2}( {4}| {2}- )?(\w+): (".*"|[\d.]+)$/.exec(line ?? '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  if (found === null || /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(line!))
    throw new Error(`no YAML of ours: ${line}`);
  const [, indent, key, value] = found;
  if (indent?.includes('-')) findings.push({});
  const target = indent === undefined ? yaml : findings.at(-1)!;
  target[key!] = JSON.parse(value!);
}
