/** A report: verdicts, errors, the tables of litmus tests, and one execution. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { PageData } from '../report/page-data.ts';
import { whereIs } from '../report/writers/meaning.ts';
import { ExecutionView } from './execution.tsx';
import { FixView } from './fix.tsx';
import { LogView } from './log.tsx';
import { MatrixTable } from './matrix.tsx';
import { fixesOf } from './model/fix.ts';
import { logTable } from './model/log.ts';
import { type Execution, type Page, pageOf, type VerdictRow, type Violation } from './model/page.ts';
import { printRoute, type Route } from './model/route.ts';
import type { Navigate } from './navigation.tsx';
import { ProofView, Warnings } from './proof.tsx';

export interface ReportProps {
  readonly data: PageData;
  readonly route: Route;
  readonly navigate: Navigate;
}

export function ReportScreen({ data, route, navigate }: ReportProps): JSX.Element {
  const { report, sources } = data;
  const page = useMemo(() => pageOf(report), [report]);
  const fixes = useMemo(() => fixesOf(report), [report]);
  const isUnchanged = fixes.some((fix) => fix.patch === '');
  const logs = useMemo(() => (report.logs ?? []).map(logTable), [report]);
  const execution = page.executions.find((e) => e.number === route.execution) ?? firstOf(page);
  useFollow(execution?.number);
  const link = (number: number): string => printRoute({ ...route, execution: number, step: undefined });
  return (
    <>
      <div class="summary">
        <div class="heading">
          <h1>{page.title}</h1>
          {page.matrices.length === 0 && fixes.length === 0 && (
            <Verdicts rows={page.verdicts} showWhere={page.meaning !== undefined} />
          )}
        </div>
        {page.meaning !== undefined && <p class="meaning">{page.meaning}</p>}
        {page.problems.map(({ file, line, message }) => (
          <p class="problem">
            {file}
            {line === undefined ? '' : `:${line}`}: {message}
          </p>
        ))}
        {fixes.length === 0 && <Violations list={page.violations} current={execution?.number} link={link} />}
      </div>
      {fixes.map((fix) => (
        <FixView fix={fix} sources={sources} />
      ))}
      {fixes.length > 0 && execution !== undefined && (
        <div class="before">
          <h2>As it is</h2>
          <Violations list={page.violations} current={execution.number} link={link} />
        </div>
      )}
      {logs.map((log) => (
        <LogView log={log} showFile={logs.length > 1} />
      ))}
      {page.matrices.length > 0 && (
        <div class="matrices">
          {page.matrices.map((matrix) => (
            <MatrixTable matrix={matrix} current={execution?.number} link={link} showFile={page.matrices.length > 1} />
          ))}
        </div>
      )}
      {execution !== undefined && (
        <ExecutionView
          key={`${route.path ?? ''} ${execution.number}`}
          execution={execution}
          sources={sources}
          route={route}
          navigate={navigate}
        />
      )}
      {execution === undefined && page.matrices.length === 0 && (page.verdicts.length > 0 || isUnchanged) && (
        <ProofView report={report} sources={sources} />
      )}
      <Warnings report={report} />
    </>
  );
}

/** When another execution is chosen, scrolls to it if it is out of sight below a long list. */
function useFollow(number: number | undefined): void {
  const last = useRef(number);
  useEffect(() => {
    if (last.current === number) return;
    last.current = number;
    const execution = document.querySelector('.execution');
    if (execution !== null && execution.getBoundingClientRect().top > innerHeight * 0.6) execution.scrollIntoView();
  }, [number]);
}

/** Errors come first; then the most interesting outcome, one that SC does not allow. */
function firstOf({ executions, violations }: Page): Execution | undefined {
  const wrong = violations.find((v) => v.execution !== undefined)?.execution;
  return (
    executions.find((e) => e.number === wrong) ?? executions.find((e) => e.trace.sequential === false) ?? executions[0]
  );
}

function Verdicts({ rows, showWhere }: { rows: readonly VerdictRow[]; showWhere: boolean }): JSX.Element {
  const files = new Set(rows.map((r) => r.file));
  return (
    <table class="verdicts">
      <caption class="unseen">Verdict per memory model</caption>
      <tbody>
        {rows.map(({ file, model, verdict, note }) => (
          <tr>
            {files.size > 1 && <td class="code">{file}</td>}
            <th scope="row">{model.toUpperCase()}</th>
            {showWhere && <td class="where">{whereIs(model)}</td>}
            <td class={`verdict ${verdict}`}>{verdict}</td>
            <td class="note">{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ViolationsProps {
  readonly list: readonly Violation[];
  readonly current: number | undefined;
  readonly link: (number: number) => string;
}

function Violations({ list, current, link }: ViolationsProps): JSX.Element | null {
  // A single one is already the heading of its execution.
  if (list.length < 2 && list.every((v) => v.execution !== undefined)) return null;
  return (
    <nav class="violations" aria-label="Violations">
      <h2>{list.length === 1 ? '1 violation' : `${list.length} violations`}</h2>
      <ol>
        {list.map(({ title, detail, model, execution, schedule }) => (
          <li>
            {execution === undefined ? (
              <span>{title}</span>
            ) : (
              <a href={link(execution)} aria-current={execution === current ? 'true' : undefined}>
                {title}
              </a>
            )}
            <span class="detail">
              {model.toUpperCase()}
              {detail === '' ? '' : ` · ${detail}`}
            </span>
            {schedule !== undefined && <span class="detail code">schedule {schedule}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
