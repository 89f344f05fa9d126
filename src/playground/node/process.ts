/** `node:process`: one that is alone on its machine, with streams that somebody else reads. */
import { EventEmitter } from './events.ts';

type Write = (text: string | Uint8Array) => void;

let output: Write = () => {};
let diagnostics: Write = () => {};

/** Who gets what is written. */
export function redirect(toOutput: Write, toDiagnostics: Write): void {
  output = toOutput;
  diagnostics = toDiagnostics;
}

/** Where the user's files are. */
export const HOME = '/home';
/** Where those of the package are. */
export const PACKAGE = '/fencepost';

export function cwd(): string {
  return HOME;
}

class Process extends EventEmitter {
  readonly env: Record<string, string | undefined> = {
    HOME,
    XDG_CACHE_HOME: '/cache',
    FENCEPOST_CLANG: 'npm',
    FENCEPOST_PROGRESS_MS: '250',
  };
  readonly platform = 'linux';
  readonly pid = 1;
  readonly argv: readonly string[] = [];
  readonly execArgv: readonly string[] = [];
  readonly version = '';
  readonly versions: Readonly<Record<string, string>> = {};
  exitCode: number | undefined;
  readonly stdout = {
    write: (text: string | Uint8Array): boolean => {
      output(text);
      return true;
    },
  };
  /** A terminal, so that lines of progress differ from messages. */
  readonly stderr = {
    isTTY: true,
    columns: 1000,
    write: (text: string | Uint8Array): boolean => {
      diagnostics(text);
      return true;
    },
  };
  readonly stdin = { isTTY: false };
  readonly cwd = cwd;

  exit(code?: number): never {
    throw new Error(`exit ${code ?? this.exitCode ?? 0}`);
  }
}

const process = new Process();
export default process;
export const { env, platform, pid, argv, stdout, stderr } = process;
