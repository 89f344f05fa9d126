#include "log.h"

#include "lock.h"
#include "text.h"

#include <string.h>

typedef struct line {
  rt_log_level level;
  char text[RT_LOG_LINE];
} line;

struct rt_log {
  rt_mutex *mutex;
  rt_log_level least;
  line *lines;
  size_t room;
  size_t written;
};

static const char *const level_names[] = {"debug", "info", "warning", "error"};

rt_status rt_log_create(rt_log **made, rt_pool *pool, size_t lines, rt_log_level least) {
  if (lines == 0) return RT_INVALID;
  rt_log *log = rt_alloc(pool, sizeof *log);
  if (log == 0) return RT_NO_MEMORY;
  RT_TRY(rt_mutex_create(&log->mutex, pool));
  log->lines = rt_alloc(pool, lines * sizeof(line));
  if (log->lines == 0) return RT_NO_MEMORY;
  log->least = least;
  log->room = lines;
  log->written = 0;
  *made = log;
  return RT_OK;
}

rt_status rt_log_write(rt_log *log, rt_log_level level, const char *text) {
  if (level < log->least) return RT_OK;
  RT_TRY(rt_mutex_lock(log->mutex));
  line *l = &log->lines[log->written % log->room];
  l->level = level;
  strncpy(l->text, text, RT_LOG_LINE - 1);
  l->text[RT_LOG_LINE - 1] = 0;
  log->written++;
  return rt_mutex_unlock(log->mutex);
}

static rt_status print_line(rt_buffer *buffer, const line *l) {
  RT_TRY(rt_buffer_add(buffer, level_names[l->level]));
  RT_TRY(rt_buffer_add(buffer, ": "));
  RT_TRY(rt_buffer_add(buffer, l->text));
  return rt_buffer_add_char(buffer, '\n');
}

char *rt_log_print(rt_log *log, rt_pool *pool) {
  rt_buffer buffer;
  if (rt_buffer_init(&buffer, pool, 64) != RT_OK || rt_mutex_lock(log->mutex) != RT_OK) return 0;
  rt_status status = RT_OK;
  size_t first = log->written > log->room ? log->written - log->room : 0;
  for (size_t i = first; i < log->written && status == RT_OK; i++)
    status = print_line(&buffer, &log->lines[i % log->room]);
  rt_mutex_unlock(log->mutex);
  return status == RT_OK ? buffer.text : 0;
}

size_t rt_log_written(rt_log *log) {
  if (rt_mutex_lock(log->mutex) != RT_OK) return 0;
  size_t written = log->written;
  rt_mutex_unlock(log->mutex);
  return written;
}
