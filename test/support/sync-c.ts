/** The programs of `sync-sketch.ts` as C: several in one file, each with its own entry. */
import type { SyncOp, SyncSketch } from './sync-sketch.ts';

const PRELUDE = `#include <fencepost.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static int x, y, ready;
static pthread_mutex_t m0, m1;
static pthread_cond_t c0;
static sem_t semaphore;
static struct timespec soon;
static int *heap;
`;

export function syncFile(sketches: readonly SyncSketch[]): string {
  return PRELUDE + sketches.map((sketch, i) => program(sketch, `p${i}`)).join('');
}

function program({ threads, main, joins }: SyncSketch, name: string): string {
  const usesHeap = JSON.stringify(threads).includes('Heap');
  const bodies = threads.map((ops, i) => `static void *${name}_${i}(void *_) {\n${statements(ops)}  return 0;\n}\n`);
  const creations = threads.map((_, i) => `  pthread_create(&t[${i}], 0, ${name}_${i}, 0);\n`);
  const ends = joins ? threads.map((_, i) => `  pthread_join(t[${i}], 0);\n`) : [];
  return `${bodies.join('')}int ${name}(void) {
  pthread_t t[${threads.length}];
  sem_init(&semaphore, 0, 1);
${usesHeap ? '  heap = malloc(4);\n' : ''}${creations.join('')}${statements(main)}${ends.join('')}  return 0;
}
`;
}

function statements(ops: readonly SyncOp[]): string {
  return ops.map((op) => `  { ${statement(op)} }\n`).join('');
}

function statement(op: SyncOp): string {
  switch (op.op) {
    case 'load':
      return `int r = ${'xy'[op.at]}; (void)r;`;
    case 'store':
      return `${'xy'[op.at]} = 1;`;
    case 'storeByte':
      return `((char *)&${'xy'[op.at]})[1] = 1;`;
    case 'add':
      return `__atomic_fetch_add(&${'xy'[op.at]}, 1, __ATOMIC_RELAXED);`;
    case 'fence':
      return '__atomic_thread_fence(__ATOMIC_SEQ_CST);';
    case 'release':
      return '__atomic_thread_fence(__ATOMIC_RELEASE);';
    case 'locked':
      return `pthread_mutex_lock(&m${op.mutex});\n${statements(op.body)}pthread_mutex_unlock(&m${op.mutex});`;
    case 'tryLocked':
      return `if (!pthread_mutex_trylock(&m${op.mutex})) {\n${statements(op.body)}pthread_mutex_unlock(&m${op.mutex}); }`;
    case 'await':
      return 'pthread_mutex_lock(&m0); if (!ready) pthread_cond_wait(&c0, &m0); pthread_mutex_unlock(&m0);';
    case 'awaitTimed':
      return 'pthread_mutex_lock(&m0); if (!ready) pthread_cond_timedwait(&c0, &m0, &soon); pthread_mutex_unlock(&m0);';
    case 'signal':
      return 'ready = 1; pthread_cond_signal(&c0);';
    case 'broadcast':
      return 'ready = 1; pthread_cond_broadcast(&c0);';
    case 'down':
      return 'sem_wait(&semaphore);';
    case 'down2':
      return 'sem_wait(&semaphore); sem_wait(&semaphore);';
    case 'tryDown':
      return 'sem_trywait(&semaphore);';
    case 'up':
      return 'sem_post(&semaphore);';
    case 'choose':
      return `if (fencepost_choose(2)) {\n${statements(op.body)}}`;
    case 'twice':
      return `for (int i = 0; i < 2; i++) {\n${statements(op.body)}}`;
    case 'ifZero':
      return `if (!${'xy'[op.at]}) {\n${statements(op.body)}}`;
    case 'leaky':
      return `pthread_mutex_lock(&m${op.mutex}); if (!${'xy'[op.at]}) pthread_mutex_unlock(&m${op.mutex});`;
    case 'useHeap':
      return '*heap = 1;';
    case 'freeHeap':
      return 'free(heap);';
    case 'atomic':
      throw new Error('sections are not among these');
  }
}
