/**
 * The rest of Node that the commands need. There are no other processes and no threads here: functions that would start
 * one throw an error, and `engine.ts` rejects the options that would lead to them.
 */
import { resolve } from './path.ts';
import { HOME, PACKAGE } from './process.ts';

// node:os
export function homedir(): string {
  return HOME;
}

export function tmpdir(): string {
  return '/tmp';
}

export function availableParallelism(): number {
  return 1;
}

// node:url
export function fileURLToPath(_url: string | URL): string {
  return `${PACKAGE}/engine.js`;
}

export function pathToFileURL(path: string): URL {
  const url = new URL('file:///');
  // Escapes characters that have a meaning in URLs.
  url.pathname = resolve(path).replace(/[%?#]/g, (c) => encodeURIComponent(c));
  return url;
}

// node:module
export function createRequire(): (name: string) => never {
  return (name) => {
    throw Object.assign(new Error(`there is no package ${name} here`), { code: 'MODULE_NOT_FOUND' });
  };
}

// node:child_process, node:readline
function unknown(): never {
  throw new Error('there are no other processes in a browser');
}

export { unknown as createInterface, unknown as fork, unknown as spawn, unknown as spawnSync };

// node:v8. Programs are not cached in a browser.
function uncached(): never {
  throw new Error('there is no cache of programs in a browser');
}

export { uncached as deserialize, uncached as serialize };

// node:zlib. The library is in a pack of the page.
function unpacked(): never {
  throw new Error('nothing is compressed here');
}

export { unpacked as deflateSync, unpacked as inflateSync };

// node:vm. Work without a time limit runs as it is; a browser can end the worker.
interface Work {
  readonly run: () => void;
}

export function createContext(work: Work): Work {
  return work;
}

export class Script {
  runInContext(work: Work): void {
    work.run();
  }
}

// timers
const waiting: (() => void)[] = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => waiting.shift()?.();

/** Messages to this thread are handled first. */
export function setImmediate(next: () => void): void {
  waiting.push(next);
  port2.postMessage(undefined);
}

/** An object, like Node's. A browser's page does not wait for timers to end, so `unref` does nothing. */
class Timer {
  private readonly number: number;

  constructor(number: unknown) {
    this.number = number as number;
  }

  unref(): this {
    return this;
  }

  clear(): void {
    globalThis.clearTimeout(this.number);
  }
}

export function setTimeout(act: () => void, milliseconds?: number): Timer {
  return new Timer(globalThis.setTimeout(act, milliseconds));
}

export function setInterval(act: () => void, milliseconds?: number): Timer {
  return new Timer(globalThis.setInterval(act, milliseconds));
}

export function clearTimeout(timer?: Timer): void {
  timer?.clear();
}

export { clearTimeout as clearInterval };

// tinyglobby. Files are given by name, so no pattern is ever expanded.
export function globSync(): readonly string[] {
  return [];
}

export function isDynamicPattern(): boolean {
  return false;
}
