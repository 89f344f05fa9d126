/* What Zephyr's build writes for a machine with several processors whose compiler has atomics. */
#pragma once
#define CONFIG_SMP 1
#define CONFIG_ATOMIC_OPERATIONS_BUILTIN 1
#define CONFIG_64BIT 1
#define CONFIG_X86 1
#define CONFIG_X86_64 1
