#ifndef FENCEPOST_LANGINFO_H
#define FENCEPOST_LANGINFO_H

#ifdef __cplusplus
extern "C" {
#endif

typedef int nl_item;
#define CODESET 14
#define RADIXCHAR 0x10000

/* Declared only. */
char *nl_langinfo(nl_item item);

#ifdef __cplusplus
}
#endif

#endif
