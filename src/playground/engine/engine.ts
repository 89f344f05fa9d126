/**
 * playground/: the command in a browser. Nothing of the package is reimplemented. `node/` is as much of Node as the
 * commands need, over files in memory; the bundler (`build/bundle.ts`) puts it in place of Node's modules. The rest
 * is here: this file runs one command at a time, with the program as a file, as a terminal would; `clang.ts` replaces
 * the clang of the npm package; `packs.ts` is what is loaded, and when. `page/` is what people see.
 */
import './boot.ts';
import { LITMUS_SUFFIX } from '../../api/litmus-test.ts';
import { addCheckCommand } from '../../cli/commands/check.ts';
import { addFixCommand } from '../../cli/commands/fix.ts';
import { addHuntCommand } from '../../cli/commands/hunt.ts';
import { addLitmusCommand } from '../../cli/commands/litmus.ts';
import { addMonitorCommand } from '../../cli/commands/monitor.ts';
import { addReplayCommand } from '../../cli/commands/replay.ts';
import { addRobustCommand } from '../../cli/commands/robust.ts';
import { type Commands, runWith } from '../../cli/run-with.ts';
import { EXIT_NOT_UNDERSTOOD, EXIT_OUR_FAULT, EXIT_USAGE } from '../../cli/shared/exit-codes.ts';
import { isCxxFile } from '../../frontend/llvm/clang/source-kinds.ts';
import { below, find, read, remove, write } from '../node/files.ts';
import process, { HOME, redirect } from '../node/process.ts';
import { provideClang } from './clang.ts';
import type { Answer, Chunk, Outcome, Program } from './messages.ts';
import { type Manifest, type PackName, type Store, unpack } from './packs.ts';

const COMMANDS: Commands = {
  check: addCheckCommand,
  fix: addFixCommand,
  hunt: addHuntCommand,
  litmus: addLitmusCommand,
  monitor: addMonitorCommand,
  replay: addReplayCommand,
  robust: addRobustCommand,
};

/** Options for what a browser does not have. */
const REFUSED: readonly (readonly [option: RegExp, why: string])[] = [
  [/^(?:-j\d*|--jobs\b.*)$/, 'one thread searches here'],
  [/^--redis\b/, 'nothing leaves the browser'],
  [/^--step$/, 'the page steps through executions'],
  [/^--(?:save|resume|record|html|graph|out|build-path|suite)\b|^-p$/, 'there are no other files here'],
];

/** The file given to `--html`; users cannot name it. */
const PAGE = `${HOME}/.page.html`;
/** Runs saved for `replay`: the only state kept between commands. */
const KEPT = 'fencepost-out';

/** The suffix of a recorded execution that can be pasted: lines of JSON. */
const LOG_SUFFIX = '.jsonl';

const NO_RESULT: readonly number[] = [EXIT_USAGE, EXIT_NOT_UNDERSTOOD, EXIT_OUR_FAULT];

/** How live progress lines begin. */
const LIVE = '\r\u001b[K';

export class Engine {
  private readonly store: Store;
  private readonly say: (answer: Answer) => void;
  private manifest: Promise<Manifest> | undefined;
  private module: Promise<WebAssembly.Module> | undefined;
  private readonly loaded = new Map<PackName, Promise<void>>();

  constructor(store: Store, say: (answer: Answer) => void) {
    this.store = store;
    this.say = say;
  }

  stop(): void {
    process.emit('SIGINT', 'SIGINT');
  }

  async run(files: readonly Program[], args: readonly string[], columns: number): Promise<Outcome> {
    const output: Chunk[] = [];
    const add = (isDiagnostic: boolean, data: string | Uint8Array): void => {
      const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
      if (!text.startsWith(LIVE)) output.push({ isDiagnostic, text });
      else this.say({ kind: 'progress', text: text.slice(LIVE.length) });
    };
    redirect(
      (data) => add(false, data),
      (data) => add(true, data),
    );
    process.env['COLUMNS'] = String(columns);
    for (const name of below(HOME)) if (!name.startsWith(KEPT)) remove(`${HOME}/${name}`, false);
    for (const { name, text } of files) write(`${HOME}/${name}`, new TextEncoder().encode(text));
    const print = (text: string): void => add(true, text);
    const exit = refusal(args, print) ?? (await this.runCommand(files, args, print));
    // Without a result, the text says everything.
    const page = find(PAGE) === undefined || NO_RESULT.includes(exit) ? undefined : read(PAGE).toString();
    const kept = output.map(({ text }) => /^Replay: fencepost replay (\S+)/m.exec(text)?.[1]).find((name) => name);
    return {
      exit,
      output,
      ...(page === undefined ? {} : { page }),
      ...(kept === undefined ? {} : { kept }),
      files: files.map(({ name }) => ({ name, text: read(`${HOME}/${name}`).toString() })),
    };
  }

  private async runCommand(
    files: readonly Program[],
    args: readonly string[],
    print: (text: string) => void,
  ): Promise<number> {
    const [command] = args;
    const isHelp =
      args.some((word) => ['help', '-h', '--help', '-V', '--version'].includes(word)) || command === undefined;
    if (isHelp) return runWith(COMMANDS, args);
    try {
      await this.prepare(files.map(({ name }) => name));
    } catch (error) {
      print(`fencepost: cannot load ${(error as Error).message}\n`);
      return EXIT_USAGE;
    }
    return runWith(COMMANDS, [...args, '--html', PAGE]);
  }

  /** Loads what the program needs except clang, since its IR may be known already. */
  private async prepare(names: readonly string[]): Promise<void> {
    await this.need('viewer');
    if (names[0]!.endsWith(LITMUS_SUFFIX) || names[0]!.endsWith(LOG_SUFFIX)) return;
    const { name, id } = (await this.readManifest()).clang;
    provideClang({ name, id, load: () => this.loadClang(), whileRunning: (run) => this.compile(run) });
    await this.need('c');
    if (names.some(isCxxFile)) await this.need('headers');
  }

  private readManifest(): Promise<Manifest> {
    this.manifest ??= this.store.manifest();
    return this.manifest;
  }

  /** Loads a pack, unless it is already loaded. */
  private need(name: PackName): Promise<void> {
    let loading = this.loaded.get(name);
    if (loading === undefined) {
      loading = this.loadPack(name);
      this.loaded.set(name, loading);
      loading.catch(() => this.loaded.delete(name));
    }
    return loading;
  }

  private async loadPack(name: PackName): Promise<void> {
    const { packs } = await this.readManifest();
    const data = await this.store.read(packs[name]);
    unpack(data instanceof Uint8Array ? data : new Uint8Array(await new Response(data as BodyInit).arrayBuffer()));
  }

  private loadClang(): Promise<WebAssembly.Module> {
    if (this.module === undefined) {
      this.module = this.readClang();
      this.module.catch(() => {
        this.module = undefined;
      });
    }
    return this.module;
  }

  private async readClang(): Promise<WebAssembly.Module> {
    await this.need('headers');
    const { clang } = await this.readManifest();
    const data = await this.store.read(clang, (loaded) =>
      this.say({ kind: 'loading', what: 'clang', loaded, total: clang.bytes }),
    );
    if (data instanceof Uint8Array) return WebAssembly.compile(data as BufferSource);
    return WebAssembly.compileStreaming(
      new Response(data as BodyInit, { headers: { 'Content-Type': 'application/wasm' } }),
    );
  }

  private async compile<T>(run: () => Promise<T>): Promise<T> {
    this.say({ kind: 'compiling', isRunning: true });
    try {
      return await run();
    } finally {
      this.say({ kind: 'compiling', isRunning: false });
    }
  }
}

function refusal(args: readonly string[], print: (text: string) => void): number | undefined {
  for (const [option, why] of REFUSED) {
    const word = args.find((arg) => option.test(arg));
    if (word === undefined) continue;
    print(`fencepost: ${word} does not work in the playground: ${why}\n`);
    return EXIT_USAGE;
  }
  return undefined;
}
