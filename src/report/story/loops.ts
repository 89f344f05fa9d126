/**
 * Folds rows that repeat: the iterations of a loop become one row per row of its body, with changing numbers shown as
 * ranges. Only steps of one thread fold, without a row of another thread in between.
 */

interface Foldable {
  /** Rows fold only onto rows with the same place. */
  readonly place: string;
  readonly text: string;
  /** This row must not be folded. */
  readonly isTold: boolean;
  /** The last event that the row stands for. */
  readonly last: number;
}

/** The most rows that one iteration may have. */
const LONGEST_PERIOD = 12;
/** How deeply nested loops are folded. */
const ROUNDS = 3;
/** The least number of iterations to fold: if their numbers rise evenly, and if not. */
const LEAST_EVEN = 3;
const LEAST_UNEVEN = 4;

/** Numbers without points may be negative; numbers with points name threads, such as 0.1. */
const NUMBER = /(?<=[\s[(=])-\d+|\d+(?:\.\d+)*/g;

export function foldLoops<R extends Foldable>(rows: readonly R[]): readonly R[] {
  let result = rows;
  for (let round = 0; round < ROUNDS; round++) {
    const folded = foldOnce(result);
    if (folded.length === result.length) break;
    result = folded;
  }
  return result;
}

function foldOnce<R extends Foldable>(rows: readonly R[]): readonly R[] {
  const shapes = rows.map(({ place, text, isTold }, i) =>
    isTold ? `told ${i}` : `${place}\n${text.replace(NUMBER, '\0')}`,
  );
  const folded: R[] = [];
  for (let i = 0; i < rows.length; ) {
    const [period, times, texts] = findLoop(rows, shapes, i);
    for (let k = 0; k < period; k++) {
      const row = rows[i + k]!;
      folded.push(times === 1 ? row : { ...row, text: texts[k]!, last: rows[i + (times - 1) * period + k]!.last });
    }
    i += period * times;
  }
  return folded;
}

type Loop = readonly [period: number, times: number, texts: readonly string[]];

/** The loop with the shortest period that starts at row `start`; if there is none, that row, once. */
function findLoop(rows: readonly Foldable[], shapes: readonly string[], start: number): Loop {
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    let end = start + period;
    while (end < rows.length && shapes[end] === shapes[end - period]) end++;
    const times = Math.floor((end - start) / period);
    if (times < 2) continue;
    const columns = Array.from({ length: period }, (_, k) =>
      Array.from({ length: times }, (_, t) => rows[start + t * period + k]!.text),
    );
    const isEven = columns.every((texts) => numbersOf(texts).every(isRegular));
    if (times < (isEven ? LEAST_EVEN : LEAST_UNEVEN) && !columns.every(isConstant)) continue;
    const count = ` (${times} ${period === 1 ? 'times' : 'rounds'})`;
    return [period, times, columns.map((texts) => joinTexts(texts) + count)];
  }
  return [1, 1, [rows[start]!.text]];
}

function isConstant(texts: readonly string[]): boolean {
  return texts.every((text) => text === texts[0]);
}

/** The numbers at each position in the texts. */
function numbersOf(texts: readonly string[]): readonly (readonly string[])[] {
  const all = texts.map((text) => text.match(NUMBER) ?? []);
  return all[0]!.map((_, n) => all.map((numbers) => numbers[n]!));
}

function isRegular(numbers: readonly string[]): boolean {
  if (isConstant(numbers)) return true;
  const values = numbers.map(Number);
  return values.every((value, i) => i === 0 || value - values[i - 1]! === values[1]! - values[0]!);
}

function joinTexts(texts: readonly string[]): string {
  const joined = numbersOf(texts).map(joinNumbers);
  let n = 0;
  return texts[0]!.replace(NUMBER, () => joined[n++]!);
}

/** `5`, `0 … 38`, `0, 2 … 76`; if they do not rise evenly, all of them if few, else the first and last. */
function joinNumbers(numbers: readonly string[]): string {
  const [first, second] = numbers;
  const last = numbers.at(-1)!;
  if (isConstant(numbers)) return first!;
  if (isRegular(numbers))
    return Math.abs(Number(second) - Number(first)) === 1 ? `${first} … ${last}` : `${first}, ${second} … ${last}`;
  return numbers.length <= LEAST_UNEVEN ? numbers.join(', ') : `${first}, ${second}, …, ${last}`;
}
