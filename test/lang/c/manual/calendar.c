/* expect: correct; same output always */
/* Dates, and a log whose lines carry them. */
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct line {
  char stamp[24];
  char text[16];
};

static struct line lines[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *locale;

static void prepare(void) { locale = setlocale(LC_ALL, "C"); }

static void *stamp(void *argument) {
  long i = (long)argument;
  time_t now = 951782399 + i;
  struct tm parts;
  pthread_once(&once, prepare);
  strftime(lines[i].stamp, sizeof lines[i].stamp, "%F %T", gmtime_r(&now, &parts));
  snprintf(lines[i].text, sizeof lines[i].text, "line %ld", i);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, stamp, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("locale %s\n", locale);
  for (int i = 0; i < 2; i++) printf("%s %s\n", lines[i].stamp, lines[i].text);

  time_t moment = 1709210096;
  struct tm *parts = gmtime(&moment);
  printf("%s", asctime(parts));
  char text[64];
  printf("%zu %s\n", strftime(text, sizeof text, "%A %e %B %Y, week %V, day %j, %I:%M %p", parts), text);
  struct tm later = *parts;
  later.tm_mon += 11;
  later.tm_mday += 1;
  later.tm_isdst = 0;
  printf("%ld days\n", (long)(difftime(mktime(&later), mktime(parts)) / 86400));
  srand48(7);
  double real = drand48();
  printf("%.6f %ld\n", real, lrand48());
  div_t parts_of = div(-17, 5);
  printf("%d %d\n", parts_of.quot, parts_of.rem);
  return 0;
}
