/* Division of integers of 128 bits, bit by bit. Programs with pointers of 32 bits have none. */
#include <fencepost/library.h>

enum { QUOTIENT, REST };

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* The lower or upper half of the quotient, or of the remainder. */
unsigned long long __fencepost_divide_wide(unsigned long long low, unsigned long long high, unsigned long long by_low,
                                           unsigned long long by_high, int what, int is_high) {
  wide number = (wide)high << 64 | low, by = (wide)by_high << 64 | by_low, quotient = 0, rest = 0;
  for (int i = high ? 127 : 63; i >= 0; i--) {
    int carry = (int)(rest >> 127);
    rest = rest << 1 | (number >> i & 1);
    if (!carry && rest < by) continue;
    rest -= by;
    quotient |= (wide)1 << i;
  }
  wide result = what == QUOTIENT ? quotient : rest;
  return is_high ? (unsigned long long)(result >> 64) : (unsigned long long)result;
}
#endif
