/*
 * The log: a file that is mapped into memory, chunk by chunk. The ticket of an event is the number of its record, so
 * events are in order without being sorted, nothing has to be written at the end, and whatever ends the process, be it
 * a signal or kill -9, the log up to there is in the file. What follows the last record is zero; so is a record whose
 * thread died before writing it, and there the log ends.
 *
 * A chunk is unmapped when all its records are written. Each thread keeps at most the chunk in which it wrote last, so
 * the amount of mapped memory depends on the threads, not on the length of the log; and the pages belong to the file.
 */

enum { HEADER = 16, RECORD = 32, CHUNK_BITS = 17, CHUNK_RECORDS = 1 << CHUNK_BITS, PAGE = 4096, CHUNKS = 1 << 15 };
#define CHUNK_BYTES ((size_t)CHUNK_RECORDS * RECORD)

/* As in docs/monitor.md; all machines that this runs on are little-endian. */
struct record {
  uint8_t operation, order, flags, predicate;
  uint16_t thread, other;
  uint32_t site, size;
  uint64_t address, value;
};

#ifndef FENCEPOST_LOG_NAME
#define FENCEPOST_LOG_NAME ""
#endif

/* Events that are recorded unless FENCEPOST_LOG_LIMIT says otherwise: 3.2 GB. */
#define DEFAULT_LIMIT 100000000ull

static int log_file = -1;
static int is_not_recorded;
static char log_name[4096];
static _Alignas(64) _Atomic uint64_t tickets;
/* No record from this one on is written. */
static _Alignas(64) _Atomic uint64_t limit;
/* The initial limit. */
static uint64_t most_events;
static struct chunk {
  unsigned char *base;
  _Atomic uint32_t written;
} chunks[CHUNKS];
static latch chunk_latch;

static void say(const char *first, const char *second) {
  char text[sizeof log_name + 256];
  int length = snprintf(text, sizeof text, "fencepost: %s%s\n", first, second);
  if (length > 0) syscall(SYS_write, 2, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

/*
 * The log ends here. Its last event is older than everything unrecorded: threads that do not write still take stripes
 * and tickets, and those tickets are higher.
 */
static void stop_at(uint64_t ticket, const char *why) {
  uint64_t known = atomic_load(&limit);
  while (ticket < known && !atomic_compare_exchange_weak(&limit, &known, ticket)) continue;
  if (ticket < known) say("recording ends: ", why);
}

static void stop(const char *why) { stop_at(atomic_fetch_add(&tickets, 1), why); }

static void map_chunk(uint64_t number) {
  struct chunk *chunk = &chunks[number];
  off_t offset = (off_t)(number * CHUNK_BYTES);
  close_latch(&chunk_latch);
  if (!chunk->base) {
    /* A record may end on the page after the chunk. Space is reserved: without it, writing to a page would kill us. */
    size_t size = CHUNK_BYTES + PAGE;
    if (!posix_fallocate(log_file, offset, (off_t)size)) {
      void *memory = (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, log_file, (long)offset);
      if (memory != MAP_FAILED) chunk->base = memory;
    }
  }
  open_latch(&chunk_latch);
}

static void leave_chunk(struct self *self) {
  if (!self->base) return;
  struct chunk *chunk = &chunks[self->chunk];
  uint32_t before = atomic_fetch_add(&chunk->written, self->written);
  if (before + self->written == CHUNK_RECORDS) syscall(SYS_munmap, self->base, CHUNK_BYTES + PAGE);
  self->base = NULL;
  self->written = 0;
}

/* Where the record goes; NULL if it is not written. */
static inline unsigned char *place_of(struct self *self, uint64_t ticket) {
  if (UNLIKELY(ticket >= atomic_load_explicit(&limit, memory_order_relaxed))) {
    if (ticket == most_events) say("recording ends: that is as much as FENCEPOST_LOG_LIMIT allows", "");
    return NULL;
  }
  uint64_t number = ticket >> CHUNK_BITS;
  if (UNLIKELY(!self->base || number != self->chunk)) {
    leave_chunk(self);
    map_chunk(number);
    self->chunk = number;
    self->base = chunks[number].base;
    if (!self->base) {
      stop_at(ticket, "there is no space for the log");
      return NULL;
    }
  }
  self->written++;
  return self->base + HEADER + (ticket % CHUNK_RECORDS) * RECORD;
}

static void write_record(unsigned char *at, const struct record *record) {
  uint64_t first;
  memcpy(&first, record, sizeof first);
  memcpy(at + sizeof first, (const unsigned char *)record + sizeof first, RECORD - sizeof first);
  /* The operation is written last, so that a record is either complete or absent. */
  __atomic_store_n((uint64_t *)(void *)at, first, __ATOMIC_RELEASE);
}

static inline void put(struct self *self, struct event event, uintptr_t place) {
  uint32_t site = site_of(self, place);
  uint64_t ticket = atomic_fetch_add_explicit(&tickets, 1, memory_order_acq_rel);
  unsigned char *at = place_of(self, ticket);
  if (UNLIKELY(!at)) return;
  struct record record = {event.operation, event.order, event.flags, 0, (uint16_t)self->number, event.other,
                          site, event.size, event.address, event.value};
  write_record(at, &record);
}

/* A record and the text that follows it, filled up to whole records. */
static void put_text(struct self *self, struct record record, const char *text) {
  record.size = (uint32_t)strlen(text);
  uint32_t count = 1 + (record.size + RECORD - 1) / RECORD;
  uint64_t ticket = atomic_fetch_add(&tickets, count);
  for (uint32_t i = 0; i < count; i++) {
    unsigned char *at = place_of(self, ticket + i);
    if (!at) return;
    if (i > 0) strncpy((char *)at, text + (i - 1) * RECORD, RECORD);
    else write_record(at, &record);
  }
}

/* Another process that is still running records to the file. */
#define TAKEN (-2)

/* The file of that name holds something that is no log: it stays as it is. */
#define FOREIGN (-3)

static const unsigned char header[HEADER] = {'F', 'P', 'L', 'O', 'G', 0, 1, 0};

/* Whether a log may replace the file: it is a log, empty, or no regular file. */
static int may_replace(int file) {
  struct stat status;
  unsigned char start[HEADER];
  if (fstat(file, &status)) return 0;
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return 1;
  return pread(file, start, sizeof start, 0) >= 5 && !memcmp(start, header, 5);
}

/* The file of that name, emptied; TAKEN, FOREIGN, or -1 if it cannot be opened. */
static int take_file(void) {
  int file = open(log_name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return -1;
  int is_locked = !flock(file, LOCK_EX | LOCK_NB), is_taken = !is_locked && errno == EWOULDBLOCK;
  int is_foreign = is_locked && !may_replace(file);
  if (is_locked && !is_foreign && !ftruncate(file, 0)) return file;
  close(file);
  return is_taken ? TAKEN : is_foreign ? FOREIGN : -1;
}

/* The maximum number of recorded events; 0 if the given text is not a number. */
static uint64_t events_wanted(const char *text) {
  if (!text || !*text) return DEFAULT_LIMIT;
  uint64_t most = (uint64_t)CHUNKS * CHUNK_RECORDS, count = 0;
  for (const char *digit = text; *digit; digit++) {
    if (*digit < '0' || *digit > '9') return 0;
    count = count * 10 + (uint64_t)(*digit - '0');
    if (count > most) count = most;
  }
  return count;
}

/* Reported once: the children of this process are not recorded either. */
static void do_not_record(const char *reason, const char *what) {
  is_not_recorded = 1;
  say(reason, what);
}

/* Opens the log of this process. Without one, nothing is recorded. */
static void open_log(int is_child) {
  const char *given = getenv("FENCEPOST_LOG");
  const char *events = getenv("FENCEPOST_LOG_LIMIT");
  const char *name = given ? given : FENCEPOST_LOG_NAME;
  atomic_store(&limit, 0);
  most_events = UINT64_MAX;
  if (is_not_recorded || (given && !*given)) return;
  if (!*name) snprintf(log_name, sizeof log_name, "fencepost-%d.log", (int)getpid());
  else snprintf(log_name, sizeof log_name, "%s", name);
  uint64_t wanted = events_wanted(events);
  if (!wanted) {
    do_not_record("this run is not recorded, because FENCEPOST_LOG_LIMIT is not a number of events: ", events);
    return;
  }
  log_file = is_child && *name ? TAKEN : take_file();
  if (log_file == TAKEN && *name) {
    snprintf(log_name, sizeof log_name, "%s.%d", name, (int)getpid());
    log_file = take_file();
  }
  if (log_file == FOREIGN) {
    do_not_record("this run is not recorded, because a file that is no log has the name of its log: ", log_name);
    return;
  }
  if (log_file < 0 || pwrite(log_file, header, sizeof header, 0) != sizeof header) {
    do_not_record("this run is not recorded, because its log cannot be written: ", log_name);
    return;
  }
  most_events = wanted;
  atomic_store(&limit, most_events);
  say("recording to ", log_name);
}

/* A child of fork writes its own log. */
static void forget_log(void) {
  for (uint32_t i = 0; i < CHUNKS; i++) {
    if (chunks[i].base && chunks[i].written < CHUNK_RECORDS) syscall(SYS_munmap, chunks[i].base, CHUNK_BYTES + PAGE);
    chunks[i].base = NULL;
    chunks[i].written = 0;
  }
  if (log_file >= 0) syscall(SYS_close, log_file);
  log_file = -1;
  chunk_latch = 0;
  tickets = limit = 0;
}
