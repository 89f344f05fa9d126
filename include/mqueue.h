#ifndef FENCEPOST_MQUEUE_H
#define FENCEPOST_MQUEUE_H

#include <fcntl.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int mqd_t;
struct mq_attr {
  long mq_flags;
  long mq_maxmsg;
  long mq_msgsize;
  long mq_curmsgs;
};

/* Declared only. */
mqd_t mq_open(const char *name, int flags, ...);
int mq_close(mqd_t queue);
int mq_unlink(const char *name);
int mq_send(mqd_t queue, const char *message, size_t size, unsigned priority);
ssize_t mq_receive(mqd_t queue, char *message, size_t size, unsigned *priority);
int mq_getattr(mqd_t queue, struct mq_attr *attributes);
int mq_setattr(mqd_t queue, const struct mq_attr *__restrict attributes, struct mq_attr *__restrict old);

#ifdef __cplusplus
}
#endif

#endif
