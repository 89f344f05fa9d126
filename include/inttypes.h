/* clang has its own, but that only extends the header of a libc. */
#ifndef FENCEPOST_INTTYPES_H
#define FENCEPOST_INTTYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The types of 64 bits, and those of pointers, are long where that has 64 bits. */
#ifdef __LP64__
#define __FENCEPOST_64 "l"
#define __FENCEPOST_PTR "l"
#else
#define __FENCEPOST_64 "ll"
#define __FENCEPOST_PTR ""
#endif

#define PRId8 "hhd"
#define PRId16 "hd"
#define PRId32 "d"
#define PRId64 __FENCEPOST_64 "d"
#define PRIdLEAST8 "hhd"
#define PRIdLEAST16 "hd"
#define PRIdLEAST32 "d"
#define PRIdLEAST64 __FENCEPOST_64 "d"
#define PRIdFAST8 "hhd"
#define PRIdFAST16 "hd"
#define PRIdFAST32 "d"
#define PRIdFAST64 __FENCEPOST_64 "d"
#define PRIdMAX __FENCEPOST_64 "d"
#define PRIdPTR __FENCEPOST_PTR "d"

#define PRIi8 "hhi"
#define PRIi16 "hi"
#define PRIi32 "i"
#define PRIi64 __FENCEPOST_64 "i"
#define PRIiLEAST8 "hhi"
#define PRIiLEAST16 "hi"
#define PRIiLEAST32 "i"
#define PRIiLEAST64 __FENCEPOST_64 "i"
#define PRIiFAST8 "hhi"
#define PRIiFAST16 "hi"
#define PRIiFAST32 "i"
#define PRIiFAST64 __FENCEPOST_64 "i"
#define PRIiMAX __FENCEPOST_64 "i"
#define PRIiPTR __FENCEPOST_PTR "i"

#define PRIu8 "hhu"
#define PRIu16 "hu"
#define PRIu32 "u"
#define PRIu64 __FENCEPOST_64 "u"
#define PRIuLEAST8 "hhu"
#define PRIuLEAST16 "hu"
#define PRIuLEAST32 "u"
#define PRIuLEAST64 __FENCEPOST_64 "u"
#define PRIuFAST8 "hhu"
#define PRIuFAST16 "hu"
#define PRIuFAST32 "u"
#define PRIuFAST64 __FENCEPOST_64 "u"
#define PRIuMAX __FENCEPOST_64 "u"
#define PRIuPTR __FENCEPOST_PTR "u"

#define PRIo8 "hho"
#define PRIo16 "ho"
#define PRIo32 "o"
#define PRIo64 __FENCEPOST_64 "o"
#define PRIoLEAST8 "hho"
#define PRIoLEAST16 "ho"
#define PRIoLEAST32 "o"
#define PRIoLEAST64 __FENCEPOST_64 "o"
#define PRIoFAST8 "hho"
#define PRIoFAST16 "ho"
#define PRIoFAST32 "o"
#define PRIoFAST64 __FENCEPOST_64 "o"
#define PRIoMAX __FENCEPOST_64 "o"
#define PRIoPTR __FENCEPOST_PTR "o"

#define PRIx8 "hhx"
#define PRIx16 "hx"
#define PRIx32 "x"
#define PRIx64 __FENCEPOST_64 "x"
#define PRIxLEAST8 "hhx"
#define PRIxLEAST16 "hx"
#define PRIxLEAST32 "x"
#define PRIxLEAST64 __FENCEPOST_64 "x"
#define PRIxFAST8 "hhx"
#define PRIxFAST16 "hx"
#define PRIxFAST32 "x"
#define PRIxFAST64 __FENCEPOST_64 "x"
#define PRIxMAX __FENCEPOST_64 "x"
#define PRIxPTR __FENCEPOST_PTR "x"

#define PRIX8 "hhX"
#define PRIX16 "hX"
#define PRIX32 "X"
#define PRIX64 __FENCEPOST_64 "X"
#define PRIXLEAST8 "hhX"
#define PRIXLEAST16 "hX"
#define PRIXLEAST32 "X"
#define PRIXLEAST64 __FENCEPOST_64 "X"
#define PRIXFAST8 "hhX"
#define PRIXFAST16 "hX"
#define PRIXFAST32 "X"
#define PRIXFAST64 __FENCEPOST_64 "X"
#define PRIXMAX __FENCEPOST_64 "X"
#define PRIXPTR __FENCEPOST_PTR "X"

intmax_t strtoimax(const char *__restrict text, char **__restrict end, int base);
uintmax_t strtoumax(const char *__restrict text, char **__restrict end, int base);
intmax_t imaxabs(intmax_t value);

#ifdef __cplusplus
}
#endif

#endif
