/** `node:process`: the only process of its machine; its output goes to the functions given to `redirect`. */
import { EventEmitter } from './events.ts';

type Write = (text: string | Uint8Array) => void;

let output: Write = () => {};
let diagnostics: Write = () => {};

/** Sets the functions that receive what is written. */
export function redirect(toOutput: Write, toDiagnostics: Write): void {
  output = toOutput;
  diagnostics = toDiagnostics;
}

/** The folder of the user's files. */
export const HOME = '/home';
/** The folder of the package's files. */
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
  /** Behaves as a terminal, so that progress lines can be told from messages. */
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
