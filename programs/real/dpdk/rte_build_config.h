/* What DPDK's `meson` writes, as far as rings and locks need it. */
#pragma once
#define RTE_ARCH_64 1
#define RTE_CACHE_LINE_SIZE 64
#define RTE_MAX_LCORE 4
#define RTE_MAX_NUMA_NODES 1
#define RTE_MACHINE "x86_64"
#define RTE_ARCH "x86_64"
#define RTE_ARCH_X86 1
#define RTE_ARCH_X86_64 1
#define RTE_EXEC_ENV_LINUX 1
#define RTE_EXEC_ENV_IS_LINUX 1
#define RTE_TOOLCHAIN "clang"
#define RTE_TOOLCHAIN_CLANG 1
#define RTE_MAX_MEMZONE 2560
#define RTE_MAX_TAILQ 32
#define RTE_BACKTRACE 1
