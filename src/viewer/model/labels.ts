/** Shortens labels that do not fit: the name gets shorter, and the value stays. */

/** At most `room` characters, if possible. */
export function shorten(text: string, room: number): string {
  if ([...text].length <= room) return text;
  const tight = text.replace(/ ?([=→:]) /g, '$1');
  if ([...tight].length <= room) return tight;
  const split = /^(.*?)([=→:].*)$/s.exec(tight);
  if (split === null) return middle(text, Math.max(3, room));
  const [, name = '', value = ''] = split;
  const left = room - [...value].length;
  if (left >= 3) return `${middle(name, left)}${value}`;
  // Neither fits in full: some of both.
  return `${middle(name, 3)}${middle(value, Math.max(4, room - 3))}`;
}

/** Keeps the beginning and the end, which may have an index and a member. */
function middle(text: string, room: number): string {
  const characters = [...text];
  if (characters.length <= room) return text;
  const index = /\[[^[\]]*\][^[\]]*$/.exec(text)?.[0] ?? '';
  const end = index.length > 0 && index.length <= room - 2 ? index.length : 0;
  return `${characters.slice(0, room - end - 1).join('')}…${end === 0 ? '' : characters.slice(-end).join('')}`;
}
