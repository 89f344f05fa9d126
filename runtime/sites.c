/*
 * Places in the source. A site is a number that stands for an address of code: the modules of the process, the program
 * and its libraries, follow one another in the numbers, from 1 on. The log says where each module begins; `fencepost
 * monitor` finds file and line from that and the module's debug information.
 */
#include <link.h>

enum { MODULES = 1024 };

static struct module {
  uintptr_t start, size;
  uint32_t first;
  /* It has called hooks. */
  _Atomic int is_instrumented;
} modules[MODULES];
static _Atomic uint32_t module_count;
static uint32_t next_site = 1;
static latch module_latch;

static struct module *module_at(uintptr_t place) {
  uint32_t count = atomic_load_explicit(&module_count, memory_order_acquire);
  for (uint32_t i = 0; i < count; i++)
    if (place - modules[i].start < modules[i].size) return &modules[i];
  return NULL;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size;
  struct self *self = argument;
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    uintptr_t from = info->dlpi_addr + part->p_vaddr;
    if (from < start) start = from;
    if (from + part->p_memsz > end) end = from + part->p_memsz;
  }
  uint32_t count = atomic_load(&module_count);
  if (end <= start || module_at(start) || count == MODULES || end - start > INT32_MAX - next_site) return 0;
  char name[4096] = "";
  if (info->dlpi_name && *info->dlpi_name) {
    if (!realpath(info->dlpi_name, name)) return 0;
  } else {
    long length = readlink("/proc/self/exe", name, sizeof name - 1);
    if (length > 0) name[length] = 0;
  }
  modules[count].start = start;
  modules[count].size = end - start;
  modules[count].first = next_site;
  struct record record = {.operation = MODULE, .other = NOBODY, .site = next_site, .address = start};
  record.value = start - info->dlpi_addr;
  next_site += (uint32_t)(end - start);
  put_text(self, record, name);
  atomic_store_explicit(&module_count, count + 1, memory_order_release);
  return 0;
}

/*
 * Adds the modules loaded now, the program itself first. No thread waits here: the one at work may be waiting for a
 * thread that is loading a library, and that thread may have come here.
 */
static void add_modules(struct self *self) {
  if (atomic_exchange(&module_latch, 1)) return;
  dl_iterate_phdr(add_module, self);
  open_latch(&module_latch);
}

static uint32_t site_elsewhere(struct self *self, uintptr_t place) {
  /* Called by the system. */
  if (place == UINTPTR_MAX) place = self->place - 1;
  struct module *module = module_at(place);
  if (!module) {
    add_modules(self);
    module = module_at(place);
  }
  if (!module) return 0;
  if (!module->is_instrumented && self->place) {
    place = self->place - 1;
    module = module_at(place);
    if (!module) return 0;
  }
  return module->first + (uint32_t)(place - module->start);
}

/* The site of the call returning to `place`; for uninstrumented code, the thread's last place in instrumented code. */
static inline uint32_t site_of(struct self *self, uintptr_t place) {
  place--;
  if (place - modules[0].start < modules[0].size) return modules[0].first + (uint32_t)(place - modules[0].start);
  return site_elsewhere(self, place);
}

/* Instrumented code is at `place`. */
static inline void stand_at(struct self *self, uintptr_t place) {
  self->place = place;
  if (UNLIKELY(place - modules[0].start >= modules[0].size)) {
    struct module *module = module_at(place);
    if (module) module->is_instrumented = 1;
  }
}
