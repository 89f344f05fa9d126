/* Zephyr's kernel, as far as `mpsc_lockfree.h` uses it: interrupts of the own processor, of which a thread sees nothing. */
#pragma once
#include <zephyr/toolchain.h>
static inline unsigned arch_irq_lock(void) { return 0; }
static inline void arch_irq_unlock(unsigned key) { (void)key; }
