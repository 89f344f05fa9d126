#include "resources.h"

#include "array.h"
#include "lock.h"

struct rt_resources {
  rt_pool *pool;
  rt_mutex *mutex;
  rt_condition *available;
  rt_resource_kind kind;
  int most;
  int spare;
  /* Total number: borrowed and idle ones. */
  int total;
  /* Of `void *`, the most recently returned at the end. */
  rt_array *idle;
};

static void unmake_idle(void *data) {
  rt_resources *resources = data;
  for (void **r = rt_array_pop(resources->idle); r != 0; r = rt_array_pop(resources->idle))
    resources->kind.unmake(*r, resources->kind.data);
}

rt_status rt_resources_create(rt_resources **made, rt_pool *pool, const rt_resource_kind *kind, int most, int spare) {
  if (most < 1 || spare < 0 || spare > most) return RT_INVALID;
  rt_resources *resources = rt_alloc(pool, sizeof *resources);
  if (resources == 0) return RT_NO_MEMORY;
  RT_TRY(rt_pool_create(&resources->pool, pool));
  RT_TRY(rt_mutex_create(&resources->mutex, pool));
  RT_TRY(rt_condition_create(&resources->available, pool));
  resources->idle = rt_array_create(pool, (size_t)spare, sizeof(void *));
  if (resources->idle == 0) return RT_NO_MEMORY;
  resources->kind = *kind;
  resources->most = most;
  resources->spare = spare;
  resources->total = 0;
  RT_TRY(rt_pool_on_cleanup(pool, unmake_idle, resources));
  *made = resources;
  return RT_OK;
}

rt_status rt_resources_borrow(rt_resources *resources, void **resource) {
  RT_TRY(rt_mutex_lock(resources->mutex));
  while (resources->idle->length == 0 && resources->total == resources->most)
    rt_condition_wait(resources->available, resources->mutex);
  rt_status status = RT_OK;
  void **idle = rt_array_pop(resources->idle);
  if (idle != 0) {
    *resource = *idle;
  } else {
    status = resources->kind.make(resource, resources->kind.data, resources->pool);
    if (status == RT_OK) resources->total++;
  }
  RT_TRY(rt_mutex_unlock(resources->mutex));
  return status;
}

static rt_status end_loan(rt_resources *resources, void *resource, int is_good) {
  RT_TRY(rt_mutex_lock(resources->mutex));
  void **place = is_good && resources->idle->length < (size_t)resources->spare ? rt_array_push(resources->idle) : 0;
  if (place != 0) {
    *place = resource;
  } else {
    resources->kind.unmake(resource, resources->kind.data);
    resources->total--;
  }
  RT_TRY(rt_condition_signal(resources->available));
  return rt_mutex_unlock(resources->mutex);
}

rt_status rt_resources_give_back(rt_resources *resources, void *resource) { return end_loan(resources, resource, 1); }

rt_status rt_resources_discard(rt_resources *resources, void *resource) { return end_loan(resources, resource, 0); }

int rt_resources_borrowed(rt_resources *resources) {
  if (rt_mutex_lock(resources->mutex) != RT_OK) return 0;
  int borrowed = resources->total - (int)resources->idle->length;
  rt_mutex_unlock(resources->mutex);
  return borrowed;
}
