/**
 * The source, coloured, with the line of the current step marked and values beside lines. Lines with events link to
 * them.
 */
import { Component, type JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { TraceReport } from '../report/trace-schema.ts';
import { highlight, type Part } from './model/highlight.ts';
import { LineValues } from './model/line-values.ts';

interface SourceProps {
  readonly trace: TraceReport;
  readonly sources: Readonly<Record<string, string>>;
  readonly step: number;
  /** The lines of the current step; at the end, those of every stuck thread. The first one is scrolled into view. */
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

type Line = readonly Part[];
const BLOCK = 64;

export function linesOf(text: string): readonly Line[] {
  return highlight(text.replace(/\n$/, '').split(/\r?\n/));
}

function blocksOf(text: string): readonly (readonly Line[])[] {
  const lines = linesOf(text);
  return Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, b) => lines.slice(b * BLOCK, (b + 1) * BLOCK));
}

export function SourceView(props: SourceProps): JSX.Element {
  const { trace, sources, step, places, fallback, cycle, atLine } = props;
  const last = useRef(fallback);
  const [place] = places;
  if (place?.file !== undefined && sources[place.file] !== undefined) last.current = place.file;
  const file = sources[last.current] === undefined ? (Object.keys(sources)[0] ?? last.current) : last.current;
  const text = sources[file];
  const blocks = useMemo(() => blocksOf(text ?? ''), [text]);
  const values = useMemo(() => new LineValues(trace, file), [trace, file]);
  const beside = values.at(step);
  const latest = useRef((_line: number): void => {});
  latest.current = (line) => atLine(file, line);
  const go = useRef((line: number): void => latest.current(line));
  const nowIn = (block: number): string =>
    places
      .filter((p) => p.file === file && p.line !== undefined && Math.floor((p.line - 1) / BLOCK) === block)
      .map((p) => p.line)
      .join(' ');
  const valuesIn = (block: number): string => {
    const found: (readonly [number, string])[] = [];
    for (let n = block * BLOCK + 1; n <= (block + 1) * BLOCK; n++) {
      const value = beside.get(n);
      if (value !== undefined) found.push([n, value]);
    }
    return JSON.stringify(found);
  };
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
  useFollow(box, [current, file, step], blocks);
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
            <Block
              lines={lines}
              before={b * BLOCK}
              now={nowIn(b)}
              values={valuesIn(b)}
              events={events}
              go={go.current}
            />
          ))}
        </section>
      )}
    </div>
  );
}

/**
 * Scrolls the current line into view: when it changes, when the pane is resized or becomes visible, and when lines are
 * laid out, since their heights are estimates until then. Layout does not override the user's own scrolling.
 */
function useFollow(box: { readonly current: HTMLElement | null }, when: readonly unknown[], blocks: unknown): void {
  const left = useRef(0);
  const follow = useRef((): void => {
    // Done by hand because `scrollIntoView` would scroll the page too.
    const [pane, line] = [box.current, box.current?.querySelector<HTMLElement>('.line.now')];
    if (pane === null || line === null || line === undefined) return;
    const [at, around] = [line.getBoundingClientRect(), pane.getBoundingClientRect()];
    if (at.top < around.top + 20 || at.bottom + 20 > around.bottom) {
      pane.scrollTop += at.top - around.top - pane.clientHeight / 3;
    }
    left.current = pane.scrollTop;
  });
  useLayoutEffect(() => follow.current(), when);
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver((entries) => {
      const isPane = entries.some(({ target }) => target === box.current);
      if (isPane || box.current?.scrollTop === left.current) follow.current();
    });
    observer.observe(box.current);
    for (const block of box.current.children) observer.observe(block);
    const seen = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) requestAnimationFrame(() => follow.current());
    });
    seen.observe(box.current);
    return () => {
      observer.disconnect();
      seen.disconnect();
    };
  }, [blocks]);
}

interface BlockProps {
  readonly lines: readonly Line[];
  /** The number of lines before this block. */
  readonly before: number;
  /** The current lines in this block, from 1. */
  readonly now: string;
  /** The texts beside these lines, as JSON pairs of line and text, so that they can be compared. */
  readonly values: string;
  readonly events: LineEvents;
  readonly go: (line: number) => void;
}

/** A block of lines, so that a step redraws only the blocks it changes, not all of a long file. */
class Block extends Component<BlockProps> {
  override shouldComponentUpdate({ lines, now, values, events }: BlockProps): boolean {
    const old = this.props;
    return lines !== old.lines || now !== old.now || values !== old.values || events !== old.events;
  }

  override render({ lines, before, now, values, events, go }: BlockProps): JSX.Element {
    const current = new Set(now.split(' ').map(Number));
    const beside = new Map<number, string>(JSON.parse(values));
    return (
      <div class="block">
        {lines.map((parts, i) => {
          const number = before + i + 1;
          return (
            <LineView
              key={number}
              number={number}
              parts={parts}
              isNow={current.has(number)}
              value={beside.get(number)}
              hasEvents={events.all.has(number)}
              isOnCycle={events.onCycle.has(number)}
              go={go}
            />
          );
        })}
      </div>
    );
  }
}

interface LineProps {
  readonly number: number;
  readonly parts: Line;
  readonly isNow: boolean;
  readonly value: string | undefined;
  readonly hasEvents: boolean;
  readonly isOnCycle: boolean;
  readonly go: (line: number) => void;
}

class LineView extends Component<LineProps> {
  override shouldComponentUpdate(next: LineProps): boolean {
    const { parts, isNow, value, hasEvents, isOnCycle } = this.props;
    return (
      next.parts !== parts ||
      next.isNow !== isNow ||
      next.value !== value ||
      next.hasEvents !== hasEvents ||
      next.isOnCycle !== isOnCycle
    );
  }

  override render({ number, parts, isNow, value, hasEvents, isOnCycle, go }: LineProps): JSX.Element {
    const names = `line${isNow ? ' now' : ''}${hasEvents ? ' has-events' : ''}${isOnCycle ? ' on-cycle' : ''}`;
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
        <span class="text">
          <CodeLine parts={parts} />
          {value !== undefined && <span class="value">{value}</span>}
        </span>
      </div>
    );
  }
}

export function CodeLine({ parts }: { parts: Line }): JSX.Element {
  return <code>{parts.map(({ tint, text }) => (tint === '' ? text : <i class={tint}>{text}</i>))}</code>;
}
