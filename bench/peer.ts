/**
 * Other tools on the same programs, timed in the same run: `npm run bench -- dpor --peer all`.
 *
 * `--peer` takes the names of known tools (`genmc`, `nidhugg`, both with commas, `all`), each also as `genmc=PATH`; or
 * a whole command, in which `{file}`, `{defines}` and `{model}` are replaced (without `{file}`, the defines and the
 * files are appended). For known tools, the numbers of executions are compared with ours as well. A tool that is not
 * installed is left out, with a message.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Input } from './suite.ts';

export interface Peer {
  readonly name: string;
  /** The command for an input, or the reason why there is none. */
  command(input: Input): { readonly line: string } | { readonly cannot: string };
  /** The number of complete executions, from its output. */
  executions(output: string): number | undefined;
}

export interface PeerRun {
  /** CPU seconds of the command and its children. */
  readonly seconds: number;
  readonly exitCode: number;
  readonly output: string;
}

interface Known {
  readonly command: string;
  readonly models: readonly string[];
  /** Its arguments. */
  readonly words: string;
  readonly executions: RegExp;
}

const KNOWN: Readonly<Record<string, Known>> = {
  genmc: {
    command: 'genmc',
    models: ['sc', 'tso', 'rc11'],
    // No race detection: races are errors in C, but our programs are written for hardware. No estimation: it is not
    // part of the search, and has a time limit of its own. No model detector: it would search programs without atomics
    // under SC.
    words: '--{model} --disable-mm-detector --disable-estimation --disable-race-detection -- {defines} {file}',
    executions: /complete executions explored: (\d+)/,
  },
  nidhugg: {
    command: 'nidhuggc',
    models: ['sc', 'tso', 'pso'],
    words: '{defines} -- --{model} --optimal {file}',
    executions: /Trace count: (\d+)/,
  },
};

const PROGRAMS = new URL('../programs/', import.meta.url);

export const PEERS: readonly string[] = Object.keys(KNOWN);

/** The peers that `--peer` names, and messages about those that are missing. */
export function peersOf(words: string): { readonly peers: readonly Peer[]; readonly missing: readonly string[] } {
  const names = words === 'all' ? PEERS : words.split(',');
  if (!names.every((name) => KNOWN[name.split('=')[0]!] !== undefined)) {
    return {
      peers: [{ name: 'peer', command: (input) => ({ line: filled(words, input) }), executions: () => undefined }],
      missing: [],
    };
  }
  const peers: Peer[] = [];
  const missing: string[] = [];
  for (const word of names) {
    const [name, path] = word.split('=') as [string, string | undefined];
    const command = path ?? KNOWN[name]!.command;
    if (isInstalled(command)) peers.push(knownPeer(name, command));
    else
      missing.push(
        `${name} is not installed: there is no ${command}${path === undefined ? ` in the PATH; or give --peer ${name}=FILE` : ''}`,
      );
  }
  return { peers, missing };
}

function isInstalled(command: string): boolean {
  return spawnSync('/bin/sh', ['-c', `command -v ${quoted(command)}`]).status === 0;
}

export function knownPeer(name: string, command: string): Peer {
  const { models, words, executions } = KNOWN[name]!;
  return {
    name,
    command: (input) => {
      if (!models.includes(input.model)) return { cannot: `no ${input.model}` };
      if (input.files.length > 1) return { cannot: 'one file only' };
      return { line: filled(`${quoted(command)} ${words}`, input) };
    },
    executions: (output) => {
      const found = executions.exec(output)?.[1];
      return found === undefined ? undefined : Number(found);
    },
  };
}

/** The command line for the shell. */
export function filled(template: string, { files, defines, model }: Input): string {
  const paths = files.map((file) => quoted(fileURLToPath(new URL(file, PROGRAMS)))).join(' ');
  const flags = defines.map((define) => quoted(`-D${define}`)).join(' ');
  const whole = template.includes('{file}') ? template : `${template} {defines} {file}`;
  return whole.replaceAll('{file}', paths).replaceAll('{defines}', flags).replaceAll('{model}', model);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Runs and measures a shell command; `limit` is in CPU seconds. */
export function timeCommand(command: string, limit?: number): PeerRun {
  const ended = limit === undefined ? '' : `ulimit -t ${limit}; `;
  // The shell knows the CPU time of its children; Node does not.
  const script = `(${ended}${command}) 2>&1; code=$?; echo; echo $code; times`;
  const { stdout } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const lines = stdout.trimEnd().split('\n');
  const seconds = [...lines.at(-1)!.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, rest]) => 60 * Number(minutes) + Number(rest))
    .reduce((sum, part) => sum + part, 0);
  return { seconds, exitCode: Number(lines.at(-3)), output: lines.slice(0, -3).join('\n') };
}
