/** The verdicts in the bar, with all that the report says about them, and the violations to choose from. */
import type { JSX } from 'preact';
import { whereIs } from '../report/writers/meaning.ts';
import { Menu } from './menu.tsx';
import type { Page, VerdictRow, Violation } from './model/page.ts';
import { Sentence } from './sentence.tsx';

/** One word per model; the table has the details. */
export function Chips({ rows }: { rows: readonly VerdictRow[] }): JSX.Element {
  return (
    <span class="chips">
      {rows.map(({ model, verdict, note }) => (
        <span class={`chip ${verdict}`} title={note}>
          <b>{model.toUpperCase()}</b> <span class={`verdict ${verdict}`}>{verdict}</span>
        </span>
      ))}
    </span>
  );
}

export function Verdicts({ rows, meaning }: { rows: readonly VerdictRow[]; meaning: string | undefined }): JSX.Element {
  const files = new Set(rows.map((r) => r.file));
  return (
    <>
      <table class="verdicts">
        <caption class="unseen">Verdict per memory model</caption>
        <tbody>
          {rows.map(({ file, model, verdict, note }) => (
            <tr>
              {files.size > 1 && <td class="code">{file}</td>}
              <th scope="row">{model.toUpperCase()}</th>
              {meaning !== undefined && <td class="where">{whereIs(model)}</td>}
              <td class={`verdict ${verdict}`}>{verdict}</td>
              <td class="note">{note}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {meaning !== undefined && <p class="meaning">{meaning}</p>}
    </>
  );
}

interface ViolationsProps {
  readonly groups: Page['groups'];
  readonly current: number | undefined;
  readonly link: (number: number) => string;
}

/** Whether there is more than one violation to list: a single one is already the heading of its execution. */
export function hasChoice(groups: Page['groups']): boolean {
  const all = groups.flatMap((g) => g.list);
  return all.length > 1 || all.some((v) => v.execution === undefined);
}

export function Violations({ groups, current, link }: ViolationsProps): JSX.Element {
  return (
    <nav class="violations" aria-label="Violations">
      {groups.map(({ title, list }) => (
        <section>
          <h2>{title}</h2>
          <ol>
            {list.map((violation) => (
              <Item violation={violation} current={current} link={link} />
            ))}
          </ol>
        </section>
      ))}
    </nav>
  );
}

/** For the bar: how many violations there are, which one is shown, and the list. */
export function ViolationsMenu(props: ViolationsProps): JSX.Element {
  const all = props.groups.filter((g) => g.isCycles !== true).flatMap((g) => g.list);
  const shown = all.findIndex((v) => v.execution !== undefined && v.execution === props.current);
  const count = all.length === 1 ? '1 violation' : `${all.length} violations`;
  return (
    <Menu name={shown < 0 || all.length === 1 ? count : `Violation ${shown + 1} of ${all.length}`}>
      <Violations {...props} />
    </Menu>
  );
}

interface ItemProps extends Pick<ViolationsProps, 'current' | 'link'> {
  readonly violation: Violation;
}

function Item({ violation, current, link }: ItemProps): JSX.Element {
  const { title, detail, model, execution, schedule } = violation;
  return (
    <li>
      {execution === undefined ? (
        <span>
          <Sentence text={title} />
        </span>
      ) : (
        <a href={link(execution)} aria-current={execution === current ? 'true' : undefined}>
          <Sentence text={title} />
        </a>
      )}
      <span class="detail">
        {model.toUpperCase()}
        {detail === '' ? '' : <Sentence text={` · ${detail}`} />}
      </span>
      {schedule !== undefined && <span class="detail code">schedule {schedule}</span>}
    </li>
  );
}
