/** Terminal colours, if enabled. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly note: (text: string) => string;
}

const plain = (text: string): string => text;

export const PLAIN: Style = { bold: plain, dim: plain, bad: plain, good: plain, note: plain };

const code =
  (on: number, off: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;

export const COLOURED: Style = {
  bold: code(1, 22),
  dim: code(2, 22),
  bad: code(31, 39),
  good: code(32, 39),
  note: code(33, 39),
};
