#include "digest.h"

#include <string.h>

static const char hex_digits[] = "0123456789abcdef";
static const char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

unsigned rt_digest_fnv(const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  unsigned digest = 2166136261u;
  for (size_t i = 0; i < length; i++) digest = (digest ^ byte[i]) * 16777619u;
  return digest;
}

unsigned rt_digest_crc32(unsigned before, const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  unsigned digest = ~before;
  for (size_t i = 0; i < length; i++) {
    digest ^= byte[i];
    for (int bit = 0; bit < 8; bit++) digest = (digest >> 1) ^ (digest & 1 ? 0xedb88320u : 0);
  }
  return ~digest;
}

unsigned rt_digest_adler32(unsigned before, const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  unsigned low = before & 0xffff, high = before >> 16;
  for (size_t i = 0; i < length; i++) {
    low = (low + byte[i]) % 65521;
    high = (high + low) % 65521;
  }
  return high << 16 | low;
}

/* The value of a digit, or -1. */
static int value_in(const char *digits, char digit) {
  const char *place = digit == 0 ? 0 : strchr(digits, digit);
  return place == 0 ? -1 : (int)(place - digits);
}

char *rt_encode_hex(rt_pool *pool, const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  char *text = rt_alloc(pool, 2 * length + 1);
  if (text == 0) return 0;
  for (size_t i = 0; i < length; i++) {
    text[2 * i] = hex_digits[byte[i] >> 4];
    text[2 * i + 1] = hex_digits[byte[i] & 15];
  }
  text[2 * length] = 0;
  return text;
}

rt_status rt_decode_hex(rt_pool *pool, const char *text, unsigned char **bytes, size_t *length) {
  size_t digits = strlen(text);
  if (digits % 2 != 0) return RT_SYNTAX;
  unsigned char *decoded = rt_alloc(pool, digits / 2);
  if (decoded == 0) return RT_NO_MEMORY;
  for (size_t i = 0; i < digits; i += 2) {
    int high = value_in(hex_digits, text[i]), low = value_in(hex_digits, text[i + 1]);
    if (high < 0 || low < 0) return RT_SYNTAX;
    decoded[i / 2] = (unsigned char)(high << 4 | low);
  }
  *bytes = decoded;
  *length = digits / 2;
  return RT_OK;
}

char *rt_encode_base64(rt_pool *pool, const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  char *text = rt_alloc(pool, (length + 2) / 3 * 4 + 1);
  if (text == 0) return 0;
  char *end = text;
  for (size_t i = 0; i < length; i += 3) {
    size_t left = length - i;
    unsigned group = (unsigned)byte[i] << 16;
    if (left > 1) group |= (unsigned)byte[i + 1] << 8;
    if (left > 2) group |= byte[i + 2];
    *end++ = base64_digits[group >> 18];
    *end++ = base64_digits[group >> 12 & 63];
    *end++ = left > 1 ? base64_digits[group >> 6 & 63] : '=';
    *end++ = left > 2 ? base64_digits[group & 63] : '=';
  }
  *end = 0;
  return text;
}

rt_status rt_decode_base64(rt_pool *pool, const char *text, unsigned char **bytes, size_t *length) {
  size_t digits = strlen(text);
  if (digits % 4 != 0) return RT_SYNTAX;
  unsigned char *decoded = rt_alloc(pool, digits / 4 * 3);
  if (decoded == 0) return RT_NO_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < digits; i += 4) {
    unsigned group = 0;
    int padding = 0;
    for (size_t k = 0; k < 4; k++) {
      int is_padding = text[i + k] == '=' && i + 4 == digits && k > 1;
      int value = is_padding ? 0 : value_in(base64_digits, text[i + k]);
      if (value < 0 || (padding > 0 && !is_padding)) return RT_SYNTAX;
      padding += is_padding;
      group = group << 6 | (unsigned)value;
    }
    for (int k = 0; k < 3 - padding; k++) decoded[count++] = (unsigned char)(group >> (16 - 8 * k));
  }
  *bytes = decoded;
  *length = count;
  return RT_OK;
}
