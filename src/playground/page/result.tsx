/** The result of a command: its page and its text. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Chunk, Outcome } from '../engine/messages.ts';
import type { Doing } from './engine.ts';

export type Tab = 'page' | 'text';

interface ResultProps {
  /** What was run, as on a command line. */
  readonly line: string;
  /** The names of the program's files. */
  readonly files: readonly string[];
  readonly outcome: Outcome;
  readonly seconds: number;
  /** Whether the program or the options have changed since. */
  readonly isOld: boolean;
  readonly tab: Tab;
  readonly setTab: (tab: Tab) => void;
  readonly goTo: GoTo;
  readonly replay: (run: string) => void;
  /** Applies the patch of `fix` to the program. */
  readonly apply: () => void;
}

type GoTo = (file: string, line: number) => void;

/** The meaning of exit codes; README.md has the same table. */
const MEANINGS: Readonly<Record<number, string>> = {
  0: 'answered, nothing wrong',
  1: 'violation',
  2: 'wrong usage',
  3: 'invalid or unsupported input',
  4: 'inconclusive',
  70: 'a bug in Fencepost; please report it',
};

function meaningOf(line: string, { exit, output }: Outcome): string {
  if (line.endsWith(' --help')) return 'help';
  // With a patch, something was wrong before.
  if (exit === 0 && hasPatch(line, output)) return 'fixed and proved';
  return MEANINGS[exit] ?? `exit code ${exit}`;
}

export function ResultView(props: ResultProps): JSX.Element {
  const { line, files, outcome, seconds, isOld, tab, setTab, goTo, replay, apply } = props;
  const { exit, output, page, kept } = outcome;
  const url = usePage(page);
  const shown = page === undefined ? 'text' : tab;
  return (
    <section class="result" aria-label="Result">
      <div class="bar">
        <span class={`verdict ${exit === 1 ? 'violation' : exit === 4 ? 'inconclusive' : ''}`}>
          {meaningOf(line, outcome)}
        </span>
        <span class="detail">
          exit code {exit}, {seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s
          {isOld && ' · of an earlier version'}
        </span>
        {kept !== undefined && (
          <button type="button" onClick={() => replay(kept)}>
            Replay
          </button>
        )}
        {!isOld && hasPatch(line, output) && !/ --write\b/.test(line) && (
          <button type="button" onClick={apply} title="Changes the program in the editor">
            Apply
          </button>
        )}
        {url !== undefined && (
          <a class="detail" href={url} target="_blank" rel="noreferrer">
            Open in a tab
          </a>
        )}
        {page !== undefined && (
          <fieldset class="views">
            <legend class="unseen">Show the result as</legend>
            {(['page', 'text'] as const).map((name) => (
              <label>
                <input type="radio" name="tab" checked={shown === name} onChange={() => setTab(name)} />
                <span>{name}</span>
              </label>
            ))}
          </fieldset>
        )}
      </div>
      {shown === 'page' ? <Frame url={url!} /> : <Text line={line} files={files} output={output} goTo={goTo} />}
    </section>
  );
}

function hasPatch(line: string, output: readonly Chunk[]): boolean {
  return line.startsWith('fencepost fix ') && output.some(({ text }) => /^\+\+\+ b\//m.test(text));
}

/** The URL of the page that `--html` wrote, valid as long as it is shown. */
function usePage(page: string | undefined): string | undefined {
  const url = useMemo(
    () => (page === undefined ? undefined : URL.createObjectURL(new Blob([page], { type: 'text/html' }))),
    [page],
  );
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  return url;
}

/** A frame with that page, which brings its own script; nothing else can run in it. */
function Frame({ url }: { url: string }): JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    // The frame takes over the page's colours.
    const root = document.documentElement;
    const follow = (): void => {
      const inner = frame.current?.contentDocument?.documentElement;
      if (inner === undefined || inner === null) return;
      inner.dataset['embedded'] = '';
      if (root.dataset['theme'] !== undefined) inner.dataset['theme'] = root.dataset['theme'];
    };
    const observer = new MutationObserver(follow);
    observer.observe(root, { attributes: true, attributeFilter: ['data-theme'] });
    const { current } = frame;
    current?.addEventListener('load', follow);
    return () => {
      observer.disconnect();
      current?.removeEventListener('load', follow);
    };
  }, [url]);
  return <iframe key={url} ref={frame} src={url} title="The result, step by step" />;
}

interface TextProps {
  readonly line: string;
  readonly files: readonly string[];
  readonly output: readonly Chunk[];
  readonly goTo: GoTo;
}

function Text({ line, files, output, goTo }: TextProps): JSX.Element {
  return (
    <pre class="text" tabIndex={0}>
      <span class="detail">$ {line}</span>
      {'\n'}
      {output.map(({ isDiagnostic, text }) => (
        <span class={isDiagnostic ? 'diagnostic' : undefined}>{withPlaces(text, files, goTo)}</span>
      ))}
    </pre>
  );
}

/** Links places in the program to the editor; clang names headers with their folder, as `./ring.h`. */
function withPlaces(text: string, files: readonly string[], goTo: GoTo): readonly (JSX.Element | string)[] {
  return placesIn(text, files).map((part) =>
    typeof part === 'string' ? (
      part
    ) : (
      <button type="button" class="place" onClick={() => goTo(part.file, part.line)}>
        {part.text}
      </button>
    ),
  );
}

interface Place {
  readonly text: string;
  readonly file: string;
  readonly line: number;
}

function placesIn(text: string, files: readonly string[]): readonly (string | Place)[] {
  const parts = text.split(new RegExp(`((?<![\\w./-])(?:\\./)?(?:${files.map(escaped).join('|')}):\\d+(?::\\d+)?)`));
  return parts.map((part, i) => {
    if (i % 2 === 0) return part;
    const [file = '', line] = part.replace(/^\.\//, '').split(':');
    return { text: part, file, line: Number(line) };
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Messages by line of the program, from a command that could not read it. */
export function marksOf(file: string, { exit, output }: Outcome): ReadonlyMap<number, string> {
  const marks = new Map<number, string>();
  if (exit !== 2 && exit !== 3) return marks;
  const message = new RegExp(`(?<![\\w./-])(?:\\./)?${escaped(file)}:(\\d+)(?::\\d+)?: (.*)`, 'g');
  for (const { text } of output) {
    for (const [, line, what] of text.matchAll(message)) {
      if (!marks.has(Number(line)) && !what!.startsWith('note:')) marks.set(Number(line), what!);
    }
  }
  return marks;
}

/** Shown if the command was ended before it could answer. */
export function Stopped(): JSX.Element {
  return (
    <section class="result" aria-label="Result">
      <div class="bar">
        <span class="verdict">stopped before there was a verdict</span>
      </div>
    </section>
  );
}

/** Shown instead of a result while there is none. */
export function Waiting({ doing, seconds }: { doing: Doing; seconds: number }): JSX.Element {
  return (
    <section class="result" aria-label="Progress">
      <div class="waiting" role="status">
        {doing.kind === 'loading' && (
          <>
            <p>
              {doing.loaded < doing.total
                ? `Loading ${doing.what}, once: ${megabytes(doing.loaded)} of ${megabytes(doing.total)} MB`
                : `Preparing ${doing.what}`}
            </p>
            <progress value={doing.loaded} max={doing.total} aria-label={`Loading ${doing.what}`} />
          </>
        )}
        {doing.kind === 'compiling' && <p>Compiling</p>}
        {doing.kind === 'working' && <p>{doing.text === '' ? 'Working' : doing.text}</p>}
        <p class="detail">{Math.floor(seconds)} s</p>
      </div>
    </section>
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
