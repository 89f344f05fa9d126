/* The parts of libc++'s shared_ptr that are not in its headers. Counts are one less than the number of owners. */
#include <fencepost/library.h>

struct counts {
  void **functions;
  long owners;
  long weak;
};

/* The virtual function table: two destructors, the end of the object, a deleter, the end of the counts. */
enum { ON_ZERO_SHARED = 2, ON_ZERO_WEAK = 4 };

static void call(struct counts *counts, int function) {
  ((void (*)(struct counts *))counts->functions[function])(counts);
}

void _ZNSt3__214__shared_countD2Ev(void *counts);
void _ZNSt3__214__shared_countD2Ev(void *counts) { (void)counts; }
void _ZNSt3__219__shared_weak_countD2Ev(void *counts);
void _ZNSt3__219__shared_weak_countD2Ev(void *counts) { (void)counts; }

void _ZNSt3__219__shared_weak_count14__release_weakEv(struct counts *counts);
void _ZNSt3__219__shared_weak_count14__release_weakEv(struct counts *counts) {
  if (__atomic_load_n(&counts->weak, __ATOMIC_ACQUIRE) == 0 || __atomic_fetch_sub(&counts->weak, 1, __ATOMIC_ACQ_REL) == 0)
    call(counts, ON_ZERO_WEAK);
}

/* One more owner, unless there is none. */
struct counts *_ZNSt3__219__shared_weak_count4lockEv(struct counts *counts);
struct counts *_ZNSt3__219__shared_weak_count4lockEv(struct counts *counts) {
  long owners = __atomic_load_n(&counts->owners, __ATOMIC_SEQ_CST);
  while (owners != -1)
    if (__atomic_compare_exchange_n(&counts->owners, &owners, owners + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return counts;
  return 0;
}

const void *_ZNKSt3__219__shared_weak_count13__get_deleterERKSt9type_info(void *counts, const void *type);
const void *_ZNKSt3__219__shared_weak_count13__get_deleterERKSt9type_info(void *counts, const void *type) {
  (void)counts;
  (void)type;
  return 0;
}

extern void *_ZTVN10__cxxabiv117__class_type_infoE[8], *_ZTVN10__cxxabiv120__si_class_type_infoE[8];
void __cxa_pure_virtual(void);

void *_ZTINSt3__214__shared_countE[2] = {&_ZTVN10__cxxabiv117__class_type_infoE[2], "NSt3__214__shared_countE"};
void *_ZTINSt3__219__shared_weak_countE[3] = {&_ZTVN10__cxxabiv120__si_class_type_infoE[2], "NSt3__219__shared_weak_countE",
                                              _ZTINSt3__214__shared_countE};
void *_ZTVNSt3__214__shared_countE[5] = {0, _ZTINSt3__214__shared_countE, (void *)_ZNSt3__214__shared_countD2Ev,
                                         (void *)__cxa_pure_virtual, (void *)__cxa_pure_virtual};
void *_ZTVNSt3__219__shared_weak_countE[7] = {0,
                                              _ZTINSt3__219__shared_weak_countE,
                                              (void *)_ZNSt3__219__shared_weak_countD2Ev,
                                              (void *)__cxa_pure_virtual,
                                              (void *)__cxa_pure_virtual,
                                              (void *)_ZNKSt3__219__shared_weak_count13__get_deleterERKSt9type_info,
                                              (void *)__cxa_pure_virtual};
