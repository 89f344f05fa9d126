/* Command-line options, as glibc parses them and with its messages. Ordinary code on ordinary variables. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* The rest of a group of short options; null between arguments. */
static char *rest;
/* The arguments skipped because they are not options: from `first` up to, but not including, `last`. */
static int first, last;

struct private_request {
  int count;
  char **arguments;
  /* Without the flag characters at the start. */
  const char *options;
  const struct option *long_options;
  int *index;
  /* Whether an option with one hyphen may be a long one. */
  int only;
  /* Whether a missing argument has its own return value, and there are no messages. */
  int is_quiet;
};

/* Moves the options from `last` to `optind` in front of the skipped arguments. */
static void exchange(char **arguments) {
  for (; last < optind; first++, last++) {
    char *option = arguments[last];
    for (int i = last; i > first; i--) arguments[i] = arguments[i - 1];
    arguments[first] = option;
  }
}

static int is_option(const char *argument) { return argument[0] == '-' && argument[1] != 0; }

static int fail(const struct private_request *r, int option, int result) {
  optopt = option;
  return result == ':' && !r->is_quiet ? '?' : result;
}

static int is_loud(const struct private_request *r) { return opterr && !r->is_quiet; }

/* Whether the name, which ends with = or with the text, is a prefix of the option's; 2 if it is the whole name. */
static int match(const struct option *option, const char *name, size_t length) {
  if (strncmp(option->name, name, length) != 0) return 0;
  return strlen(option->name) == length ? 2 : 1;
}

/* The index of the option with this name, or with this unique prefix; -1 if there is none, -2 if there are several. */
static int find_long(const struct option *options, const char *name, size_t length) {
  int found = -1;
  for (int i = 0; options[i].name; i++) {
    int how = match(&options[i], name, length);
    if (how == 2) return i;
    if (how == 0) continue;
    int is_same = found >= 0 && options[found].has_arg == options[i].has_arg &&
                  options[found].flag == options[i].flag && options[found].val == options[i].val;
    found = found == -1 || is_same ? (found == -1 ? i : found) : -2;
  }
  return found;
}

/* `name` points just after the hyphens. */
static int take_long(const struct private_request *r, const char *hyphens, char *name) {
  const char *program = r->arguments[0];
  size_t length = strcspn(name, "=");
  int found = find_long(r->long_options, name, length);
  rest = NULL;
  optind++;
  if (found < 0) {
    if (is_loud(r) && found == -2) {
      fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", program, hyphens, name);
      for (const struct option *o = r->long_options; o->name; o++) {
        if (match(o, name, length)) fprintf(stderr, " '%s%s'", hyphens, o->name);
      }
      fprintf(stderr, "\n");
    } else if (is_loud(r)) {
      fprintf(stderr, "%s: unrecognized option '%s%s'\n", program, hyphens, name);
    }
    return fail(r, 0, '?');
  }
  const struct option *option = &r->long_options[found];
  if (name[length] == '=') {
    if (option->has_arg == no_argument) {
      if (is_loud(r))
        fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", program, hyphens, option->name);
      return fail(r, option->val, '?');
    }
    optarg = &name[length + 1];
  } else if (option->has_arg == required_argument) {
    if (optind >= r->count) {
      if (is_loud(r)) fprintf(stderr, "%s: option '%s%s' requires an argument\n", program, hyphens, option->name);
      return fail(r, option->val, ':');
    }
    optarg = r->arguments[optind++];
  }
  if (r->index) *r->index = found;
  if (!option->flag) return option->val;
  *option->flag = option->val;
  return 0;
}

static int take_short(const struct private_request *r) {
  char option = *rest++;
  const char *known = option == ':' || option == ';' ? NULL : strchr(r->options, option);
  int is_last = *rest == 0;
  if (is_last) optind++;
  if (!known) {
    if (is_loud(r)) fprintf(stderr, "%s: invalid option -- '%c'\n", r->arguments[0], option);
    if (is_last) rest = NULL;
    return fail(r, option, '?');
  }
  if (known[1] == ':') {
    if (!is_last) {
      optarg = rest;
      optind++;
    } else if (known[2] != ':') {
      if (optind >= r->count) {
        rest = NULL;
        if (is_loud(r)) fprintf(stderr, "%s: option requires an argument -- '%c'\n", r->arguments[0], option);
        return fail(r, option, ':');
      }
      optarg = r->arguments[optind++];
    }
    rest = NULL;
  }
  if (is_last) rest = NULL;
  return option;
}

static int take(struct private_request *r) {
  optarg = NULL;
  if (optind == 0 || first > optind || last > optind) {
    /* Starts from the beginning, perhaps again. */
    if (optind == 0) optind = 1;
    first = last = optind;
    rest = NULL;
  }
  int stops = *r->options == '+', all = *r->options == '-';
  if (stops || all) r->options++;
  r->is_quiet = *r->options == ':';

  if (!rest) {
    if (last == first) first = last = optind;
    if (!stops && !all) {
      if (first != last && last != optind) exchange(r->arguments);
      else if (last != optind) first = optind;
      while (optind < r->count && !is_option(r->arguments[optind])) optind++;
      last = optind;
    }
    if (optind < r->count && strcmp(r->arguments[optind], "--") == 0) {
      optind++;
      if (first != last) exchange(r->arguments);
      else first = optind;
      last = optind = r->count;
    }
    if (optind >= r->count) {
      if (first != last) optind = first;
      return -1;
    }
    char *argument = r->arguments[optind];
    if (!is_option(argument)) {
      if (stops) return -1;
      optarg = argument;
      optind++;
      return 1;
    }
    if (r->long_options && argument[1] == '-') return take_long(r, "--", argument + 2);
    /* A known short option of one letter takes precedence. */
    int is_short = argument[2] == 0 && strchr(r->options, argument[1]);
    if (r->only && !is_short) {
      if (find_long(r->long_options, argument + 1, strcspn(argument + 1, "=")) >= 0 || !strchr(r->options, argument[1]))
        return take_long(r, "-", argument + 1);
    }
    rest = argument + 1;
  }
  return take_short(r);
}

int getopt(int count, char *const arguments[], const char *options) {
  struct private_request r = {count, (char **)arguments, options, NULL, NULL, 0, 0};
  return take(&r);
}

int getopt_long(int count, char *const arguments[], const char *options, const struct option *long_options, int *index) {
  struct private_request r = {count, (char **)arguments, options, long_options, index, 0, 0};
  return take(&r);
}

int getopt_long_only(int count, char *const arguments[], const char *options, const struct option *long_options,
                     int *index) {
  struct private_request r = {count, (char **)arguments, options, long_options, index, 1, 0};
  return take(&r);
}
