/**
 * Preprocessed files contain the types of the machine they were made for. Where `long` has 64 bits, glibc's headers
 * define `int64_t` as `long`; on i686 that has 32 bits, and the type would silently lose half its bits. These few
 * declarations, and the formats that go with them, are rewritten for i686; line numbers do not change.
 */

const WIDE_TYPES = /\btypedef ((?:signed |unsigned )?)long int (__u?int64_t|__u?intmax_t|u?int_fast64_t);/g;
/** `PRId64` and the like; never written by hand. */
const WIDE_FORMATS = /"l" "([diouxX])"/g;

/** The text for clang, or `undefined` if no change is needed. */
export function repairPreprocessed(bytes: Buffer, file: string): Buffer | undefined {
  // Latin-1 preserves every byte.
  const text = bytes.toString('latin1');
  if (!/\btypedef signed long int __int64_t;/.test(text)) return undefined;
  const repaired = text.replace(WIDE_TYPES, 'typedef $1long long $2;').replace(WIDE_FORMATS, '"ll" "$1"');
  const name = Buffer.from(file.replace(/["\\]/g, '\\$&')).toString('latin1');
  return Buffer.from(`# 1 "${name}"\n${repaired}`, 'latin1');
}
