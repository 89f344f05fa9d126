/** Prints the words of a text, each with a zero byte: separated by blanks or line ends, unless these are between quotes. */
const [text = ''] = process.argv.slice(2);
for (const [word] of text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g))
  process.stdout.write(`${word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2')}\0`);
