/**
 * A hash of all our code, which `cli/main.ts` passes if the code is one script. What our code generates is cached only
 * then.
 */
declare const fencepostCodeHash: string | undefined;

export const CODE_HASH: string | undefined = typeof fencepostCodeHash === 'string' ? fencepostCodeHash : undefined;
