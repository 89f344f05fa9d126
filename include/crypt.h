#ifndef FENCEPOST_CRYPT_H
#define FENCEPOST_CRYPT_H

struct crypt_data {
  int initialized;
  char __rest[1024];
};

/* Declared only. */
char *crypt(const char *key, const char *salt);
char *crypt_r(const char *key, const char *salt, struct crypt_data *data);

#endif
