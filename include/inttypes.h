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

#define SCNd8 "hhd"
#define SCNd16 "hd"
#define SCNd32 "d"
#define SCNd64 __FENCEPOST_64 "d"
#define SCNdLEAST8 "hhd"
#define SCNdLEAST16 "hd"
#define SCNdLEAST32 "d"
#define SCNdLEAST64 __FENCEPOST_64 "d"
#define SCNdFAST8 "hhd"
#define SCNdFAST16 "hd"
#define SCNdFAST32 "d"
#define SCNdFAST64 __FENCEPOST_64 "d"
#define SCNdMAX __FENCEPOST_64 "d"
#define SCNdPTR __FENCEPOST_PTR "d"

#define SCNi8 "hhi"
#define SCNi16 "hi"
#define SCNi32 "i"
#define SCNi64 __FENCEPOST_64 "i"
#define SCNiLEAST8 "hhi"
#define SCNiLEAST16 "hi"
#define SCNiLEAST32 "i"
#define SCNiLEAST64 __FENCEPOST_64 "i"
#define SCNiFAST8 "hhi"
#define SCNiFAST16 "hi"
#define SCNiFAST32 "i"
#define SCNiFAST64 __FENCEPOST_64 "i"
#define SCNiMAX __FENCEPOST_64 "i"
#define SCNiPTR __FENCEPOST_PTR "i"

#define SCNu8 "hhu"
#define SCNu16 "hu"
#define SCNu32 "u"
#define SCNu64 __FENCEPOST_64 "u"
#define SCNuLEAST8 "hhu"
#define SCNuLEAST16 "hu"
#define SCNuLEAST32 "u"
#define SCNuLEAST64 __FENCEPOST_64 "u"
#define SCNuFAST8 "hhu"
#define SCNuFAST16 "hu"
#define SCNuFAST32 "u"
#define SCNuFAST64 __FENCEPOST_64 "u"
#define SCNuMAX __FENCEPOST_64 "u"
#define SCNuPTR __FENCEPOST_PTR "u"

#define SCNo8 "hho"
#define SCNo16 "ho"
#define SCNo32 "o"
#define SCNo64 __FENCEPOST_64 "o"
#define SCNoLEAST8 "hho"
#define SCNoLEAST16 "ho"
#define SCNoLEAST32 "o"
#define SCNoLEAST64 __FENCEPOST_64 "o"
#define SCNoFAST8 "hho"
#define SCNoFAST16 "ho"
#define SCNoFAST32 "o"
#define SCNoFAST64 __FENCEPOST_64 "o"
#define SCNoMAX __FENCEPOST_64 "o"
#define SCNoPTR __FENCEPOST_PTR "o"

#define SCNx8 "hhx"
#define SCNx16 "hx"
#define SCNx32 "x"
#define SCNx64 __FENCEPOST_64 "x"
#define SCNxLEAST8 "hhx"
#define SCNxLEAST16 "hx"
#define SCNxLEAST32 "x"
#define SCNxLEAST64 __FENCEPOST_64 "x"
#define SCNxFAST8 "hhx"
#define SCNxFAST16 "hx"
#define SCNxFAST32 "x"
#define SCNxFAST64 __FENCEPOST_64 "x"
#define SCNxMAX __FENCEPOST_64 "x"
#define SCNxPTR __FENCEPOST_PTR "x"

intmax_t strtoimax(const char *__restrict text, char **__restrict end, int base);
uintmax_t strtoumax(const char *__restrict text, char **__restrict end, int base);
intmax_t imaxabs(intmax_t value);

typedef struct {
  intmax_t quot;
  intmax_t rem;
} imaxdiv_t;

imaxdiv_t imaxdiv(intmax_t dividend, intmax_t divisor);

#ifdef __cplusplus
}
#endif

#endif
