#ifndef FENCEPOST_LANGINFO_H
#define FENCEPOST_LANGINFO_H

typedef int nl_item;
#define CODESET 14
#define RADIXCHAR 0x10000

/* Declared only. */
char *nl_langinfo(nl_item item);

#endif
