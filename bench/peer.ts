/** Another command on the same programs, timed in the same run: `npm run bench -- dpor --peer "nidhuggc -sc"`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Input } from './suite.ts';

export interface PeerRun {
  /** CPU seconds of the command and its children. */
  readonly seconds: number;
  readonly exitCode: number;
}

/**
 * The command line for the shell: `{file}`, `{defines}` and `{model}` are replaced; without `{file}`, the defines and
 * the files go to the end.
 */
export function peerCommand(template: string, { files, defines, model }: Input): string {
  const paths = files.map((file) => quoted(fileURLToPath(new URL(`../programs/${file}`, import.meta.url)))).join(' ');
  const flags = defines.map((define) => quoted(`-D${define}`)).join(' ');
  const whole = template.includes('{file}') ? template : `${template} {defines} {file}`;
  return whole.replaceAll('{file}', paths).replaceAll('{defines}', flags).replaceAll('{model}', model);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export function runPeer(template: string, input: Input): PeerRun {
  return timeCommand(peerCommand(template, input));
}

/** Runs a shell command and measures it. */
export function timeCommand(command: string): PeerRun {
  // The shell knows the CPU time of its children; Node does not.
  const { stdout } = spawnSync('/bin/sh', ['-c', `${command} >/dev/null 2>&1; echo $?; times`], { encoding: 'utf8' });
  const [exitCode, , children] = stdout.trim().split('\n');
  const seconds = [...(children ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, rest]) => 60 * Number(minutes) + Number(rest))
    .reduce((sum, part) => sum + part, 0);
  return { seconds, exitCode: Number(exitCode) };
}
