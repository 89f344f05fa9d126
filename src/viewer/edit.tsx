/** The source in a text field: changed, saved in its file, and checked again. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SourceText } from '../report/serve-api.ts';
import { get, post } from './api.tsx';
import { Problem } from './screen.tsx';

export function SourceEditor({ file, onSaved }: { file: string; onSaved: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  /** The text on disk when the editor was opened. */
  const [before, setBefore] = useState('');
  const [problem, setProblem] = useState<string>();
  const report = (error: Error): void => setProblem(error.message);
  const open = (): void => {
    setProblem(undefined);
    get<SourceText>(`/api/source?path=${encodeURIComponent(file)}`).then(({ text }) => {
      setBefore(text);
      if (field.current !== null) field.current.value = text;
      dialog.current?.showModal();
      field.current?.setSelectionRange(0, 0);
      field.current?.scrollTo(0, 0);
    }, report);
  };
  const save = (): void => {
    const text = field.current?.value ?? '';
    post<SourceText>('/api/source', { path: file, before, text }).then(() => {
      dialog.current?.close();
      onSaved();
    }, report);
  };
  return (
    <>
      <button type="button" onClick={open}>
        Edit
      </button>
      <dialog ref={dialog} class="editor" aria-label={`Edit ${file}`}>
        <h2 class="code">{file}</h2>
        <textarea
          ref={field}
          class="code"
          aria-label="Source"
          spellcheck={false}
          autocomplete="off"
          onKeyDown={(event) => {
            // The keys of the diagram are letters.
            event.stopPropagation();
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            save();
          }}
        />
        {problem !== undefined && <Problem text={problem} />}
        <div class="undo">
          <button type="button" class="main" title="Ctrl-Enter" onClick={save}>
            Save and check
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  );
}
