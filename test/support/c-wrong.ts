/** Programs that fail in every possible way, under every model and schedule. */

/** One error per function; the line that causes it is marked. */
export const WRONG_SOURCE: string = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int global[4];
static int *pointer;
static volatile int zero, minus_one = -1;
static pthread_mutex_t m, n;
static pthread_cond_t c;
static pthread_t t;

int null_read(void) { int *p = 0; return *p; } // here: null_read
int null_write(void) { int *p = 0; *p = 1; return 0; } // here: null_write
int null_field(void) { struct { int a[20], b; } *p = 0; return p->b; } // here: null_field
int null_call(void) { int (*f)(void) = 0; return f(); } // here: null_call
static int needs_two(int a, int b) { return a + b; }
int wrong_call(void) { int (*f)(void) = (int (*)(void))needs_two; return f(); } // here: wrong_call
int data_call(void) { int (*f)(void) = (int (*)(void))(void *)global; return f(); } // here: data_call
int heap_overrun(void) { char *p = malloc(5); p[zero + 5] = 1; return 0; } // here: heap_overrun
int heap_underrun(void) { char *p = malloc(5); p[zero - 1] = 1; return 0; } // here: heap_underrun
int heap_straddle(void) { char *p = malloc(5); return *(int *)(p + 2 + zero); } // here: heap_straddle
int global_overrun(void) { return global[zero + 4]; } // here: global_overrun
int global_underrun(void) { return global[zero - 1]; } // here: global_underrun
int far_away(void) { return *(int *)0x7ffffff0; } // here: far_away
int stack_overrun(void) { int a[3] = {0}; return a[zero + 3]; } // here: stack_overrun
int stack_underrun(void) { int a[3] = {0}; return a[zero - 1]; } // here: stack_underrun
static void fill(int *a) { a[3] = 1; } // here: shared_overrun
int shared_overrun(void) { int a[3]; fill(a); return 0; }
int use_after_free(void) { int *p = malloc(4); free(p); return *p; } // here: use_after_free
int write_after_free(void) { int *p = malloc(4); free(p); *p = 1; return 0; } // here: write_after_free
int double_free(void) { int *p = malloc(4); free(p); free(p); return 0; } // here: double_free
int free_global(void) { free(global); return 0; } // here: free_global
int free_local(void) { int a[2]; a[0] = 1; free(a); return 0; } // here: free_local
int free_middle(void) { char *p = malloc(8); free(p + 4 + zero); return 0; } // here: free_middle
static int *escape(void) { int local = 1; pointer = &local; return pointer; }
int use_after_scope(void) { return *escape(); } // here: use_after_scope
static int *escape_array(unsigned n) { int local[n]; local[0] = 1; pointer = local; return pointer; }
int use_after_scope_of_vla(void) { return *escape_array(zero + 3); } // here: use_after_scope_of_vla
struct big { int a[8]; };
static int *escape_argument(struct big b) { pointer = &b.a[2]; return pointer; }
int use_after_scope_of_argument(void) { struct big b = {{0}}; return *escape_argument(b); } // here: use_after_scope_of_argument
int copy_too_much(void) { char *p = malloc(8); memcpy(p, global, 9); return 0; } // here: copy_too_much
int copy_struct_too_much(void) { struct big *p = malloc(8), b = {{0}}; *p = b; return 0; } // here: copy_struct_too_much
int fill_too_much(void) { char *p = malloc(8); memset(p, 0, 9); return 0; } // here: fill_too_much
int string_too_long(void) { char *p = malloc(3); strcpy(p, "abc"); return 0; } // here: string_too_long
int string_without_end(void) { char *p = malloc(3); memset(p, 'x', 3); return strlen(p); } // here: string_without_end
int print_of_freed(void) { char *p = malloc(4); free(p); printf("%s", p); return 0; } // here: print_of_freed
int print_without_end(void) { char *p = malloc(3); memset(p, 'x', 3); printf("%s", p); return 0; } // here: print_without_end
int print_of_nowhere(void) { printf("%s", (char *)0x7ffffff0); return 0; } // here: print_of_nowhere
int division(void) { return 1 / zero; } // here: division
int remainder_of_zero(void) { return 1 % zero; } // here: remainder_of_zero
int unsigned_division(void) { return 1u / (unsigned)zero; } // here: unsigned_division
int long_division(void) { return (int)(1ll / (long long)zero); } // here: long_division
int division_overflow(void) { return (-2147483647 - 1) / minus_one; } // here: division_overflow
int unreachable_code(void) { if (!zero) __builtin_unreachable(); return 0; } // here: unreachable_code
int call_of_abort(void) { abort(); } // here: call_of_abort
int trap(void) { __builtin_trap(); } // here: trap
int unlock_of_free(void) { pthread_mutex_unlock(&m); return 0; } // here: unlock_of_free
static void *lock_it(void *_) { pthread_mutex_lock(&m); return 0; }
int unlock_of_others(void) { pthread_create(&t, 0, lock_it, 0); pthread_join(t, 0); pthread_mutex_unlock(&m); return 0; } // here: unlock_of_others
int wait_without_lock(void) { pthread_cond_wait(&c, &m); return 0; } // here: wait_without_lock
int lock_of_null(void) { pthread_mutex_lock(0); return 0; } // here: lock_of_null
int lock_of_freed(void) { pthread_mutex_t *p = malloc(sizeof *p); free(p); pthread_mutex_lock(p); return 0; } // here: lock_of_freed
int join_of_nothing(void) { pthread_t none = 12345; pthread_join(none, 0); return 0; } // here: join_of_nothing
int assertion(void) { assert(global[1] == 7); return 0; } // here: assertion
void reach_error(void);
int error_reached(void) { reach_error(); return 0; } // here: error_reached
static void *use_pointer(void *_) { pointer[0] = 1; return 0; } // here: free_in_other
int free_in_other(void) { pointer = malloc(4); pthread_create(&t, 0, use_pointer, 0); free(pointer); pthread_join(t, 0); return 0; }
static void *free_pointer(void *_) { free(pointer); return 0; } // here: double_free_in_two
int double_free_in_two(void) { pointer = malloc(4); pthread_create(&t, 0, free_pointer, 0); pthread_join(t, 0); free_pointer(0); return 0; }
`;

/** The result of `verdict` for each. */
export const WRONG: Readonly<Record<string, string>> = {
  null_read: 'memory: access through a null pointer',
  null_write: 'memory: access through a null pointer',
  null_field: 'memory: access through a null pointer',
  null_call: 'misuse: call through a pointer that is not a function with these parameters',
  wrong_call: 'misuse: call through a pointer that is not a function with these parameters',
  data_call: 'misuse: call through a pointer that is not a function with these parameters',
  heap_overrun: 'memory: access outside any object',
  heap_underrun: 'memory: access outside any object',
  heap_straddle: 'memory: access outside any object',
  global_overrun: 'memory: access outside any object',
  global_underrun: 'memory: access outside any object',
  far_away: 'memory: access outside any object',
  stack_overrun: 'memory: access outside any object',
  stack_underrun: 'memory: access outside any object',
  shared_overrun: 'memory: access outside any object',
  use_after_free: 'memory: use after free',
  write_after_free: 'memory: use after free',
  double_free: 'memory: double free',
  free_global: 'memory: free of a pointer that malloc did not return',
  free_local: 'memory: free of a pointer that malloc did not return',
  free_middle: 'memory: free of a pointer that malloc did not return',
  use_after_scope: 'memory: access to a local variable that has gone out of scope',
  use_after_scope_of_vla: 'memory: access to a local variable that has gone out of scope',
  use_after_scope_of_argument: 'memory: access to a local variable that has gone out of scope',
  copy_too_much: 'memory: access outside any object',
  copy_struct_too_much: 'memory: access outside any object',
  fill_too_much: 'memory: access outside any object',
  string_too_long: 'memory: access outside any object',
  string_without_end: 'memory: access outside any object',
  print_of_freed: 'memory: use after free',
  print_without_end: 'memory: access outside any object',
  print_of_nowhere: 'memory: access outside any object',
  division: 'misuse: division by zero',
  remainder_of_zero: 'misuse: division by zero',
  unsigned_division: 'misuse: division by zero',
  long_division: 'misuse: division by zero',
  division_overflow: 'misuse: division overflow (the smallest integer by -1)',
  unreachable_code: 'misuse: reached code that is declared unreachable',
  call_of_abort: 'assertion: abort called',
  trap: 'assertion: trap',
  unlock_of_free: 'misuse: unlock of a mutex that the thread does not hold',
  unlock_of_others: 'misuse: unlock of a mutex that the thread does not hold',
  wait_without_lock: 'misuse: unlock of a mutex that the thread does not hold',
  lock_of_null: 'memory: access through a null pointer',
  lock_of_freed: 'memory: use after free',
  join_of_nothing: 'misuse: join of an invalid thread',
  assertion: 'assertion: global[1] == 7',
  error_reached: 'assertion: reach_error()',
  free_in_other: 'memory: use after free',
  double_free_in_two: 'memory: double free',
};
