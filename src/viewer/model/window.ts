/** Which rows of a long table are in the document. */

/** The most rows in the document at once; a browser takes seconds to lay out thousands. */
const MOST = 400;

/** The range of rows to show: all, or some around the current one. */
export function windowOf(rows: number, current: number): { readonly from: number; readonly to: number } {
  if (rows <= MOST) return { from: 0, to: rows };
  const half = MOST / 2;
  // The range moves in large strides, so that most steps change nothing.
  const from = Math.max(0, Math.min(Math.floor(Math.max(0, current) / half) * half - half / 2, rows - MOST));
  return { from, to: from + MOST };
}
