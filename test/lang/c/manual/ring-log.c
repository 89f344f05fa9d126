/* expect: correct; same output always */
/*
 * Messages of several producers, formatted with varargs into slots that two semaphores count; one consumer sorts them into
 * lists per producer and prints them at the end.
 */
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2, PRODUCERS = 2, MESSAGES = 2, TEXT = 32 };

typedef enum level { DEBUG, INFO, WARNING } level_t;

static const char *const level_names[] = {[DEBUG] = "debug", [INFO] = "info", [WARNING] = "warning"};

struct message {
  int producer;
  level_t level;
  char text[TEXT];
};

struct ring {
  struct message slots[SLOTS];
  unsigned first, count;
  pthread_mutex_t mutex;
  sem_t filled, empty;
};

struct list {
  struct list *next;
  struct message message;
};

static struct ring *ring_new(void) {
  struct ring *ring = malloc(sizeof *ring);
  assert(ring != NULL);
  memset(ring->slots, 0, sizeof ring->slots);
  ring->first = ring->count = 0;
  pthread_mutex_init(&ring->mutex, NULL);
  sem_init(&ring->filled, 0, 0);
  sem_init(&ring->empty, 0, SLOTS);
  return ring;
}

static void ring_delete(struct ring *ring) {
  sem_destroy(&ring->empty);
  sem_destroy(&ring->filled);
  pthread_mutex_destroy(&ring->mutex);
  free(ring);
}

static void ring_put(struct ring *ring, const struct message *message) {
  while (sem_wait(&ring->empty) != 0) continue;
  pthread_mutex_lock(&ring->mutex);
  ring->slots[(ring->first + ring->count++) % SLOTS] = *message;
  pthread_mutex_unlock(&ring->mutex);
  sem_post(&ring->filled);
}

static struct message ring_get(struct ring *ring) {
  while (sem_wait(&ring->filled) != 0) continue;
  pthread_mutex_lock(&ring->mutex);
  struct message message = ring->slots[ring->first];
  ring->first = (ring->first + 1) % SLOTS;
  ring->count--;
  pthread_mutex_unlock(&ring->mutex);
  sem_post(&ring->empty);
  return message;
}

static void say(struct ring *ring, int producer, level_t level, const char *format, ...) {
  struct message message = {.producer = producer, .level = level};
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(message.text, sizeof message.text, format, arguments);
  va_end(arguments);
  assert(length > 0 && length < TEXT);
  message.text[0] = (char)toupper((unsigned char)message.text[0]);
  ring_put(ring, &message);
}

struct producer {
  struct ring *ring;
  int number;
};

static void *produce(void *argument) {
  const struct producer *self = argument;
  for (int i = 0; i < MESSAGES; i++)
    say(self->ring, self->number, i == 0 ? INFO : WARNING, "message %d of %d%c", i + 1, MESSAGES, i == 0 ? '.' : '!');
  return NULL;
}

static void print_list(const struct list *list) {
  for (; list != NULL; list = list->next)
    printf("%d %-7s %s\n", list->message.producer, level_names[list->message.level], list->message.text);
}

int main(void) {
  struct ring *ring = ring_new();
  struct producer producers[PRODUCERS];
  pthread_t threads[PRODUCERS];
  struct list *lists[PRODUCERS] = {NULL}, **ends[PRODUCERS];
  for (int i = 0; i < PRODUCERS; i++) {
    ends[i] = &lists[i];
    producers[i] = (struct producer){ring, i};
    if (pthread_create(&threads[i], NULL, produce, &producers[i]) != 0) return EXIT_FAILURE;
  }
  for (int i = 0; i < PRODUCERS * MESSAGES; i++) {
    struct list *entry = malloc(sizeof *entry);
    assert(entry != NULL);
    entry->message = ring_get(ring);
    entry->next = NULL;
    *ends[entry->message.producer] = entry;
    ends[entry->message.producer] = &entry->next;
  }
  for (int i = 0; i < PRODUCERS; i++) {
    pthread_join(threads[i], NULL);
    print_list(lists[i]);
    for (struct list *next; lists[i] != NULL; lists[i] = next) {
      next = lists[i]->next;
      free(lists[i]);
    }
  }
  ring_delete(ring);
  return EXIT_SUCCESS;
}
