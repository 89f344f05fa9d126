/* The last lines that threads have logged, in memory. The oldest are overwritten. */
#ifndef RT_LOG_H
#define RT_LOG_H

#include "pool.h"

enum { RT_LOG_LINE = 32 };

typedef enum rt_log_level { RT_LOG_DEBUG, RT_LOG_INFO, RT_LOG_WARNING, RT_LOG_ERROR } rt_log_level;

typedef struct rt_log rt_log;

rt_status rt_log_create(rt_log **made, rt_pool *pool, size_t lines, rt_log_level least);
/* Cut after RT_LOG_LINE - 1 characters. */
rt_status rt_log_write(rt_log *log, rt_log_level level, const char *text);
/* All lines that are still there, the oldest first. */
char *rt_log_print(rt_log *log, rt_pool *pool);
/* Number of lines ever written, including overwritten ones. */
size_t rt_log_written(rt_log *log);

#endif
