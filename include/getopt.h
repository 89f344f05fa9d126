#ifndef FENCEPOST_GETOPT_H
#define FENCEPOST_GETOPT_H

#ifdef __cplusplus
extern "C" {
#endif

#define no_argument 0
#define required_argument 1
#define optional_argument 2

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

extern char *optarg;
extern int optind, opterr, optopt;

/* As in glibc: arguments that are not options are moved to the end, unless the options begin with a plus sign. */
int getopt(int count, char *const arguments[], const char *options);
int getopt_long(int count, char *const arguments[], const char *options, const struct option *long_options, int *index);
int getopt_long_only(int count, char *const arguments[], const char *options, const struct option *long_options,
                     int *index);

#ifdef __cplusplus
}
#endif

#endif
