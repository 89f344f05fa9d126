import { describe, expect, it } from 'vitest';
import { answer, evaluate, type StateValue } from './condition.ts';
import { parseLitmus } from './litmus.ts';

/** Evaluates a condition over x, y and z (and the i64s l and m); values are in this order. */
function holds(proposition: string, values: Readonly<Record<string, StateValue>>): boolean {
  const init = 'int x; int y; int z; uint8_t b; int64_t l;';
  const test = parseLitmus(`X86_64 T\n{${init}}\nP0;\n;\nexists ${proposition}`, 'condition.litmus');
  return evaluate(
    test.condition!.proposition,
    test.observed.map(({ label }) => values[label]!),
  );
}

describe('evaluate', () => {
  it('compares', () => {
    expect(holds('x=1', { x: 1 })).toBe(true);
    expect(holds('x==1', { x: 2 })).toBe(false);
    expect(holds('x!=1', { x: 2 })).toBe(true);
    expect(holds('x<>1', { x: 1 })).toBe(false);
    expect(holds('x in {1,3}', { x: 3 })).toBe(true);
    expect(holds('x in {1,3}', { x: 2 })).toBe(false);
    expect(holds('x=-1', { x: -1 })).toBe(true);
    expect(holds('l=-1', { l: -1n })).toBe(true);
    expect(holds('0:rax=0:eax', { '0:rax': 5n, '0:eax': 5 })).toBe(true);
    expect(holds('0:rax=0:eax', { '0:rax': 5n, '0:eax': 6 })).toBe(false);
  });

  it('takes numbers modulo the size of what they are compared with', () => {
    expect(holds('b=255', { b: -1 })).toBe(true);
    expect(holds('b=257', { b: 1 })).toBe(true);
    expect(holds('x=0xffffffff', { x: -1 })).toBe(true);
    expect(holds('l=0xffffffffffffffff', { l: -1n })).toBe(true);
    expect(holds('l=0xffffffff', { l: 0xffffffffn })).toBe(true);
  });

  it('compares addresses by name', () => {
    expect(holds('x=y', { x: 'y' })).toBe(true);
    expect(holds('x=&y', { x: 'z' })).toBe(false);
    expect(holds('x=y', { x: 0 })).toBe(false);
    expect(holds('x=0', { x: 'y' })).toBe(false);
    expect(holds('x=[y]', { x: 'z', y: 'z' })).toBe(true);
  });

  const truth = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ x: n & 1, y: (n >> 1) & 1, z: n >> 2 }));
  const table = (proposition: string) => truth.map((values) => Number(holds(proposition, values))).join('');

  it('binds as herd does: not, implies, and, or', () => {
    for (const [bare, explicit] of [
      ['x=1 \\/ y=1 /\\ z=1', 'x=1 \\/ (y=1 /\\ z=1)'],
      ['x=1 /\\ y=1 \\/ z=1', '(x=1 /\\ y=1) \\/ z=1'],
      ['~x=1 /\\ y=1', '(~(x=1)) /\\ y=1'],
      ['not x=1 \\/ y=1', '(~(x=1)) \\/ y=1'],
      ['x=1 /\\ y=1 => z=1', 'x=1 /\\ (y=1 => z=1)'],
      ['x=1 => y=1 \\/ z=1', '(x=1 => y=1) \\/ z=1'],
      ['x=1 => y=1 => z=1', 'x=1 => (y=1 => z=1)'],
      ['~x=1 => y=1', '(~(x=1)) => y=1'],
    ] as const) {
      expect(table(bare), bare).toBe(table(explicit));
    }
    expect(table('x=1 => (y=1 => z=1)')).not.toBe(table('(x=1 => y=1) => z=1'));
  });

  it('knows true and false', () => {
    expect(holds('true', {})).toBe(true);
    expect(holds('false \\/ ~true', {})).toBe(false);
  });
});

describe('answer', () => {
  it.each([
    ['exists', [false, true], true, true],
    ['exists', [false, false], false, null],
    ['exists', [], false, null],
    ['~exists', [false, true], false, false],
    ['~exists', [false, false], true, null],
    ['~exists', [], true, null],
    ['forall', [true, true], true, null],
    ['forall', [true, false], false, false],
    ['forall', [], true, null],
  ] as const)('%s over %j is %s, or %s if there may be other states', (quantifier, holds, ofAll, ofSome) => {
    expect(answer(quantifier, holds, true)).toBe(ofAll);
    expect(answer(quantifier, holds, false)).toBe(ofSome);
  });
});
