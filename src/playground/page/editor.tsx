/** The program: editable text, on top of the same text in colours. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { highlight } from '../../viewer/model/highlight.ts';

interface EditorProps {
  readonly name: string;
  readonly text: string;
  /** Messages by line. */
  readonly marks: ReadonlyMap<number, string>;
  /** A line to go to; `number` changes with each request. */
  readonly goal: { readonly line: number; readonly number: number } | undefined;
  readonly change: (text: string) => void;
  readonly run: () => void;
}

/** Colouring longer texts would make typing slow. */
const MAX_COLOURED = 100_000;

export function Editor({ name, text, marks, goal, change, run }: EditorProps): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  /** Escape followed by Tab moves the focus out of the text. */
  const isLeaving = useRef(false);
  const lines = useMemo(() => text.split('\n'), [text]);
  const coloured = useMemo(
    () => (text.length > MAX_COLOURED ? lines.map((line) => [{ tint: '' as const, text: line }]) : highlight(lines)),
    [lines],
  );
  useEffect(() => {
    if (goal === undefined || area.current === null || box.current === null) return;
    const start = lines.slice(0, goal.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    area.current.focus({ preventScroll: true });
    area.current.setSelectionRange(start, start + (lines[goal.line - 1]?.length ?? 0));
    box.current.querySelector(`[data-line="${goal.line}"]`)?.scrollIntoView({ block: 'center' });
  }, [goal]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    } else if (event.key === 'Tab' && !event.shiftKey && !isLeaving.current) {
      event.preventDefault();
      // Unlike setting the value, this can be undone.
      document.execCommand('insertText', false, '  ');
    }
    isLeaving.current = event.key === 'Escape';
  };
  return (
    <div class="editor" ref={box}>
      <div class="numbers" aria-hidden="true">
        {lines.map((_, i) => (
          <div key={i} data-line={i + 1} class={marks.has(i + 1) ? 'wrong' : undefined} title={marks.get(i + 1)}>
            {i + 1}
          </div>
        ))}
      </div>
      <div class="text">
        <pre aria-hidden="true">
          {coloured.map((parts, i) => (
            <div key={i} class={marks.has(i + 1) ? 'line wrong' : 'line'}>
              {parts.map((part) => (part.tint === '' ? part.text : <i class={part.tint}>{part.text}</i>))}
              {'\n'}
            </div>
          ))}
        </pre>
        <textarea
          ref={area}
          aria-label={`The program ${name}`}
          title=""
          value={text}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          wrap="off"
          onInput={(event) => change(event.currentTarget.value)}
          onKeyDown={press}
        />
      </div>
    </div>
  );
}
