#ifndef FENCEPOST_CTYPE_H
#define FENCEPOST_CTYPE_H

#ifdef __cplusplus
extern "C" {
#endif

/* For the "C" locale: ASCII. */
int isalnum(int character);
int isalpha(int character);
int isblank(int character);
int iscntrl(int character);
int isdigit(int character);
int isgraph(int character);
int islower(int character);
int isprint(int character);
int ispunct(int character);
int isspace(int character);
int isupper(int character);
int isxdigit(int character);
int tolower(int character);
int toupper(int character);

#ifdef __cplusplus
}
#endif

#endif
