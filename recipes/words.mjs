/** Prints the words of a text, each followed by a zero byte. Blanks and line ends separate words unless quoted. */
const [text = ''] = process.argv.slice(2);
for (const [word] of text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g))
  process.stdout.write(`${word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2')}\0`);
