#ifndef FENCEPOST_SYS_AUXV_H
#define FENCEPOST_SYS_AUXV_H

#ifdef __cplusplus
extern "C" {
#endif

#define AT_NULL 0
#define AT_PHDR 3
#define AT_PAGESZ 6
#define AT_PLATFORM 15
#define AT_HWCAP 16
#define AT_CLKTCK 17
#define AT_SECURE 23
#define AT_RANDOM 25
#define AT_HWCAP2 26
#define AT_SYSINFO_EHDR 33
#define HWCAP_ATOMICS (1 << 8)

/* Declared only. */
unsigned long getauxval(unsigned long type);

#ifdef __cplusplus
}
#endif

#endif
