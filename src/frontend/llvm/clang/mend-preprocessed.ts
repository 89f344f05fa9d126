/**
 * Preprocessed files carry the types of the machine they were made for. Where `long` has 64 bits, glibc's headers make
 * `int64_t` of it; here it has 32, and the type would silently lose half of its values. These few declarations, and the
 * formats that go with them, are written anew; the lines stay the same.
 */

const WIDE_TYPES = /\btypedef ((?:signed |unsigned )?)long int (__u?int64_t|__u?intmax_t|u?int_fast64_t);/g;
/** `PRId64` and its like; no one writes this by hand. */
const WIDE_FORMATS = /"l" "([diouxX])"/g;

/** The text for clang, or `undefined` if it can stay as it is. */
export function mendPreprocessed(bytes: Buffer, file: string): Buffer | undefined {
  // As latin1, so that all bytes come back as they were.
  const text = bytes.toString('latin1');
  if (!/\btypedef signed long int __int64_t;/.test(text)) return undefined;
  const mended = text.replace(WIDE_TYPES, 'typedef $1long long $2;').replace(WIDE_FORMATS, '"ll" "$1"');
  const name = Buffer.from(file.replace(/["\\]/g, '\\$&')).toString('latin1');
  return Buffer.from(`# 1 "${name}"\n${mended}`, 'latin1');
}
