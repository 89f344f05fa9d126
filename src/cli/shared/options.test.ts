import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addCompileOptions } from './options.ts';

test.each<[string, readonly string[], readonly string[]]>([
  ['-U X -D X=1', ['X=1'], []],
  ['-D X=1 -U X', [], ['X']],
  ['-UX -DX(a)=a', ['X(a)=a'], []],
  ['-D X=1 -U X -D X=2', ['X=2'], []],
  ['-U X --define Y --undefine Z', ['Y'], ['X', 'Z']],
  ['-D X=1 -D XY -U XY -D X=2', ['X=1', 'X=2'], ['XY']],
  ['', [], []],
])('the last word about a macro counts: "%s"', (line, define, undefine) => {
  const command = addCompileOptions(new Command());
  command.parse(line.split(' ').filter(Boolean), { from: 'user' });
  expect(command.opts()).toMatchObject({ define, undefine });
});
