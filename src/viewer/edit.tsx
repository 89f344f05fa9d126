/** The source in a text field, to be edited, saved to its file and checked again. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SourceText } from '../report/serve-api.ts';
import { get, post } from './api.tsx';
import { Problem } from './screen.tsx';

interface EditorProps {
  readonly file: string;
  readonly onSaved: () => void;
  readonly onClosed: () => void;
}

/**
 * Open as long as it is mounted. Unmounting loses what was typed, so do not mount it inside anything that may still
 * load.
 */
export function SourceEditor({ file, onSaved, onClosed }: EditorProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  /** The text on disk when the editor was opened; undefined until it is read. */
  const [before, setBefore] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const report = (error: Error): void => setProblem(error.message);
  useEffect(() => {
    dialog.current?.showModal();
    get<SourceText>(`/api/source?path=${encodeURIComponent(file)}`).then(({ text }) => {
      setBefore(text);
      if (field.current === null) return;
      field.current.value = text;
      field.current.focus();
      field.current.setSelectionRange(0, 0);
      field.current.scrollTo(0, 0);
    }, report);
  }, [file]);
  const save = (): void => {
    const text = field.current?.value;
    if (before === undefined || text === undefined) return;
    post<SourceText>('/api/source', { path: file, before, text }).then(() => {
      dialog.current?.close();
      onSaved();
    }, report);
  };
  return (
    <dialog ref={dialog} class="editor" aria-label={`Edit ${file}`} onClose={onClosed}>
      <h2 class="code">{file}</h2>
      <textarea
        ref={field}
        class="code"
        aria-label="Source"
        spellcheck={false}
        readOnly={before === undefined}
        autocomplete="off"
        onKeyDown={(event) => {
          // The diagram uses letters as keys.
          event.stopPropagation();
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          save();
        }}
      />
      {problem !== undefined && <Problem text={problem} />}
      <div class="undo">
        <button type="button" class="main" title="Ctrl-Enter" disabled={before === undefined} onClick={save}>
          Save and check
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
