/** What memory from `malloc` and local variables hold before the program writes them. */

/** Zero; bytes that are not zero; or zero that nothing may depend on. */
export type Fresh = 'junk' | 'undefined' | 'zero';

/** The same as fields of the instructions that make memory. */
export interface FreshMemory {
  readonly isJunk?: true;
  readonly isUndefined?: true;
}
