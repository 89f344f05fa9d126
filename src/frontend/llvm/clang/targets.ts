/**
 * The machines that programs are compiled for: sizes of types, macros that headers look at, inline assembly. The memory model
 * is chosen apart.
 */
export const TARGETS = ['x86_64', 'i686', 'aarch64', 'riscv64'] as const;
export type Target = (typeof TARGETS)[number];
export const DEFAULT_TARGET: Target = 'x86_64';
