/** A report: verdicts, errors, the tables of litmus tests, and one execution. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PageData } from '../report/page-data.ts';
import { ExecutionView } from './execution.tsx';
import { FixView } from './fix.tsx';
import { Frame } from './frame.tsx';
import { LogView } from './log.tsx';
import { MatrixTable } from './matrix.tsx';
import { Menu } from './menu.tsx';
import { fixesOf } from './model/fix.ts';
import { logTable } from './model/log.ts';
import { type Execution, type Page, pageOf } from './model/page.ts';
import { printRoute, type Route } from './model/route.ts';
import type { Navigate } from './navigation.tsx';
import { ProofView, Warnings } from './proof.tsx';
import { Chips, hasChoice, Verdicts, Violations, ViolationsMenu } from './verdicts.tsx';

interface ReportProps {
  readonly data: PageData;
  readonly route: Route;
  readonly navigate: Navigate;
  /** In pages from a server: where the name in the bar links to. */
  readonly home?: string;
}

export function ReportScreen({ data, route, navigate, home }: ReportProps): JSX.Element {
  const { report, sources } = data;
  const page = useMemo(() => pageOf(report), [report]);
  const execution = page.executions.find((e) => e.number === route.execution) ?? firstOf(page);
  const link = (number: number): string => printRoute({ ...route, execution: number, step: undefined });
  const fixes = report.fixes ?? [];
  if (execution === undefined || fixes.length > 0) {
    return (
      <ReportPage
        data={data}
        page={page}
        execution={execution}
        route={route}
        navigate={navigate}
        home={home}
        link={link}
      />
    );
  }
  const matrices = page.matrices.map((matrix) => (
    <MatrixTable matrix={matrix} current={execution.number} link={link} showFile={page.matrices.length > 1} />
  ));
  return (
    <ExecutionView
      key={`${route.path ?? ''} ${execution.number}`}
      execution={execution}
      sources={sources}
      route={route}
      navigate={navigate}
      page={{
        ...(home === undefined ? {} : { home }),
        bar: (
          <>
            <h1 title={page.title}>{baseName(page.title)}</h1>
            {page.matrices.length === 0 && <Chips rows={page.verdicts} />}
            {hasChoice(page.groups) && <ViolationsMenu groups={page.groups} current={execution.number} link={link} />}
            <Menu name="Report">
              <p class="detail">fencepost {page.command}</p>
              {page.matrices.length === 0 && <Verdicts rows={page.verdicts} meaning={page.meaning} />}
              <Problems page={page} />
              <Warnings report={report} />
            </Menu>
          </>
        ),
      }}
      {...(matrices.length === 0 ? {} : { aside: matrices })}
    />
  );
}

interface PageProps extends Omit<ReportProps, 'home'> {
  readonly page: Page;
  readonly execution: Execution | undefined;
  readonly home: string | undefined;
  readonly link: (number: number) => string;
}

/** A page that scrolls, for reports with more than one execution, or with none. */
function ReportPage({ data, page, execution, route, navigate, home, link }: PageProps): JSX.Element {
  const { report, sources } = data;
  const fixes = useMemo(() => fixesOf(report), [report]);
  const logs = useMemo(() => (report.logs ?? []).map(logTable), [report]);
  const isUnchanged = fixes.some((fix) => fix.patch === '');
  return (
    <Frame {...(home === undefined ? {} : { home })} bar={<span class="command">{report.command}</span>}>
      <div class="summary">
        <div class="heading">
          <h1>{page.title}</h1>
          {page.matrices.length === 0 && fixes.length === 0 && <Verdicts rows={page.verdicts} meaning={page.meaning} />}
        </div>
        <Problems page={page} />
        {fixes.length === 0 && hasChoice(page.groups) && (
          <Violations groups={page.groups} current={undefined} link={link} />
        )}
      </div>
      {fixes.map((fix) => (
        <FixView fix={fix} sources={sources} />
      ))}
      {execution !== undefined && (
        <div class="before">
          <h2>As it is</h2>
          {hasChoice(page.groups) && <Violations groups={page.groups} current={execution.number} link={link} />}
        </div>
      )}
      {logs.map((log) => (
        <LogView log={log} showFile={logs.length > 1} />
      ))}
      {page.matrices.length > 0 && (
        <div class="matrices">
          {page.matrices.map((matrix) => (
            <MatrixTable matrix={matrix} current={undefined} link={link} showFile={page.matrices.length > 1} />
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
    </Frame>
  );
}

function Problems({ page }: { page: Page }): JSX.Element {
  return (
    <>
      {page.problems.map(({ file, line, message }) => (
        <p class="problem">
          {file}
          {line === undefined ? '' : `:${line}`}: {message}
        </p>
      ))}
    </>
  );
}

function baseName(path: string): string {
  return path.split('/').at(-1)!;
}

/** The execution to show first: an error; otherwise the most interesting outcome, one that SC does not allow. */
function firstOf({ executions, groups }: Page): Execution | undefined {
  const wrong = groups.flatMap((g) => g.list).find((v) => v.execution !== undefined)?.execution;
  return (
    executions.find((e) => e.number === wrong) ?? executions.find((e) => e.trace.sequential === false) ?? executions[0]
  );
}
