/** JSON of plain data that may be nested too deeply for `JSON.stringify`, which calls itself for each level. */

/** Text among the values that are left to write. */
class Text {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const COMMA = new Text(',');
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = ['[', ']', '{', '}'].map((text) => new Text(text)) as [
  Text,
  Text,
  Text,
  Text,
];

/** What `JSON.stringify` gives, for data without `toJSON`. */
export function stringifyDeep(root: unknown): string {
  try {
    return JSON.stringify(root);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return stringifyByStack(root);
  }
}

/** The same without recursion. */
export function stringifyByStack(root: unknown): string {
  const pieces: string[] = [];
  // The next one is the last.
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (value instanceof Text) pieces.push(value.text);
    else if (Array.isArray(value)) {
      left.push(CLOSE_LIST);
      for (let i = value.length - 1; i >= 0; i--) {
        left.push(value[i]);
        if (i > 0) left.push(COMMA);
      }
      left.push(OPEN_LIST);
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).filter(([, of]) => of !== undefined);
      left.push(CLOSE_OBJECT);
      for (let i = entries.length - 1; i >= 0; i--) {
        const [key, of] = entries[i]!;
        left.push(of, new Text(`${JSON.stringify(key)}:`));
        if (i > 0) left.push(COMMA);
      }
      left.push(OPEN_OBJECT);
    } else pieces.push(JSON.stringify(value) ?? 'null');
  }
  return pieces.join('');
}
