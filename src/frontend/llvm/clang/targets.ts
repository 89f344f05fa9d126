/**
 * The machines that programs are compiled for. They determine sizes of types, macros that headers test, and inline
 * assembly. The memory model is chosen independently.
 */
export const TARGETS = ['x86_64', 'i686', 'aarch64', 'riscv64'] as const;
export type Target = (typeof TARGETS)[number];
export const DEFAULT_TARGET: Target = 'x86_64';
