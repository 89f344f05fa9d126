/** The final states of a litmus test by model; each allowed one links to an execution that ends there. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Matrix } from './model/page.ts';

interface MatrixProps {
  readonly matrix: Matrix;
  readonly current: number | undefined;
  readonly link: (number: number) => string;
  readonly showFile: boolean;
}

const WORDS = { yes: 'yes', no: '–', unknown: '?' };

export function MatrixTable({ matrix, current, link, showFile }: MatrixProps): JSX.Element {
  const { test, file, models, rows, condition, facts } = matrix;
  const section = useRef<HTMLElement>(null);
  const isCurrent = rows.some(({ cells }) => cells.some((cell) => cell.execution === current && current !== undefined));
  // Of many tests beside an execution, scrolls to the one it belongs to.
  useLayoutEffect(() => {
    const [own, box] = [section.current, section.current?.closest('.aside')];
    if (!isCurrent || !own || !box) return;
    box.scrollTop += own.getBoundingClientRect().top - box.getBoundingClientRect().top;
  }, [isCurrent]);
  return (
    <section class="matrix" ref={section}>
      <h2>
        {test} {showFile && <span class="detail code">{file}</span>}
      </h2>
      <div class="wide">
        <table aria-label={`Final states of ${test}, by model`}>
          <thead>
            <tr>
              <th scope="col">Final state</th>
              {models.map((model) => (
                <th scope="col">{model.toUpperCase()}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ state, satisfied, cells }) => (
              <tr class={satisfied ? 'satisfied' : undefined}>
                <th scope="row" class="code">
                  {state}
                  {satisfied && (
                    <span class="star" title="satisfies the condition">
                      <span class="unseen">satisfies the condition</span>
                    </span>
                  )}
                </th>
                {cells.map(({ allowed, execution }, i) => (
                  <td class={allowed}>
                    {execution === undefined ? (
                      WORDS[allowed]
                    ) : (
                      <a
                        href={link(execution)}
                        aria-current={execution === current ? 'true' : undefined}
                        aria-label={`${state} under ${models[i]}: show an execution`}
                      >
                        {WORDS[allowed]}
                      </a>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            {condition !== undefined && (
              <tr class="condition">
                <th scope="row" class="code">
                  {condition.text}
                </th>
                {condition.answers.map((answer) => (
                  <td>{answer}</td>
                ))}
              </tr>
            )}
            {facts.map(({ name, values }) => (
              <tr>
                <th scope="row">{name}</th>
                {values.map((value) => (
                  <td>{value}</td>
                ))}
              </tr>
            ))}
          </tfoot>
        </table>
      </div>
    </section>
  );
}
