/** The page's side of the engine: one command at a time, in a Worker. */
import type { Answer, Outcome, Program, Request } from '../engine/messages.ts';

declare const ENGINE: string;

/** What the engine is doing. */
export type Doing =
  | { readonly kind: 'loading'; readonly what: string; readonly loaded: number; readonly total: number }
  | { readonly kind: 'compiling' }
  | { readonly kind: 'working'; readonly text: string };

export class EngineClient {
  private worker = this.start();
  private doing: Doing = { kind: 'working', text: '' };
  private isStopping = false;
  private answer: ((outcome: Outcome | undefined) => void) | undefined;
  private say: (doing: Doing) => void = () => {};

  /** Resolves to `undefined` if the command was ended before it could answer. */
  run(
    files: readonly Program[],
    args: readonly string[],
    columns: number,
    say: (doing: Doing) => void,
  ): Promise<Outcome | undefined> {
    this.say = say;
    this.isStopping = false;
    this.tell({ kind: 'working', text: '' });
    this.send({ kind: 'run', files, args, columns });
    return new Promise((fulfil) => {
      this.answer = fulfil;
    });
  }

  /**
   * The first time, a search stops with what it has found, as with Ctrl-C. The second time, or if the engine cannot
   * listen, it is ended.
   */
  stop(): void {
    if (this.doing.kind === 'working' && !this.isStopping) {
      this.isStopping = true;
      this.send({ kind: 'stop' });
      return;
    }
    this.end();
  }

  /** Ends whatever is running. */
  end(): void {
    this.worker.terminate();
    this.worker = this.start();
    this.finish(undefined);
  }

  private start(): Worker {
    const worker = new Worker(new URL(ENGINE, location.href), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      const text = `fencepost: the engine does not start: ${event.message || 'its script cannot be loaded'}\n`;
      this.finish({ exit: 70, output: [{ isDiagnostic: true, text }], files: [] });
    };
    return worker;
  }

  private send(request: Request): void {
    this.worker.postMessage(request);
  }

  private hear(answer: Answer): void {
    switch (answer.kind) {
      case 'loading':
        return this.tell(answer);
      case 'compiling':
        return this.tell(answer.isRunning ? { kind: 'compiling' } : { kind: 'working', text: '' });
      case 'progress':
        // While loading or compiling, the page already says more than the command's own line about clang.
        return this.doing.kind === 'working' ? this.tell({ kind: 'working', text: answer.text }) : undefined;
      case 'done':
        return this.finish(answer.outcome);
    }
  }

  private tell(doing: Doing): void {
    this.doing = doing;
    this.say(doing);
  }

  private finish(outcome: Outcome | undefined): void {
    this.answer?.(outcome);
    this.answer = undefined;
  }
}
