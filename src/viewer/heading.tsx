/** What an execution shows, why, and what prevents it: a few lines above the panes, with everything in a menu. */
import type { JSX } from 'preact';
import { messageText } from '../program/error-text.ts';
import { blockText } from '../report/story/blocks.ts';
import { lockOrderText } from '../report/story/lock-order.ts';
import { outcomeText } from '../report/story/outcome-text.ts';
import { raceText } from '../report/story/race-text.ts';
import { tornAdvice, tornText } from '../report/story/torn-text.ts';
import { unlockText } from '../report/story/unlock-text.ts';
import { waitsText } from '../report/story/waits.ts';
import { Menu } from './menu.tsx';
import type { Execution } from './model/page.ts';
import { Sentence } from './sentence.tsx';

export function Heading({ execution }: { execution: Execution }): JSX.Element {
  const { trace, error, state, model, file } = execution;
  const where = error?.file === undefined ? file : `${error.file}:${error.line}`;
  const reasons = reasonsOf(execution);
  const isWrong = error !== undefined || execution.isFineSoFar === false;
  const facts = factsOf(execution);
  const [why, ...others] = reasons;
  // The last reason says what to do about it, unless a note gives better advice.
  const advice = (error?.notes ?? []).find((note) => /^to (?:order them|prevent it), /.test(note));
  const remedy = advice === undefined ? others.at(-1) : `T${advice.slice(1)}.`;
  return (
    <div class="what">
      <div class="headline">
        <div>
          <h2 class={isWrong ? 'wrong' : state !== undefined ? 'code' : undefined}>
            {error === undefined ? (
              (state ?? execution.title)
            ) : (
              <Sentence text={waitsText(error, trace.ends) ?? `${error.kind}: ${messageText(error)}`} />
            )}
          </h2>
          <p class="detail">
            {model.toUpperCase()} · <span class="code">{where}</span>
            {error?.thread === undefined ? '' : ` · thread ${error.thread}`}
          </p>
        </div>
        {facts.length + reasons.length > 0 && (
          <Menu name="Details" className="details">
            {reasons.map((text) => (
              <p>
                <Sentence text={text} />
              </p>
            ))}
            {facts.length > 0 && (
              <ul class="notes">
                {facts.map((text) => (
                  <li>
                    <Sentence text={text} />
                  </li>
                ))}
              </ul>
            )}
            {trace.schedule !== '' && (
              <p class="detail">
                Schedule <code>{trace.schedule}</code>
              </p>
            )}
          </Menu>
        )}
      </div>
      {why !== undefined && (
        <p class="why">
          {(trace.explanation !== undefined || error?.kind === 'race') && <b>Why</b>} <Sentence text={why} />
        </p>
      )}
      {remedy !== undefined && (
        <p class="remedy">
          <Sentence text={remedy} />
        </p>
      )}
    </div>
  );
}

/** The cause first, then what keeps such accesses in order. */
function reasonsOf({ trace, error, isHarmless, isFineSoFar }: Execution): readonly string[] {
  if (error?.kind === 'race') return raceText(error, trace);
  const [why, ...remedies] = trace.explanation ?? [];
  const outcome = error === undefined ? [] : outcomeText(trace, error);
  return [
    ...(why === undefined ? (error === undefined ? [] : tornText(trace)) : [[why, ...outcome].join(' ')]),
    ...(error?.kind === 'deadlock' ? lockOrderText(trace) : []),
    ...(error?.kind === 'misuse' ? unlockText(trace, error) : []),
    ...(isHarmless === true ? ['No failure was found by continuing from here; SC does not allow this execution.'] : []),
    ...(why === undefined && trace.sequential === true && isFineSoFar !== true
      ? ['The memory model is not the cause: the same can happen under SC.']
      : []),
    ...remedies,
    ...(why === undefined && error !== undefined ? tornAdvice(trace) : []),
  ];
}

function factsOf({ trace, error }: Execution): readonly string[] {
  return [...(error?.notes ?? []), ...trace.blocks.map((block) => `${block.name}: ${blockText(block)}`)];
}
