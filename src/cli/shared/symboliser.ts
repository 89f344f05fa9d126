/**
 * Source lines for code addresses, from llvm-symbolizer or addr2line, whichever is installed. Without either, and for
 * code without debug information, there are none.
 */
import { spawnSync } from 'node:child_process';

const TOOLS: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: 'llvm-symbolizer', args: ['--output-style=GNU'] },
  { name: 'addr2line', args: [] },
];

/** The most addresses on one command line. */
const AT_ONCE = 1000;

/** For each address that is known, its place: `/src/main.cpp:12`. */
export function findLines(path: string, addresses: readonly number[]): Map<number, string> {
  for (const { name, args } of TOOLS) {
    const lines = new Map<number, string>();
    let isThere = true;
    for (let done = 0; done < addresses.length && isThere; done += AT_ONCE) {
      const part = addresses.slice(done, done + AT_ONCE).map((address) => `0x${address.toString(16)}`);
      const run = spawnSync(name, [...args, '-a', '-i', '-f', '-e', path, ...part], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      isThere = run.error === undefined && run.status === 0;
      if (isThere) readLines(run.stdout, lines);
    }
    if (isThere && lines.size > 0) return lines;
  }
  return new Map();
}

/**
 * The output has an address, then a function and a place for each function inlined there, innermost first. The useful
 * place is the first one outside the compiler's headers.
 */
function readLines(text: string, lines: Map<number, string>): void {
  let address: number | undefined;
  let places: string[] = [];
  const finish = (): void => {
    const place = places.find((known) => !isOfCompiler(known)) ?? places[0];
    if (address !== undefined && place !== undefined) lines.set(address, place);
  };
  for (const line of text.split('\n')) {
    if (/^0x[0-9a-f]+$/i.test(line)) {
      finish();
      address = Number(line);
      places = [];
      continue;
    }
    const place = /^(.+:[1-9]\d*)(:\d+)?( \(discriminator \d+\))?$/.exec(line)?.[1];
    if (place !== undefined) places.push(place);
  }
  finish();
}

function isOfCompiler(place: string): boolean {
  return /^\/usr\/(include|lib)\/|\/include\/c\+\+\/|\/lib\/(gcc|clang|llvm)/.test(place);
}
