/** What memory from `malloc` and local variables hold before the program writes to them. */

/** Bytes that are not zero; zero that nothing may depend on; or zero. */
export type Fresh = 'junk' | 'undefined' | 'zero';

/** The same, as fields of the instructions that create memory. */
export interface FreshMemory {
  readonly isJunk?: true;
  readonly isUndefined?: true;
}

/**
 * Whether a variable loses its value each time its declaration is reached, as C says (6.2.4). `again` requires that
 * clang was not asked to optimise: the optimiser may move writes to the variable to before its declaration.
 */
export type Declarations = 'again' | 'once';
