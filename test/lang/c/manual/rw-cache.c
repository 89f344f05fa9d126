/* expect: correct; same output always */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4

struct entry {
  char *key;
  int value;
  struct entry *next;
};

static struct {
  pthread_rwlock_t lock;
  struct entry *buckets[BUCKETS];
  size_t size;
} cache = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static unsigned hash(const char *key) {
  unsigned h = 5381;
  while (*key) h = h * 33 + (unsigned char)*key++;
  return h % BUCKETS;
}

static struct entry *find(const char *key) {
  struct entry *e;
  for (e = cache.buckets[hash(key)]; e; e = e->next) {
    if (strcmp(e->key, key) == 0) return e;
  }
  return NULL;
}

static void put(const char *key, int value) {
  struct entry *e;
  pthread_rwlock_wrlock(&cache.lock);
  if ((e = find(key)) != NULL) {
    e->value = value;
  } else {
    e = malloc(sizeof *e);
    e->key = strdup(key);
    e->value = value;
    e->next = cache.buckets[hash(key)];
    cache.buckets[hash(key)] = e;
    cache.size++;
  }
  pthread_rwlock_unlock(&cache.lock);
}

static int get(const char *key, int otherwise) {
  int value = otherwise;
  pthread_rwlock_rdlock(&cache.lock);
  struct entry *e = find(key);
  if (e) value = e->value;
  pthread_rwlock_unlock(&cache.lock);
  return value;
}

static void clear(void) {
  for (int i = 0; i < BUCKETS; i++) {
    struct entry *e = cache.buckets[i];
    while (e) {
      struct entry *next = e->next;
      free(e->key);
      free(e);
      e = next;
    }
  }
}

static void *reader(void *key) {
  int value = get(key, -1);
  assert(value == -1 || value == 7);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, "b");
  put("b", 7);
  pthread_join(thread, NULL);
  put("b", 8);
  printf("%d %d %zu\n", get("b", -1), get("zz", -1), cache.size);
  clear();
  if (pthread_rwlock_trywrlock(&cache.lock) != 0) return 1;
  pthread_rwlock_unlock(&cache.lock);
  return pthread_rwlock_destroy(&cache.lock);
}
