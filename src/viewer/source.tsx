/** The source, with the line of this step marked; a line with events links to them. */
import { Component, type JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TraceReport } from '../report/trace-schema.ts';

export interface SourceProps {
  readonly trace: TraceReport;
  readonly sources: Readonly<Record<string, string>>;
  /** Lines of this step; at the end, of every thread that is stuck. The first is scrolled into view. */
  readonly places: readonly { readonly file?: string; readonly line?: number }[];
  /** The file to show if no step names one. */
  readonly fallback: string;
  readonly cycle: ReadonlySet<number>;
  readonly atLine: (file: string, line: number) => void;
}

/** Lines that have events, and those with events on the cycle. */
interface LineEvents {
  readonly all: ReadonlySet<number>;
  readonly onCycle: ReadonlySet<number>;
}

const BLOCK = 64;

function blocksOf(text: string): readonly (readonly string[])[] {
  const lines = text.replace(/\n$/, '').split(/\r?\n/);
  return Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, b) => lines.slice(b * BLOCK, (b + 1) * BLOCK));
}

export function SourceView({ trace, sources, places, fallback, cycle, atLine }: SourceProps): JSX.Element {
  const last = useRef(fallback);
  const [place] = places;
  if (place?.file !== undefined && sources[place.file] !== undefined) last.current = place.file;
  const file = sources[last.current] === undefined ? (Object.keys(sources)[0] ?? last.current) : last.current;
  const text = sources[file];
  const blocks = useMemo(() => blocksOf(text ?? ''), [text]);
  const latest = useRef((_line: number): void => {});
  latest.current = (line) => atLine(file, line);
  const go = useRef((line: number): void => latest.current(line));
  const nowIn = (block: number): string =>
    places
      .filter((p) => p.file === file && p.line !== undefined && Math.floor((p.line - 1) / BLOCK) === block)
      .map((p) => p.line)
      .join(' ');
  const box = useRef<HTMLElement>(null);
  const current = place?.file === file ? place.line : undefined;
  const events = useMemo((): LineEvents => {
    const all = new Set<number>();
    const onCycle = new Set<number>();
    trace.events.forEach((e, i) => {
      if (e.file !== file || e.line === undefined) return;
      all.add(e.line);
      if (cycle.has(i)) onCycle.add(e.line);
    });
    return { all, onCycle };
  }, [trace, file, cycle]);
  useEffect(() => {
    // By hand: `scrollIntoView` would move the page too.
    const [pane, line] = [box.current, box.current?.querySelector<HTMLElement>('.line.now')];
    if (pane === null || line === null || line === undefined) return;
    const { offsetTop: top, offsetHeight: height } = line;
    if (top < pane.scrollTop + height * 2 || top > pane.scrollTop + pane.clientHeight - height * 3) {
      pane.scrollTop = top - pane.clientHeight / 3;
    }
  }, [current, file]);
  return (
    <div class="source">
      <h3 class="code" title={file}>
        {file}
      </h3>
      {text === undefined ? (
        <p class="none">The text of this file is not part of the report.</p>
      ) : (
        <section class="lines" ref={box} tabIndex={0} aria-label={`Source of ${file}`}>
          {blocks.map((lines, b) => (
            <Block lines={lines} before={b * BLOCK} now={nowIn(b)} events={events} go={go.current} />
          ))}
        </section>
      )}
    </div>
  );
}

interface BlockProps {
  readonly lines: readonly string[];
  /** Number of lines before these. */
  readonly before: number;
  /** The lines of this step among these, from 1. */
  readonly now: string;
  readonly events: LineEvents;
  readonly go: (line: number) => void;
}

/** So that a step redraws only the lines it concerns, not all of a long file. */
class Block extends Component<BlockProps> {
  override shouldComponentUpdate({ lines, now, events }: BlockProps): boolean {
    return lines !== this.props.lines || now !== this.props.now || events !== this.props.events;
  }

  override render({ lines, before, now, events, go }: BlockProps): JSX.Element {
    const current = new Set(now.split(' ').map(Number));
    return <>{lines.map((text, i) => line(before + i + 1, text, current.has(before + i + 1), events, go))}</>;
  }
}

function line(number: number, text: string, isNow: boolean, events: LineEvents, go: BlockProps['go']): JSX.Element {
  const hasEvents = events.all.has(number);
  const names = `line${isNow ? ' now' : ''}${hasEvents ? ' has-events' : ''}${events.onCycle.has(number) ? ' on-cycle' : ''}`;
  return (
    <div class={names} aria-current={isNow ? 'location' : undefined}>
      {hasEvents ? (
        <button
          type="button"
          class="number"
          onClick={() => go(number)}
          aria-label={`Go to the next step at line ${number}`}
        >
          {number}
        </button>
      ) : (
        <span class="number">{number}</span>
      )}
      <code>{text}</code>
    </div>
  );
}
