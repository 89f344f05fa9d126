/** The small process of clang-starter.ts: starts the requested command, and answers once it has ended. */
import { spawn } from 'node:child_process';

/** The commands that run, by number. */
const running = new Map();

process.on('message', ({ id, path, args, cwd, env, ends }) => {
  if (ends) return running.get(id)?.kill();
  const output = [];
  const diagnostics = [];
  let child;
  const cannot = (error) => process.send({ id, error: { message: error.message, code: error.code } });
  try {
    child = spawn(path, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  } catch (error) {
    return cannot(error);
  }
  running.set(id, child);
  let failed = false;
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => diagnostics.push(chunk));
  child.on('error', (error) => {
    failed = true;
    cannot(error);
  });
  child.on('close', (code, signal) => {
    running.delete(id);
    if (failed) return;
    process.send({ id, code, signal, output: Buffer.concat(output), diagnostics: Buffer.concat(diagnostics) });
  });
});
process.on('disconnect', () => process.exit());
