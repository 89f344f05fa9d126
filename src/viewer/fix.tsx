/**
 * What `fix` found: verdicts before and after, each change with the cycle it breaks, and the patch beside the source.
 */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { diffsOf, type FileDiff } from './model/diff.ts';
import type { CycleRow, ModelRow, ShownChange, ShownFix } from './model/fix.ts';
import { Sentence } from './sentence.tsx';

export function FixView({ fix, sources }: { fix: ShownFix; sources: Readonly<Record<string, string>> }): JSX.Element {
  const { headline, isGood, notes, models, removed, changes, changesTitle, others, patch } = fix;
  const diffs = useMemo(() => diffsOf(patch, sources), [patch, sources]);
  return (
    <section class="fix" aria-label="The fix">
      <div class="what">
        <h2 class={isGood ? undefined : 'wrong'}>{headline}</h2>
        {notes.map((note) => (
          <p class="detail">{note}</p>
        ))}
      </div>
      {models.length > 0 && <BeforeAndAfter rows={models} />}
      {removed.length > 0 && (
        <ul class="removed">
          {removed.map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      )}
      {changes.length > 0 && (
        <section>
          <h3>{changesTitle}</h3>
          <ol class="changes">
            {changes.map((change) => (
              <ChangeItem change={change} />
            ))}
          </ol>
        </section>
      )}
      {diffs.map((diff) => (
        <DiffView diff={diff} />
      ))}
      {others.length > 0 && (
        <section>
          <h3>Others that cost the same</h3>
          <ul class="others">
            {others.map((text) => (
              <li>{text}</li>
            ))}
          </ul>
        </section>
      )}
    </section>
  );
}

function BeforeAndAfter({ rows }: { rows: readonly ModelRow[] }): JSX.Element {
  const [hasBefore, hasAfter] = [rows.some((r) => r.before !== undefined), rows.some((r) => r.after !== undefined)];
  return (
    <table class="comparison">
      <caption class="unseen">Verdicts per memory model</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">Model</span>
          </th>
          {hasBefore && <th scope="col">As it is</th>}
          {hasAfter && <th scope="col">With the patch, checked from scratch</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ model, before = '–', after }) => (
          <tr>
            <th scope="row">{model.toUpperCase()}</th>
            {hasBefore && <td class={`verdict ${before.replace(' ', '-')}`}>{before}</td>}
            {hasAfter && (
              <td>
                {after === undefined ? (
                  '–'
                ) : (
                  <>
                    <span class={`verdict ${after.verdict}`}>{after.verdict}</span>{' '}
                    <span class="note">{after.note}</span>
                  </>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ChangeItem({ change }: { change: ShownChange }): JSX.Element {
  const { title, place, cost, why, askedBy, model, cycle } = change;
  return (
    <li>
      <p>
        {title} <span class="code">{place}</span>{' '}
        <span class="detail">{askedBy === undefined ? cost : `${cost}, ${askedBy}`}</span>
      </p>
      {why !== undefined && (
        <p class="detail">
          <Sentence text={why} />
        </p>
      )}
      {cycle.length > 0 && <CycleTable rows={cycle} model={model ?? ''} />}
    </li>
  );
}

function CycleTable({ rows, model }: { rows: readonly CycleRow[]; model: string }): JSX.Element {
  return (
    <>
      <p class="detail">
        It breaks this cycle under {model.toUpperCase()}: each event happens before the next, and the last before the
        first.
      </p>
      <table class="cut-cycle" aria-label={`The cycle under ${model.toUpperCase()} that it breaks`}>
        <tbody>
          {rows.map(({ thread, line, effect, relation }) => (
            <tr>
              <td>{/^\d/.test(thread) ? `thread ${thread}` : thread}</td>
              <td>{line}</td>
              <td class="code">{effect}</td>
              <td class="relation">{relation} ↓</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The source on the left and the patched one on the right; on narrow screens, one below the other. */
function DiffView({ diff }: { diff: FileDiff }): JSX.Element {
  const { file, rows } = diff;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const [pane, first] = [box.current, box.current?.querySelector<HTMLElement>('.added, .removed, .changed')];
    if (pane !== null && first != null) pane.scrollTop = Math.max(0, first.offsetTop - pane.clientHeight / 3);
  }, [diff]);
  return (
    <div class="source patch">
      <h3>
        <span class="code" title={file}>
          {file}
        </span>
        <span class="sides" aria-hidden="true">
          with the patch
        </span>
      </h3>
      <section class="lines diff" ref={box} tabIndex={0} aria-label={`${file}, with the patch beside it`}>
        {rows.map((row) =>
          row.kind === 'gap' ? (
            <div class="gap">⋯</div>
          ) : (
            <div class={`pair ${row.kind}${row.isNear ? '' : ' far'}`}>
              <Side number={row.oldNumber} text={row.before} sign={row.kind === 'same' ? '' : '−'} side="old" />
              <Side number={row.newNumber} text={row.after} sign={row.kind === 'same' ? '' : '+'} side="new" />
            </div>
          ),
        )}
      </section>
    </div>
  );
}

interface SideProps {
  readonly number: number | undefined;
  readonly text: string | undefined;
  readonly sign: string;
  readonly side: 'old' | 'new';
}

function Side({ number, text, sign, side }: SideProps): JSX.Element {
  if (text === undefined) return <div class={`line ${side} empty`} />;
  return (
    <div class={`line ${side}`}>
      <span class="number">{number}</span>
      <span class="sign">{sign}</span>
      <code>{text}</code>
    </div>
  );
}
