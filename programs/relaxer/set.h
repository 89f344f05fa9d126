/*
 * The paper's harness for sets: insert 3 and 7; then, in three threads, insert -1 and remove 2; remove 3, insert 1 and
 * look for 7; look for 3 and insert -5. SMALL: insert 1 beside looking for 1.
 */
#ifndef RELAXER_SET_H
#define RELAXER_SET_H

#include "../fences.h"
#include <fencepost.h>
#include <stdlib.h>

enum { LOWEST = -1000, HIGHEST = 1000 };

/* 1 if it was not there, was there, is there. */
static int insert(int key);
static int remove_key(int key);
static int contains(int key);

static void marked_insert(int key) {
  fencepost_op_begin("insert", key);
  fencepost_op_end(insert(key));
}

static void marked_remove(int key) {
  fencepost_op_begin("remove", key);
  fencepost_op_end(remove_key(key));
}

static void marked_contains(int key) {
  fencepost_op_begin("contains", key);
  fencepost_op_end(contains(key));
}

static void *first(void *unused) {
  (void)unused;
#ifdef SMALL
  marked_insert(1);
#else
  marked_insert(-1);
  marked_remove(2);
#endif
  return 0;
}

static void *second(void *unused) {
  (void)unused;
#ifdef SMALL
  marked_contains(1);
#else
  marked_remove(3);
  marked_insert(1);
  marked_contains(7);
#endif
  return 0;
}

static void *third(void *unused) {
  (void)unused;
#ifndef SMALL
  marked_contains(3);
  marked_insert(-5);
#endif
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  marked_insert(3);
  marked_insert(7);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_create(&c, 0, third, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}

#endif
