/** The explorer: a program under a model after some steps, with every possible next step. */

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { ExploreState, StepChoice } from '../report/serve-api.ts';
import { post, useAsked } from './api.tsx';
import { CheckPanel, useProgramCheck } from './check.tsx';
import { SourceEditor } from './edit.tsx';
import { ExecutionView } from './execution.tsx';
import { Frame } from './frame.tsx';
import { FIRST_EXPLORED } from './model/route.ts';
import type { Navigate } from './navigation.tsx';
import { HOME, Problem, type ScreenProps } from './screen.tsx';

export function ExploreScreen({ route, navigate }: ScreenProps): JSX.Element {
  const { file = '', model = FIRST_EXPLORED, schedule, defines } = route;
  const request = { file, model, schedule, defines };
  const [edits, setEdits] = useState(0);
  const { value, problem, isStale } = useAsked(JSON.stringify([request, edits]), () =>
    post<ExploreState>('/api/explore', request),
  );
  const last = useRef<ExploreState>();
  if (value !== undefined) last.current = value;
  const state = last.current;
  const bar = (
    <>
      <h1 title={file}>{file}</h1>
      <Options
        models={state?.models ?? [model]}
        model={model}
        defines={defines}
        hasMacros={!file.endsWith('.litmus')}
        navigate={navigate}
      />
    </>
  );
  const check = useProgramCheck(file, defines);
  const [isEditing, setIsEditing] = useState(false);
  const restart = (): void => {
    // The old schedule was for the program before it was edited.
    navigate({ schedule: '', step: undefined }, 'push');
    setEdits((count) => count + 1);
    check.start();
  };
  const panel = (
    <CheckPanel
      file={file}
      check={check}
      isReady={state !== undefined}
      route={route}
      onEdit={() => setIsEditing(true)}
    />
  );
  const hasProblem = problem !== undefined && !isStale;
  return (
    <>
      {state === undefined || hasProblem ? (
        <Frame home={HOME} bar={bar}>
          {panel}
          {problem === undefined && <p class="none">{file.endsWith('.litmus') ? 'Reading…' : 'Compiling…'}</p>}
          {problem !== undefined && <Problem text={problem} />}
          {problem !== undefined && schedule !== '' && (
            <button type="button" onClick={() => navigate({ schedule: '', step: undefined }, 'push')}>
              Back to the start
            </button>
          )}
        </Frame>
      ) : (
        <ExecutionView
          execution={{
            number: 1,
            file,
            model,
            title: titleOf(state),
            trace: state.trace,
            isFineSoFar: state.error === undefined,
          }}
          sources={state.sources}
          route={route}
          navigate={navigate}
          page={{ home: HOME, bar }}
        >
          {panel}
          <NextSteps state={state} route={route} navigate={navigate} isStale={isStale} />
        </ExecutionView>
      )}
      {isEditing && <SourceEditor file={file} onSaved={restart} onClosed={() => setIsEditing(false)} />}
    </>
  );
}

const OUTCOMES: Readonly<Record<ExploreState['outcome'], string>> = {
  running: 'Choose the next step',
  complete: 'The execution has ended: every thread has ended, every store is in memory',
  error: 'The execution ends here',
  deadlock: 'Deadlock: no thread is enabled',
  blocked: 'No thread is enabled: one is at a failed assumption',
  limit: 'A limit of the machine was reached',
};

function titleOf({ outcome, error }: ExploreState): string {
  return error ?? OUTCOMES[outcome];
}

interface OptionsProps {
  readonly models: readonly string[];
  readonly model: string;
  readonly defines: readonly string[];
  readonly hasMacros: boolean;
  readonly navigate: Navigate;
}

/** Another model or program means another execution, so the explorer restarts; the browser's back button returns. */
function Options({ models, model, defines, hasMacros, navigate }: OptionsProps): JSX.Element {
  const start = { schedule: '', step: undefined };
  return (
    <form class="options" aria-label="Options" onSubmit={(event) => event.preventDefault()}>
      <label>
        Model{' '}
        <select value={model} onChange={(e) => navigate({ model: e.currentTarget.value, ...start }, 'push')}>
          {models.map((name) => (
            <option value={name}>{name.toUpperCase()}</option>
          ))}
        </select>
      </label>
      {hasMacros && (
        <label>
          Macros{' '}
          <input
            type="text"
            placeholder="FENCED N=2"
            spellcheck={false}
            value={defines.join(' ')}
            onChange={(e) =>
              navigate({ defines: e.currentTarget.value.split(/\s+/).filter((d) => d !== ''), ...start }, 'push')
            }
          />
        </label>
      )}
    </form>
  );
}

interface NextProps extends ScreenProps {
  readonly state: ExploreState;
  readonly isStale: boolean;
}

function NextSteps({ state, route, navigate, isStale }: NextProps): JSX.Element {
  const { taken, choices } = state;
  const here = Math.min(route.step ?? taken.length, taken.length);
  const first = useRef<HTMLButtonElement>(null);
  const wasUsed = useRef(false);
  useEffect(() => {
    // Keeps the focus, so that a keyboard user can continue to pick steps.
    if (wasUsed.current && !isStale) first.current?.focus();
    if (!isStale) wasUsed.current = false;
  }, [state, isStale]);
  const take = (choice: StepChoice): void => {
    wasUsed.current = true;
    navigate({ schedule: [...taken, choice.step].join(' '), step: undefined }, 'push');
  };
  const cutTo = (length: number): void =>
    navigate({ schedule: taken.slice(0, length).join(' '), step: undefined }, 'push');
  return (
    <div class="next" aria-busy={isStale}>
      <ol aria-label="Enabled steps">
        {choices.map((choice, i) => (
          <li>
            <button
              type="button"
              class="choice"
              disabled={isStale}
              ref={i === 0 ? first : null}
              onClick={() => take(choice)}
            >
              <span class="who">{choice.isCommit ? `${choice.thread} buffer` : choice.thread}</span>
              <span class="code">{choice.effect}</span>
              {choice.line !== undefined && <span class="detail">line {choice.line}</span>}
            </button>
          </li>
        ))}
      </ol>
      <div class="undo">
        <button type="button" aria-disabled={taken.length === 0} onClick={() => cutTo(Math.max(0, taken.length - 1))}>
          Undo
        </button>
        <button type="button" aria-disabled={taken.length === 0} onClick={() => cutTo(0)}>
          Start again
        </button>
        {here < taken.length && (
          <button type="button" onClick={() => cutTo(here)}>
            Continue from step {here}
          </button>
        )}
      </div>
    </div>
  );
}
