/** The source, with the line of this step marked; a line with events leads to them. */
import { Component, createRef, type JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TraceReport } from '../report/schema.ts';

export interface SourceProps {
  readonly trace: TraceReport;
  readonly sources: Readonly<Record<string, string>>;
  /** Of this step; at the end, of every thread that is stuck. The first is brought into view. */
  readonly places: readonly { readonly file?: string; readonly line?: number }[];
  /** The file to show where no step says. */
  readonly fallback: string;
  readonly cycle: ReadonlySet<number>;
  readonly atLine: (file: string, line: number) => void;
}

export function SourceView({ trace, sources, places, fallback, cycle, atLine }: SourceProps): JSX.Element {
  const last = useRef(fallback);
  const [place] = places;
  if (place?.file !== undefined && sources[place.file] !== undefined) last.current = place.file;
  const file = sources[last.current] === undefined ? (Object.keys(sources)[0] ?? last.current) : last.current;
  const text = sources[file];
  const lines = useMemo(() => text?.replace(/\n$/, '').split(/\r?\n/) ?? [], [text]);
  const box = useRef<HTMLElement>(null);
  const current = place?.file === file ? place.line : undefined;
  const events = useMemo(() => {
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
          {lines.map((content, i) => (
            <Line
              number={i + 1}
              text={content}
              isNow={places.some((p) => p.file === file && p.line === i + 1)}
              hasEvents={events.all.has(i + 1)}
              isOnCycle={events.onCycle.has(i + 1)}
              file={file}
              atLine={atLine}
            />
          ))}
        </section>
      )}
    </div>
  );
}

interface LineProps {
  readonly number: number;
  readonly text: string;
  readonly isNow: boolean;
  readonly hasEvents: boolean;
  readonly isOnCycle: boolean;
  readonly file: string;
  readonly atLine: (file: string, line: number) => void;
}

class Line extends Component<LineProps> {
  private readonly latest = createRef<LineProps['atLine']>();

  override shouldComponentUpdate(next: LineProps): boolean {
    this.latest.current = next.atLine;
    const { text, isNow, hasEvents, isOnCycle, file } = this.props;
    return (
      text !== next.text ||
      isNow !== next.isNow ||
      hasEvents !== next.hasEvents ||
      isOnCycle !== next.isOnCycle ||
      file !== next.file
    );
  }

  private readonly go = (): void => {
    (this.latest.current ?? this.props.atLine)(this.props.file, this.props.number);
  };

  override render({ number, text, isNow, hasEvents, isOnCycle }: LineProps): JSX.Element {
    const names = `line${isNow ? ' now' : ''}${hasEvents ? ' has-events' : ''}${isOnCycle ? ' on-cycle' : ''}`;
    return (
      <div class={names} aria-current={isNow ? 'location' : undefined}>
        {hasEvents ? (
          <button type="button" class="number" onClick={this.go} aria-label={`Go to the next step at line ${number}`}>
            {number}
          </button>
        ) : (
          <span class="number">{number}</span>
        )}
        <code>{text}</code>
      </div>
    );
  }
}
