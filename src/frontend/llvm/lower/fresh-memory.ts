/** What memory from `malloc` and local variables hold before the program writes them. */

/** Zero; bytes that are not zero; or zero that nothing may depend on. */
export type Fresh = 'junk' | 'undefined' | 'zero';

/** The same as fields of the instructions that make memory. */
export interface FreshMemory {
  readonly isJunk?: true;
  readonly isUndefined?: true;
}

/**
 * Whether a variable has no value again whenever its declaration is reached, as C says (6.2.4): where clang was not asked to optimise, which may
 * move what writes the variable to before its declaration.
 */
export type Declarations = 'again' | 'once';
