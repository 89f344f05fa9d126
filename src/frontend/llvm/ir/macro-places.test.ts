import { describe, expect, it } from 'vitest';
import { MacroPlaces } from './macro-places.ts';

/** The place at which `@` in a text is reported, as `line:column`. */
function shown(text: string, { header = '', defines = [] as string[] } = {}): string {
  const before = text.slice(0, text.indexOf('@')).split('\n');
  const files: Record<string, string> = { 'a.c': text.replace('@', ''), 'a.h': header };
  const places = new MacroPlaces(Object.keys(files), defines, (file) => files[file]);
  const { line, column } = places.outermost({
    file: 'a.c',
    line: before.length,
    column: before.at(-1)!.length + 1,
  });
  return `${line}:${column}`;
}

describe('places in the arguments of macros', () => {
  it.each([
    ['a plain call', 'f(@x)', '1:3'],
    ['a macro of the file', '#define F(x) x\nf(F(@x))', '2:3'],
    ['the outermost of several', '#define F(x) x\n#define G(x) x\nF(G(a) + (G(@b)))', '3:1'],
    ['behind a macro', '#define F(x) x\nF(a) + f(@b)', '2:10'],
    ['over several lines', '#define F(x) x\n  F(a,\n@b)', '2:3'],
    ['parentheses in comments and literals', `#define F(x) x\nF(")" /* ) */, ')' // )\n, @b)`, '2:1'],
    ['a comment before the parenthesis', '#define F(x) x\nF /* ( */\n (@b)', '2:1'],
    ['a name that is not called', '#define F(x) x\nF + (@b)', '2:6'],
    ['a macro without parameters', '#define F (x)\nF(@b)', '2:3'],
    ['another name of a macro', '#define F(x) x\n#define G F\n#define H G\nH(@b)', '4:1'],
    ['names in a circle', '#define G H\n#define H G\nH(@b)', '3:3'],
    ['a definition that goes on', '#define F(x) \\\n f(x) (\nF(@b)', '3:1'],
    ["clang's own macros", 'atomic_fetch_add(&@x, 1)', '1:1'],
  ])('become those of the outermost call: %s', (_, text, expected) => expect(shown(text)).toBe(expected));

  it('become those of the call for a macro of a header, or of the command line', () => {
    expect(shown('F(@x)', { header: ' # define F(x) x\n' })).toBe('1:1');
    expect(shown('F(@x)', { defines: ['F(x)=x'] })).toBe('1:1');
  });

  it('do not change if they are unknown', () => {
    const places = new MacroPlaces(['a.c'], [], () => undefined);
    for (const file of ['a.c', 'b.c']) {
      const place = { file, line: 1, column: 2 };
      expect(places.outermost(place)).toBe(place);
    }
  });
});
