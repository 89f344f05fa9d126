/** A path as a word that can be pasted into a shell. */
export function shellWord(path: string): string {
  // A path that begins with a dash would be taken for an option.
  return quoted(path.startsWith('-') ? `./${path}` : path);
}

/** Any word, quoted for a shell's command line. */
export function quoted(word: string): string {
  if (/^[A-Za-z0-9_./@%+=:,-]+$/.test(word)) return word;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach the terminal
  if (!/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(word)) {
    return `'${word.replaceAll("'", "'\\''")}'`;
  }
  const bytes = [...Buffer.from(word, 'utf8')].map((byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `$'${bytes.join('')}'`;
}
