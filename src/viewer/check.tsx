/** Running a check from the explorer: its progress, a button to stop it, and links to everything it found. */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SC } from '../models/sc.ts';
import type { CheckStatus } from '../report/serve-api.ts';
import { withoutCode } from '../util/code-text.ts';
import { get, post, useCheck } from './api.tsx';
import { MatrixTable } from './matrix.tsx';
import { pageOf } from './model/page.ts';
import { printRoute, type Route } from './model/route.ts';
import { Problem } from './screen.tsx';

/** The check of a program: the latest one, whichever tab started it, until `start` begins another. */
interface ProgramCheck {
  readonly status: CheckStatus | undefined;
  readonly problem: string | undefined;
  readonly start: () => void;
  readonly stop: () => void;
}

export function useProgramCheck(file: string, defines: readonly string[]): ProgramCheck {
  const [id, setId] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const status = useCheck(id);
  const report = (error: Error): void => setProblem(error.message);
  const program = JSON.stringify([file, defines]);
  useEffect(() => {
    setId(undefined);
    get<readonly CheckStatus[]>('/api/checks').then((all) => {
      setId(all.findLast((c) => JSON.stringify([c.file, c.defines]) === program)?.id);
    }, report);
  }, [program]);
  const start = (): void => {
    setProblem(undefined);
    const request = { file, models: [], defines };
    post<CheckStatus>('/api/checks', request).then((started) => setId(started.id), report);
  };
  const stop = (): void => void post(`/api/checks/${id}/stop`, {}).catch(report);
  return { status, problem, start, stop };
}

interface CheckProps {
  readonly file: string;
  readonly check: ProgramCheck;
  /** Whether the program can be checked, that is, compiles. */
  readonly isReady: boolean;
  readonly route: Route;
  readonly onEdit: () => void;
}

export function CheckPanel({ file, check, isReady, route, onEdit }: CheckProps): JSX.Element {
  const { status, problem, start, stop } = check;
  const isRunning = status?.state === 'running';
  return (
    <div class="check">
      {isRunning ? (
        <button type="button" onClick={stop}>
          Stop
        </button>
      ) : (
        <button type="button" class="main" disabled={!isReady} onClick={start}>
          {file.endsWith('.litmus') ? 'Find all outcomes' : 'Check'}
        </button>
      )}
      <button type="button" onClick={onEdit}>
        Edit
      </button>
      <p class="progress" aria-live="polite">
        {isRunning && status.progress}
      </p>
      {problem !== undefined && <Problem text={problem} />}
      {status?.state === 'failed' && <Problem text={status.progress} />}
      {status?.report !== undefined && <Found status={status} route={route} />}
    </div>
  );
}

/** Verdicts, and links to the findings; for a litmus test, the table of its final states. */
function Found({ status, route }: { status: CheckStatus; route: Route }): JSX.Element {
  const { verdicts, matrices, executions } = pageOf(status.report!);
  const { results, problems = [] } = status.report!;
  const there = (number: number): Partial<Route> => {
    const { model, trace } = executions[number - 1]!;
    return { model, schedule: trace.schedule, step: undefined };
  };
  const current = executions.find((e) => e.model === route.model && e.trace.schedule === route.schedule)?.number;
  return (
    <div class="found">
      {problems.map(({ message }) => (
        <p class="problem">{message}</p>
      ))}
      {matrices.map((matrix) => (
        <MatrixTable
          matrix={matrix}
          current={current}
          link={(number) => printRoute({ ...route, ...there(number) })}
          showFile={false}
        />
      ))}
      {matrices.length === 0 && (
        <ul>
          {results.map(({ model, error, how }, i) => (
            <li>
              <b>{model.toUpperCase()}</b> <span class={`verdict ${verdicts[i]!.verdict}`}>{verdicts[i]!.verdict}</span>{' '}
              <span class="note">{verdicts[i]!.note}</span>
              {error !== undefined && (
                <Jump
                  route={route}
                  model={how === 'sc' ? SC.name : model}
                  schedule={error.schedule}
                  text={withoutCode(`${error.kind}: ${error.message}`)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A link to the error's execution. */
function Jump({
  route,
  model,
  schedule,
  text,
}: {
  route: Route;
  model: string;
  schedule: string;
  text: string;
}): JSX.Element {
  const isHere = route.model === model && route.schedule === schedule;
  return (
    <a
      class="jump code"
      href={printRoute({ ...route, model, schedule, step: undefined })}
      aria-current={isHere ? 'true' : undefined}
    >
      {text}
    </a>
  );
}
