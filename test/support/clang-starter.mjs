/** The small process of clang-starter.ts: starts the requested command, and answers once it has ended. */
import { spawn } from 'node:child_process';

process.on('message', ({ id, path, args, cwd, env }) => {
  const output = [];
  const diagnostics = [];
  let child;
  const cannot = (error) => process.send({ id, error: { message: error.message, code: error.code } });
  try {
    child = spawn(path, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  } catch (error) {
    return cannot(error);
  }
  let failed = false;
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => diagnostics.push(chunk));
  child.on('error', (error) => {
    failed = true;
    cannot(error);
  });
  child.on('close', (code, signal) => {
    if (failed) return;
    process.send({ id, code, signal, output: Buffer.concat(output), diagnostics: Buffer.concat(diagnostics) });
  });
});
process.on('disconnect', () => process.exit());
