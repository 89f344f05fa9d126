/* expect: correct; same output always; arguments: -v --rounds=3 first -n2 --name worker second -x -- -y */
/* A test driver with the usual command line. */
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  int verbose;
  int rounds;
  int threads;
  const char *name;
  int quick;
} settings = {.rounds = 1, .threads = 1, .name = "none"};

static long total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void usage(void) { printf("usage: [-v] [-n threads] [--rounds n] [--name name] [--quick]\n"); }

static void *work(void *argument) {
  long add = *(const long *)argument;
  for (int i = 0; i < settings.rounds; i++) {
    pthread_mutex_lock(&lock);
    total += add;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"verbose", no_argument, NULL, 'v'},         {"rounds", required_argument, NULL, 'r'},
      {"name", required_argument, NULL, 'N'},      {"quick", no_argument, &settings.quick, 1},
      {"threads", required_argument, NULL, 'n'},   {NULL, 0, NULL, 0},
  };
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, "vn:", options, NULL)) != -1;) {
    switch (option) {
      case 'v': settings.verbose++; break;
      case 'n': settings.threads = atoi(optarg); break;
      case 'r': settings.rounds = (int)strtol(optarg, NULL, 10); break;
      case 'N': settings.name = optarg; break;
      case 0: break;
      default:
        printf("unknown option -%c\n", optopt);
        usage();
    }
  }
  printf("verbose %d, rounds %d, threads %d, name %s\n", settings.verbose, settings.rounds, settings.threads,
         settings.name);
  for (int i = optind; i < argc; i++) printf("argument %s\n", argv[i]);
  if (settings.threads < 1 || settings.threads > 4) return EXIT_FAILURE;

  pthread_t threads[4];
  long add = 5;
  for (int i = 0; i < settings.threads; i++) pthread_create(&threads[i], NULL, work, &add);
  for (int i = 0; i < settings.threads; i++) pthread_join(threads[i], NULL);
  printf("total %ld\n", total);
  return EXIT_SUCCESS;
}
