/** A hash of all of our code, where that is one script: `cli/main.ts` passes it. What our code has made is cached only then. */
declare const fencepostCodeHash: string | undefined;

export const CODE_HASH: string | undefined = typeof fencepostCodeHash === 'string' ? fencepostCodeHash : undefined;
