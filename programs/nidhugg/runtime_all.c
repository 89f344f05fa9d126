/*
 * Every module of the runtime (`runtime/`) once, by one thread: does it do what its header says? There is one
 * execution; no model can make a difference.
 *
 *   fencepost check programs/nidhugg/runtime_all.c programs/nidhugg/runtime/?*.c
 */
#include "runtime/atomic.h"
#include "runtime/digest.h"
#include "runtime/hash.h"
#include "runtime/heap.h"
#include "runtime/list.h"
#include "runtime/lock.h"
#include "runtime/log.h"
#include "runtime/queue.h"
#include "runtime/resources.h"
#include "runtime/ring.h"
#include "runtime/table.h"
#include "runtime/text.h"
#include "runtime/thread.h"
#include "runtime/workers.h"

#include <assert.h>
#include <string.h>

static int same(const char *left, const char *right) { return left != 0 && strcmp(left, right) == 0; }

static void pools(rt_pool *root) {
  rt_pool *parent, *child;
  assert(rt_pool_create(&parent, root) == RT_OK && rt_pool_create(&child, parent) == RT_OK);
  assert(rt_pool_is_ancestor(root, child) && !rt_pool_is_ancestor(child, parent));
  char *large = rt_alloc(child, 5000), *small = rt_alloc(child, 3);
  assert(large != 0 && small != 0);
  large[4999] = small[2] = 1;
  assert(rt_pool_bytes(child) == 5008);
  rt_pool_clear(parent);
  assert(rt_pool_bytes(parent) == 0);
  rt_pool_destroy(parent);
}

static void lists(void) {
  struct named {
    int name;
    rt_node node;
  } a = {1, {0, 0}}, b = {2, {0, 0}};
  rt_node first, second;
  rt_list_init(&first);
  rt_list_init(&second);
  rt_list_push_back(&first, &a.node);
  rt_list_push_front(&first, &b.node);
  rt_list_splice(&second, &first);
  assert(rt_list_is_empty(&first) && rt_list_length(&second) == 2);
  assert(RT_OBJECT_OF(rt_list_pop_front(&second), struct named, node)->name == 2);
}

static void texts(rt_pool *pool) {
  int number;
  char padded[] = " \tword \n";
  assert(same(rt_text_concat(pool, "a", "", "bc", (char *)0), "abc"));
  assert(same(rt_text_format(pool, "%d-%s", 7, "x"), "7-x"));
  assert(same(rt_text_trim(padded), "word"));
  assert(rt_text_compare_case("HeLLo", "hEllO") == 0 && rt_text_compare_case("a", "B") < 0);
  assert(rt_text_starts_with("prefix", "pre") && rt_text_ends_with("suffix", "fix") && !rt_text_ends_with("x", "xx"));
  assert(same(rt_text_find("needle in", "le"), "le in") && rt_text_find("abc", "d") == 0);
  assert(same(rt_text_join(pool, rt_text_split(pool, ",a,,bc,d", ","), "+"), "a+bc+d"));
  assert(rt_text_to_int("-2147483648", 10, &number) == RT_OK && number == (-2147483647 - 1));
  assert(rt_text_to_int("2147483648", 10, &number) == RT_RANGE && rt_text_to_int("12x", 10, &number) == RT_SYNTAX);
  assert(rt_text_to_int("zz", 36, &number) == RT_OK && number == 35 * 36 + 35);
  assert(same(rt_text_from_int(pool, -255, 16), "-ff") && same(rt_text_from_int(pool, 0, 2), "0"));
  assert(rt_text_matches("main.c", "*.c") && !rt_text_matches("main.cc", "*.c") && rt_text_matches("a*", "?\\*"));
}

static int by_number(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

static void arrays_and_heaps(rt_pool *pool) {
  static const int numbers[] = {3, 1, 2};
  rt_array *array = rt_array_create(pool, 1, sizeof(int));
  rt_heap *heap = rt_heap_create(pool, sizeof(int), by_number);
  rt_bits bits;
  int least, wanted = 2;
  for (int i = 0; i < 3; i++) {
    *(int *)rt_array_push(array) = numbers[i];
    assert(rt_heap_push(heap, &numbers[i]) == RT_OK);
  }
  assert(rt_array_sort(array, by_number) == RT_OK && rt_array_find(array, &wanted, by_number) == 1);
  rt_array_remove(array, 0);
  assert(array->length == 2 && *(int *)rt_array_at(array, 0) == 2);
  for (int i = 1; i <= 3; i++) assert(rt_heap_pop(heap, &least) == RT_OK && least == i);
  assert(rt_heap_pop(heap, &least) == RT_EMPTY);
  assert(rt_bits_init(&bits, pool, 40) == RT_OK);
  rt_bits_set(&bits, 0);
  rt_bits_set(&bits, 33);
  assert(rt_bits_number_set(&bits) == 2 && rt_bits_first_free(&bits, 33) == 34 && rt_bits_first_free(&bits, 0) == 1);
}

static void tables(rt_pool *pool) {
  static const char *const keys[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  static int values[10];
  rt_hash *hash = rt_hash_create(pool), *other = rt_hash_create(pool);
  for (int i = 0; i < 10; i++) assert(rt_hash_set(hash, keys[i], RT_KEY_TEXT, &values[i]) == RT_OK);
  assert(rt_hash_count(hash) == 10 && rt_hash_get(hash, "j", 1) == &values[9] && rt_hash_get(hash, "k", 1) == 0);
  assert(rt_hash_set(hash, "a", 1, 0) == RT_OK && rt_hash_set(hash, "a", 1, 0) == RT_NOT_FOUND);
  assert(rt_hash_set(other, "b", 1, &values[0]) == RT_OK);
  rt_hash *merged = rt_hash_merge(pool, hash, other);
  assert(rt_hash_count(merged) == 9 && rt_hash_get(merged, "b", 1) == &values[0]);
  rt_table *table = rt_table_create(pool);
  assert(rt_table_parse(table, "Host: here\r\nAccept: all\r\n") == RT_OK);
  assert(rt_table_merge(table, "accept", "none") == RT_OK && rt_table_set(table, "host", "there") == RT_OK);
  assert(same(rt_table_print(pool, table), "Accept: all, none\nhost: there\n"));
  assert(rt_table_parse(table, "nonsense") == RT_SYNTAX && rt_table_remove(table, "HOST") == 1);
}

static void digests(rt_pool *pool) {
  unsigned char *bytes;
  size_t length;
  assert(rt_digest_fnv("", 0) == 2166136261u && rt_digest_fnv("a", 1) == 0xe40c292cu);
  assert(rt_digest_crc32(0, "123456789", 9) == 0xcbf43926u);
  assert(rt_digest_adler32(1, "Wikipedia", 9) == 0x11e60398u);
  assert(same(rt_encode_hex(pool, "\x01\xfe", 2), "01fe") && same(rt_encode_base64(pool, "abcd", 4), "YWJjZA=="));
  assert(rt_decode_base64(pool, "YWJjZA==", &bytes, &length) == RT_OK && length == 4 && memcmp(bytes, "abcd", 4) == 0);
  assert(rt_decode_hex(pool, "01fe", &bytes, &length) == RT_OK && length == 2 && bytes[1] == 0xfe);
  assert(rt_decode_base64(pool, "Y=Jj", &bytes, &length) == RT_SYNTAX);
}

static rt_status make_number(void **made, void *data, rt_pool *pool) {
  (void)pool;
  int *next = data;
  *made = next;
  ++*next;
  return RT_OK;
}

static void unmake_number(void *resource, void *data) {
  assert(resource == data);
  --*(int *)data;
}

static void set_flag(void *flag) { ++*(int *)flag; }

static void locks_and_queues(rt_pool *pool) {
  int made = 0, calls = 0;
  rt_resource_kind kind = {make_number, unmake_number, &made};
  rt_resources *resources;
  rt_queue *queue;
  rt_rwlock *lock;
  rt_once *once;
  rt_log *log;
  rt_ring *ring;
  rt_spin spin = RT_SPIN_INIT;
  rt_atomic number = RT_ATOMIC_INIT(3);
  void *item;
  assert(rt_resources_create(&resources, pool, &kind, 2, 1) == RT_OK);
  assert(rt_resources_borrow(resources, &item) == RT_OK && rt_resources_borrowed(resources) == 1);
  assert(rt_resources_give_back(resources, item) == RT_OK && rt_resources_borrowed(resources) == 0 && made == 1);
  assert(rt_resources_borrow(resources, &item) == RT_OK && rt_resources_discard(resources, item) == RT_OK && made == 0);
  assert(rt_queue_create(&queue, pool, 1) == RT_OK && rt_queue_push(queue, &made) == RT_OK);
  assert(rt_queue_try_push(queue, &made) == RT_FULL && rt_queue_length(queue) == 1 && rt_queue_end(queue) == RT_OK);
  assert(rt_queue_pop(queue, &item) == RT_OK && item == &made && rt_queue_pop(queue, &item) == RT_ENDED);
  assert(rt_rwlock_create(&lock, pool) == RT_OK && rt_rwlock_read(lock) == RT_OK && rt_rwlock_try_read(lock) == RT_OK);
  assert(rt_rwlock_try_write(lock) == RT_BUSY && rt_rwlock_unlock(lock) == RT_OK && rt_rwlock_unlock(lock) == RT_OK);
  assert(rt_rwlock_write(lock) == RT_OK && rt_rwlock_try_read(lock) == RT_BUSY && rt_rwlock_unlock(lock) == RT_OK);
  assert(rt_rwlock_unlock(lock) == RT_INVALID);
  assert(rt_once_create(&once, pool) == RT_OK);
  for (int i = 0; i < 2; i++) assert(rt_once_run(once, set_flag, &calls) == RT_OK);
  assert(calls == 1);
  assert(rt_log_create(&log, pool, 2, RT_LOG_INFO) == RT_OK && rt_log_write(log, RT_LOG_DEBUG, "no") == RT_OK);
  assert(rt_log_write(log, RT_LOG_INFO, "1") == RT_OK && rt_log_write(log, RT_LOG_ERROR, "2") == RT_OK);
  assert(rt_log_write(log, RT_LOG_WARNING, "3") == RT_OK && rt_log_written(log) == 3);
  assert(same(rt_log_print(log, pool), "error: 2\nwarning: 3\n"));
  assert(rt_ring_create(&ring, pool, 3) == RT_INVALID && rt_ring_create(&ring, pool, 1) == RT_OK);
  assert(rt_ring_put(ring, 5) == RT_OK && rt_ring_put(ring, 6) == RT_FULL && rt_ring_wait(ring) == 5);
  rt_spin_lock(&spin);
  assert(!rt_spin_try(&spin));
  rt_spin_unlock(&spin);
  assert(rt_atomic_raise(&number, 5) == 3 && rt_atomic_raise(&number, 4) == 5 && rt_atomic_read(&number) == 5);
}

int main(void) {
  rt_pool *root;
  assert(rt_pool_create_root(&root, 1) == RT_OK);
  pools(root);
  lists();
  texts(root);
  arrays_and_heaps(root);
  tables(root);
  digests(root);
  locks_and_queues(root);
  assert(same(rt_status_text(RT_ENDED), "has ended") && same(rt_status_text(RT_STATUS_COUNT), "unknown status"));
  rt_pool_destroy(root);
  return 0;
}
