/** The command line, in parts to choose from. */
import type { JSX } from 'preact';
import {
  type Command,
  commandsFor,
  inLanguage,
  LANGUAGES,
  type Language,
  languageOf,
  modelsOf,
  type Question,
} from './question.ts';

interface ControlsProps {
  readonly question: Question;
  readonly isRunning: boolean;
  readonly isStopping: boolean;
  readonly change: (question: Question) => void;
  readonly run: () => void;
  readonly stop: () => void;
  readonly help: () => void;
}

const HINTS: Readonly<Record<Command, string>> = {
  check: '-D FENCED --unroll 3 --races',
  robust: '-D FENCED',
  fix: '--goal robust --write',
  hunt: '--runs 1000 --seed 7',
  litmus: '--traces',
  monitor: '--monitor sober-fixed',
};

export function Controls({ question, isRunning, isStopping, change, run, stop, help }: ControlsProps): JSX.Element {
  const { name, command, options } = question;
  return (
    <form
      class="controls"
      aria-label="Command"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning) run();
      }}
    >
      <label>
        <span class="unseen">Language</span>
        <select
          value={languageOf(name)}
          onChange={(event) => change(inLanguage(question, event.currentTarget.value as Language))}
        >
          {LANGUAGES.map((language) => (
            <option value={language}>{language}</option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">Command</span>
        <select
          class="code"
          value={command}
          onChange={(event) =>
            change({ ...question, command: event.currentTarget.value as Command, models: undefined })
          }
        >
          {commandsFor(name).map((known) => (
            <option value={known}>{known}</option>
          ))}
        </select>
      </label>
      <Models question={question} change={change} />
      <label class="more">
        <span class="unseen">More options</span>
        <input
          type="text"
          class="code"
          placeholder={`options, such as ${HINTS[command]}`}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          value={options}
          onInput={(event) => change({ ...question, options: event.currentTarget.value })}
        />
      </label>
      <button type="button" class="quiet help" onClick={help} disabled={isRunning} title={`All options of ${command}`}>
        ?<span class="unseen">All options of {command}</span>
      </button>
      {isRunning ? (
        <button type="button" class="main" onClick={stop}>
          {isStopping ? 'Stop now' : 'Stop'}
        </button>
      ) : (
        <button type="submit" class="main" title="Ctrl+Enter">
          Run
        </button>
      )}
    </form>
  );
}

function Models({ question, change }: Pick<ControlsProps, 'question' | 'change'>): JSX.Element | null {
  const { known, usual } = modelsOf(question);
  const chosen: readonly string[] = question.models ?? usual;
  const toggle = (model: string): void => {
    const next = known.filter((name) => (name === model ? !chosen.includes(name) : chosen.includes(name)));
    const isUsual = next.length === usual.length && next.every((name) => usual.includes(name));
    // At least one model must stay selected.
    if (next.length > 0) change({ ...question, models: isUsual ? undefined : next });
  };
  if (known.length === 0) return null;
  return (
    <fieldset class="models">
      <legend class="unseen">Memory models</legend>
      {known.map((model) => (
        <label>
          <input type="checkbox" checked={chosen.includes(model)} onChange={() => toggle(model)} />
          <span>{model.toUpperCase()}</span>
        </label>
      ))}
    </fieldset>
  );
}
