/* Short digests of byte strings, and bytes as printable text. */
#ifndef RT_DIGEST_H
#define RT_DIGEST_H

#include "pool.h"

/* Fowler, Noll and Vo's hash, variant 1a, 32 bits: for tables. */
unsigned rt_digest_fnv(const void *bytes, size_t length);
/* For detecting damage. Both continue from the digest of what came before; start with 0 and 1. */
unsigned rt_digest_crc32(unsigned before, const void *bytes, size_t length);
unsigned rt_digest_adler32(unsigned before, const void *bytes, size_t length);

char *rt_encode_hex(rt_pool *pool, const void *bytes, size_t length);
char *rt_encode_base64(rt_pool *pool, const void *bytes, size_t length);
/* `bytes` receives the decoded bytes, from the pool, and `length` their number. */
rt_status rt_decode_hex(rt_pool *pool, const char *text, unsigned char **bytes, size_t *length);
rt_status rt_decode_base64(rt_pool *pool, const char *text, unsigned char **bytes, size_t *length);

#endif
