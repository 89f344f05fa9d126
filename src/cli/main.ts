#!/usr/bin/env node
/**
 * The installed `fencepost` command. It is one script, bundled from `command.ts`, and V8's compiled code is cached
 * between runs: loading and compiling the script again takes longer than most checks.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { hash } from '../platform/hash.ts';
import { raiseInliningBudget } from '../platform/inlining.ts';
import { CodeCache } from './shared/code-cache.ts';
import { COMMAND_NAMES } from './shared/command-names.ts';

/** In milliseconds. By the end of a longer run, V8 has discarded the code that ran at the start. */
const LONG_RUN = 10_000;

// Before the script is loaded: cached code is valid only for the flags it was compiled with.
raiseInliningBudget();

const file = fileURLToPath(new URL('command.cjs', import.meta.url));
const asked = process.argv[2];
const code = readFileSync(file);
const source = Buffer.concat([
  Buffer.from('(function (exports, require, module, __filename, __dirname, fencepostCodeHash) { '),
  code,
  Buffer.from('\n})'),
]);
// One cache per command, since each uses different parts.
const cache = new CodeCache(COMMAND_NAMES.find((name) => name === asked) ?? 'help', file, source);
const cachedData = cache.read();
const script = new Script(source.toString('utf8'), { filename: file, ...(cachedData && { cachedData }) });
if (cachedData === undefined || script.cachedDataRejected === true) {
  process.on('exit', () => {
    if (performance.now() < LONG_RUN) cache.keep(script.createCachedData());
  });
}
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file), hash(code));
