#ifndef FENCEPOST_DLFCN_H
#define FENCEPOST_DLFCN_H

#ifdef __cplusplus
extern "C" {
#endif

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
#define RTLD_NODELETE 0x1000
#define RTLD_DEFAULT ((void *)0)
#define RTLD_NEXT ((void *)-1l)
typedef struct {
  const char *dli_fname;
  void *dli_fbase;
  const char *dli_sname;
  void *dli_saddr;
} Dl_info;

/* Declared only. */
void *dlopen(const char *file, int flags);
int dlclose(void *library);
void *dlsym(void *__restrict library, const char *__restrict name);
char *dlerror(void);
int dladdr(const void *address, Dl_info *info);

#ifdef __cplusplus
}
#endif

#endif
