/* A stock of things that are expensive to create, such as connections: threads borrow one and return it. */
#ifndef RT_RESOURCES_H
#define RT_RESOURCES_H

#include "pool.h"

typedef struct rt_resources rt_resources;

typedef struct rt_resource_kind {
  rt_status (*make)(void **made, void *data, rt_pool *pool);
  void (*unmake)(void *resource, void *data);
  void *data;
} rt_resource_kind;

/* At most `most` at a time, of which up to `spare` are kept while idle. */
rt_status rt_resources_create(rt_resources **made, rt_pool *pool, const rt_resource_kind *kind, int most, int spare);
/* Waits while all are borrowed. */
rt_status rt_resources_borrow(rt_resources *resources, void **resource);
rt_status rt_resources_give_back(rt_resources *resources, void *resource);
/* Instead of returning one that no longer works. */
rt_status rt_resources_discard(rt_resources *resources, void *resource);
int rt_resources_borrowed(rt_resources *resources);

#endif
