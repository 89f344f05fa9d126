/** Turns the values of options back into a command line. */
import type { Described, Option } from './option.ts';

/** `--model sc,tso --define X`: the words for these values. */
export function wordsOf<T>(options: Described<T>, values: Partial<T>): readonly string[] {
  return Object.entries(values).flatMap(([name, known]) => {
    const option: Option<unknown> = options[name as keyof T];
    const wordOf = (flags: string): string => /--[\w-]+/.exec(flags)![0];
    const word = wordOf(option.flags);
    if (option.off !== undefined && known === false) return [wordOf(option.off.flags)];
    if (option.given !== undefined) return known === option.given ? [word] : [];
    if (option.isList === true) return (known as readonly string[]).flatMap((item) => [word, item]);
    return [word, Array.isArray(known) ? known.join(',') : String(known)];
  });
}
