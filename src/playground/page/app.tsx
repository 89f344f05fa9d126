/** The page: a program, a command, and its result. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Menu } from '../../viewer/menu.tsx';
import { ThemeButton } from '../../viewer/theme.tsx';
import type { Outcome, Program } from '../engine/messages.ts';
import { EXAMPLES, LITMUS_TESTS, RECORDINGS } from '../examples.ts';
import { parseAddress, printAddress } from './address.ts';
import { Controls } from './controls.tsx';
import { Editor } from './editor.tsx';
import { type Doing, EngineClient } from './engine.ts';
import { nameOf } from './examples.ts';
import { Files, withText } from './files.tsx';
import {
  argumentsOf,
  commandLine,
  filesOf,
  isAnsweredAtOnce,
  isSameProgram,
  type Question,
  questionOf,
} from './question.ts';
import { marksOf, ResultView, Stopped, type Tab, Waiting } from './result.tsx';

const FIRST = EXAMPLES[0]!.path;

/**
 * How many characters fit into a line of the text. In pixels: the width of a character, the space beside lines, and the
 * width of the page up to which panes are one below the other.
 */
function columnsNow(): number {
  const [character, space, narrow] = [7.45, 48, 1000];
  const room = innerWidth <= narrow ? innerWidth : innerWidth * 0.55;
  return Math.max(40, Math.floor((room - space) / character));
}

interface Ran {
  readonly question: Question;
  readonly line: string;
  readonly outcome: Outcome | undefined;
  readonly seconds: number;
}

export function App(): JSX.Element {
  const [question, setQuestion] = useState<Question>();
  const [notice, setNotice] = useState('');
  const [ran, setRan] = useState<Ran>();
  const [doing, setDoing] = useState<Doing>();
  const [isStopping, setStopping] = useState(false);
  const [tab, setTab] = useState<Tab>('page');
  const [goal, setGoal] = useState<{ file: string; line: number; number: number }>();
  const [wanted, setShown] = useState('');
  /** How many programs have been opened: the editor shows each one from its start. */
  const [opened, setOpened] = useState(0);
  const engine = useRef<EngineClient>();
  engine.current ??= new EngineClient();
  const seconds = useSeconds(doing !== undefined);

  /** The number of the command that is running or ran last. */
  const number = useRef(0);
  const isBusy = useRef(false);
  const run = async (asked: Question, args = argumentsOf(asked), line = commandLine(asked)): Promise<void> => {
    if (isBusy.current) return;
    const mine = ++number.current;
    const started = performance.now();
    isBusy.current = true;
    setNotice('');
    setStopping(false);
    setDoing({ kind: 'working', text: '' });
    const outcome = await engine.current!.run(filesOf(asked), args, columnsNow(), setDoing);
    if (mine !== number.current) return;
    isBusy.current = false;
    setDoing(undefined);
    setRan({ question: asked, line, outcome, seconds: (performance.now() - started) / 1000 });
    // Takes over what `fix --write` changed.
    if (outcome !== undefined && outcome.exit < 70) {
      const written = outcome.files.reduce<Question>((known, { name, text }) => withText(known, name, text), asked);
      if (!isSameProgram(written, asked)) setQuestion(written);
    }
  };

  useEffect(() => {
    const restore = async (): Promise<void> => {
      let problem = '';
      const found = await parseAddress(location.hash).catch(() => {
        problem = 'This address is damaged: it names no program. Here is an example instead.';
        return undefined;
      });
      if (isBusy.current) {
        number.current++;
        isBusy.current = false;
        engine.current!.end();
        setDoing(undefined);
      }
      const asked = found ?? questionOf(FIRST);
      setQuestion(asked);
      setOpened((count) => count + 1);
      setGoal(undefined);
      setRan(undefined);
      if (isAnsweredAtOnce(asked)) void run(asked);
      setNotice(problem);
    };
    void restore();
    const again = (): void => void restore();
    addEventListener('hashchange', again);
    return () => removeEventListener('hashchange', again);
  }, []);
  useAddress(question);
  const marks = useMemo(
    () =>
      ran?.outcome === undefined || question === undefined || !isSameProgram(ran.question, question)
        ? new Map<number, string>()
        : marksOf(shownOf(question, wanted).name, ran.outcome),
    [ran, question, wanted],
  );
  if (question === undefined) return <p class="none">…</p>;
  const shown = shownOf(question, wanted);
  const open = (path: string): void => {
    const next = questionOf(path);
    setQuestion(next);
    setOpened(opened + 1);
    setGoal(undefined);
    void run(next);
  };
  return (
    <>
      <header class="top">
        <h1 class="mark">
          Fencepost <span class="where">playground</span>
        </h1>
        <Examples open={open} isRunning={doing !== undefined} />
        <Share question={question} />
        <span class="detail promise">Everything runs in this browser; nothing is sent.</span>
        <ThemeButton />
      </header>
      <main>
        <Controls
          question={question}
          isRunning={doing !== undefined}
          isStopping={isStopping}
          change={setQuestion}
          run={() => void run(question)}
          stop={() => {
            setStopping(true);
            engine.current!.stop();
          }}
          help={() => void run(question, [question.command, '--help'], `fencepost ${question.command} --help`)}
        />
        {notice !== '' && (
          <p class="notice" role="alert">
            {notice}
          </p>
        )}
        <div class="program">
          <Files
            question={question}
            shown={shown.name}
            show={(name) => {
              setGoal(undefined);
              setShown(name);
            }}
            change={setQuestion}
          />
          <Editor
            key={`${opened} ${shown.name}`}
            name={shown.name}
            text={shown.text}
            marks={marks}
            goal={goal?.file === shown.name ? goal : undefined}
            change={(text) => setQuestion(withText(question, shown.name, text))}
            run={() => void run(question)}
          />
        </div>
        <div class="pane">
          {doing !== undefined ? (
            <Waiting doing={doing} seconds={seconds} />
          ) : ran === undefined ? (
            <p class="none empty">Run the command to see what each memory model allows.</p>
          ) : ran.outcome === undefined ? (
            <Stopped />
          ) : (
            <ResultView
              line={ran.line}
              files={filesOf(ran.question).map(({ name }) => name)}
              outcome={ran.outcome}
              seconds={ran.seconds}
              isOld={commandLine(ran.question) !== commandLine(question) || !isSameProgram(ran.question, question)}
              tab={tab}
              setTab={setTab}
              goTo={(file, line) => {
                setShown(file);
                setGoal({ file, line, number: (goal?.number ?? 0) + 1 });
              }}
              apply={() => {
                const [words, said] = [argumentsOf(question), commandLine(question)];
                void run(question, [...words, '--write'], `${said} --write`);
              }}
              replay={(kept) => void run(ran.question, ['replay', kept], `fencepost replay ${kept}`)}
            />
          )}
        </div>
      </main>
    </>
  );
}

/** The file with this name; otherwise the first one. */
function shownOf(question: Question, name: string): Program {
  const files = filesOf(question);
  return files.find((file) => file.name === name) ?? files[0]!;
}

/** Seconds since the command started. */
function useSeconds(isRunning: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const started = performance.now();
    setSeconds(0);
    const timer = setInterval(() => setSeconds((performance.now() - started) / 1000), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  return seconds;
}

/** Updates the address, a moment after the last change. */
function useAddress(question: Question | undefined): void {
  useEffect(() => {
    if (question === undefined) return undefined;
    const timer = setTimeout(() => {
      void printAddress(question).then((address) => history.replaceState(null, '', address));
    }, 200);
    return () => clearTimeout(timer);
  }, [question]);
}

function Examples({ open, isRunning }: { open: (path: string) => void; isRunning: boolean }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const choose = (path: string): void => {
    box.current?.closest('details')?.removeAttribute('open');
    open(path);
  };
  return (
    <Menu name="Examples">
      <div class="examples" ref={box}>
        <section>
          <h3>Programs</h3>
          <ul>
            {EXAMPLES.map(({ path, about }) => (
              <li>
                <button type="button" class="quiet" disabled={isRunning} onClick={() => choose(path)}>
                  <span class="code">{nameOf(path)}</span> <span class="detail">{about}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h3>Litmus tests</h3>
          <ul class="tests">
            {LITMUS_TESTS.map((path) => (
              <li>
                <button type="button" class="quiet" disabled={isRunning} onClick={() => choose(path)}>
                  <span class="code">{path.replace(/^litmus\/(?:C\/)?(?:.*\/)?|\.litmus$/g, '')}</span>
                  {path.startsWith('litmus/C/') && <span class="detail"> in C</span>}
                </button>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h3>Recordings</h3>
          <ul>
            {RECORDINGS.map((path) => (
              <li>
                <button type="button" class="quiet" disabled={isRunning} onClick={() => choose(path)}>
                  <span class="code">{nameOf(path)}</span> <span class="detail">what a program did, for monitor</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Menu>
  );
}

function Share({ question }: { question: Question }): JSX.Element {
  const [said, setSaid] = useState('');
  const share = async (): Promise<void> => {
    const url = new URL(await printAddress(question), location.href).href;
    history.replaceState(null, '', url);
    // Only secure origins have a clipboard, and the user may refuse access.
    const isCopied = await (navigator.clipboard?.writeText(url).then(
      () => true,
      () => false,
    ) ?? false);
    setSaid(isCopied ? 'Copied' : 'Copy the address above');
    setTimeout(() => setSaid(''), 2500);
  };
  return (
    <button type="button" onClick={() => void share()} title="The address of this page has the program and its options">
      {said === '' ? 'Share' : said}
    </button>
  );
}
