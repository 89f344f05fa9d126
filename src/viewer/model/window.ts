/** Which rows of a long table are in the document. */

/** Rows in the document at once; a browser takes seconds for thousands. */
const MOST = 400;

/** The rows to show: all, or those of the part that the current one is in, with some around it. */
export function windowOf(rows: number, current: number): { readonly from: number; readonly to: number } {
  if (rows <= MOST) return { from: 0, to: rows };
  const half = MOST / 2;
  // In strides, so that most steps move nothing.
  const from = Math.max(0, Math.min(Math.floor(Math.max(0, current) / half) * half - half / 2, rows - MOST));
  return { from, to: from + MOST };
}
