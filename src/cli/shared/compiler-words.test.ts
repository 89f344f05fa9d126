import { Command } from 'commander';
import { expect, test } from 'vitest';
import { CHECK } from '../../options/check.ts';
import { FIX } from '../../options/fix.ts';
import { withoutCompilerFlags } from './compiler-words.ts';
import { addCompileOptions, addOptions } from './options.ts';

function plain(line: string, options: 'check' | 'fix' = 'check'): string {
  const command = addCompileOptions(new Command());
  if (options === 'check') addOptions(command, CHECK);
  else addOptions(command, FIX);
  const { words, note } = withoutCompilerFlags(line.split(' '), command);
  const ignored = /: (-.*?)(?: \(|$)/.exec(note)?.[1];
  return ignored === undefined ? words.join(' ') : `${words.join(' ')} ignoring ${ignored}`;
}

test.each([
  ['a.c -O2 -g -Wall -c -o a.o', 'a.c ignoring -O2 -g -Wall -c -o a.o'],
  ['a.c -DX=1 -U Y -D Z', 'a.c --define=X=1 --undefine=Y --define=Z'],
  ['-isystem a -iquoteb -idirafter c -Id a.c', '--isystem=a --iquote=b --idirafter=c --include-path=d a.c'],
  ['a.c -include x.h -std=gnu11 -w -pthread', 'a.c --include=x.h --std=gnu11 --no-warnings --define=_REENTRANT=1'],
  ['a.c -m32 -m tso', 'a.c --target=i686 -m tso'],
  ['a.c -m64 -mtso,pso -mavx2', 'a.c --target=x86_64 -mtso,pso ignoring -mavx2'],
  [
    'a.c -funsigned-char -fPIC -fno-strict-aliasing',
    'a.c --language-flag=-funsigned-char ignoring -fPIC -fno-strict-aliasing',
  ],
  ['a.c -MMD -MF a.d -MTa.o -lm -L lib -l rt', 'a.c ignoring -MMD -MF a.d -MTa.o -lm -L lib -l rt'],
  // The rest of such a word is left out, and every flag that is left out is named.
  ['a.c -Wp,-DX=1,-MD,a.d -Wl,-z,now', 'a.c --define=X=1 ignoring -Wp,-MD,a.d -Wl,-z,now'],
  // Values of our own options are not flags; neither are words after "--".
  ['a.c --arg -O2 --arg=-g -- -O2', 'a.c --arg -O2 --arg=-g -- -O2'],
  ['a.c -s random', 'a.c -s random'],
  ['-s a.c -static', 'a.c ignoring -s -static'],
  ['-x c a.c -', 'a.c -'],
  ['a.c --unknown -D', 'a.c --unknown -D'],
])('translates the words "%s"', (line, expected) => {
  expect(plain(line)).toBe(expected);
});

test('-g is the goal of fix, or debugging', () => {
  expect(plain('a.c -g robust', 'fix')).toBe('a.c -g robust');
  expect(plain('-g a.c', 'fix')).toBe('a.c ignoring -g');
});

test.each([
  ['@x', '@x: argument files'],
  ['-fopenmp', 'parallel loops'],
  ['-x c++', '-x c++: the language follows from'],
  ['-fplugin=x.so', 'plugins'],
  ['-imacros x.h', 'use -include'],
  ['-mx32', 'no such target'],
])('refuses %s', (line, why) => {
  expect(() => plain(line)).toThrow(why);
});
