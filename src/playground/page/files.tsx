/** The names of the program's files: the editor shows one of them; others can be added, renamed and removed. */
import type { JSX } from 'preact';
import { filesOf, hasFiles, isNameOfOther, languageOf, type Question } from './question.ts';

interface FilesProps {
  readonly question: Question;
  /** The name of the file in the editor. */
  readonly shown: string;
  readonly show: (name: string) => void;
  readonly change: (question: Question) => void;
}

/** The question with a new text for the file in the editor. */
export function withText(question: Question, shown: string, text: string): Question {
  if (shown === question.name) return { ...question, text };
  return { ...question, others: question.others.map((file) => (file.name === shown ? { ...file, text } : file)) };
}

export function Files({ question, shown, show, change }: FilesProps): JSX.Element | null {
  const { others } = question;
  const isTaken = (name: string): boolean => filesOf(question).some((file) => file.name === name);
  const add = (): void => {
    const ending = languageOf(question.name) === 'C++' ? 'hpp' : 'h';
    let name = `part.${ending}`;
    for (let i = 2; isTaken(name); i++) name = `part${i}.${ending}`;
    change({ ...question, others: [...others, { name, text: '' }] });
    show(name);
  };
  const rename = (from: string, field: HTMLInputElement): void => {
    const to = field.value.trim();
    if (to === from) return;
    const isBad = !isNameOfOther(to) || isTaken(to);
    field.setCustomValidity(isBad ? 'Expected a new name that ends in .h, .hpp, .c or .cpp' : '');
    if (!field.reportValidity()) return;
    change({ ...question, others: others.map((file) => (file.name === from ? { ...file, name: to } : file)) });
    show(to);
  };
  const remove = (name: string): void => {
    change({ ...question, others: others.filter((file) => file.name !== name) });
    show(question.name);
  };
  if (!hasFiles(question)) return null;
  return (
    <fieldset class="files code">
      <legend class="unseen">Files</legend>
      <button type="button" class="quiet" aria-pressed={shown === question.name} onClick={() => show(question.name)}>
        {question.name}
      </button>
      {others.map(({ name }) =>
        name === shown ? (
          <span class="shown">
            <input
              type="text"
              class="code"
              aria-label="Name of this file"
              size={Math.max(6, name.length)}
              value={name}
              spellcheck={false}
              autocapitalize="off"
              onInput={(event) => event.currentTarget.setCustomValidity('')}
              onChange={(event) => rename(name, event.currentTarget)}
            />
            <button type="button" class="quiet" title={`Remove ${name}`} onClick={() => remove(name)}>
              ×<span class="unseen">Remove {name}</span>
            </button>
          </span>
        ) : (
          <button type="button" class="quiet" aria-pressed={false} onClick={() => show(name)}>
            {name}
          </button>
        ),
      )}
      <button type="button" class="quiet add" onClick={add} title="A header, or another source of the same program">
        + file
      </button>
    </fieldset>
  );
}
