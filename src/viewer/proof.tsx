/** Shown if there is no execution: the source, how the verdicts were reached, and what they rest on. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PageData } from '../report/page-data.ts';
import { proofsOf, restsOn, warningsOf } from './model/proof.ts';
import { Sentence } from './sentence.tsx';
import { CodeLine, linesOf } from './source.tsx';

export function ProofView({ report, sources }: PageData): JSX.Element {
  const proofs = useMemo(() => proofsOf(report), [report]);
  const ground = useMemo(() => restsOn(report), [report]);
  const files = Object.entries(sources);
  return (
    <div class={`proof${files.length === 0 ? ' alone' : ''}`}>
      <div class="argument">
        {proofs.length > 0 && (
          <section>
            <h2>{proofs.every((p) => p.verdict === 'verified') ? 'How it was proved' : 'What was explored'}</h2>
            <dl>
              {proofs.map(({ model, verdict, how }) => (
                <div>
                  <dt>
                    {model.toUpperCase()} <span class={`verdict ${verdict}`}>{verdict}</span>
                  </dt>
                  {how.map((sentence) => (
                    <dd>
                      <Sentence text={sentence} />
                    </dd>
                  ))}
                </div>
              ))}
            </dl>
          </section>
        )}
        {ground.length > 0 && (
          <section>
            <h2>What it rests on</h2>
            <ul>
              {ground.map((text) => (
                <li>{text}</li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {files.length > 0 && (
        <div class="sources">
          {files.map(([file, text]) => (
            <SourceText file={file} text={text} />
          ))}
        </div>
      )}
    </div>
  );
}

function SourceText({ file, text }: { file: string; text: string }): JSX.Element {
  const lines = useMemo(() => linesOf(text), [text]);
  return (
    <div class="source">
      <h3 class="code" title={file}>
        {file}
      </h3>
      <section class="lines" tabIndex={0} aria-label={`Source of ${file}`}>
        {lines.map((parts, i) => (
          <div class="line">
            <span class="number">{i + 1}</span>
            <CodeLine parts={parts} />
          </div>
        ))}
      </section>
    </div>
  );
}

/** A longer list would not be read. */
const MAX_WARNINGS = 20;

/** Races and leaks that are not errors. */
export function Warnings({ report }: Pick<PageData, 'report'>): JSX.Element | null {
  const warnings = useMemo(() => warningsOf(report), [report]);
  if (warnings.length === 0) return null;
  const more = warnings.length - MAX_WARNINGS;
  return (
    <section class="warnings">
      <h2>{warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}</h2>
      <ul>
        {warnings.slice(0, MAX_WARNINGS).map((text) => (
          <li>
            <Sentence text={text} />
          </li>
        ))}
      </ul>
      {more > 0 && <p class="none">and {more} more, which --json lists</p>}
    </section>
  );
}
