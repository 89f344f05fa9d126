/* expect: correct; same output always */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum level { DEBUG, INFO, WARNING };
static const char *const names[] = {[DEBUG] = "debug", [INFO] = "info", [WARNING] = "warning"};

static mtx_t lock;
static char lines[4][48];
static size_t used;
static _Thread_local unsigned own_lines;

static void log_at(enum level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void log_at(enum level level, const char *format, ...) {
  va_list arguments;
  mtx_lock(&lock);
  char *line = lines[used++ % 4];
  int length = snprintf(line, sizeof lines[0], "[%-7s] ", names[level]);
  va_start(arguments, format);
  vsnprintf(line + length, sizeof lines[0] - (size_t)length, format, arguments);
  va_end(arguments);
  mtx_unlock(&lock);
  own_lines++;
}

static void shout(char *text) {
  for (; *text != '\0'; ++text) *text = (char)toupper((unsigned char)*text);
}

static int worker(void *argument) {
  log_at(INFO, "worker %c%s, %#x, %5.2f", 'n', (const char *)argument, 255u, 2.5);
  return (int)own_lines;
}

static void say_goodbye(void) { puts("goodbye"); }
static void say_done(void) { fputs("done, ", stdout); }

int main(void) {
  thrd_t thread;
  int count;
  if (atexit(say_goodbye) != 0 || atexit(say_done) != 0) return EXIT_FAILURE;
  mtx_init(&lock, mtx_plain);
  thrd_create(&thread, worker, "umber 1");
  thrd_join(thread, &count);
  log_at(WARNING, "%d line%s from the worker", count, count == 1 ? "" : "s");

  char text[] = "alpha:beta::gamma";
  char *rest = NULL;
  for (char *word = strtok_r(text, ":", &rest); word != NULL; word = strtok_r(NULL, ":", &rest)) {
    shout(word);
    printf("%s ", word);
  }
  putchar('\n');
  for (size_t i = 0; i < used; i++) printf("%s\n", lines[i]);
  mtx_destroy(&lock);
  exit(own_lines == 1 ? EXIT_SUCCESS : EXIT_FAILURE);
}
