/**
 * A hash of all our code, passed by `cli/main.ts` if the code is bundled into one script. Without it, nothing that our
 * code generates is cached.
 */
declare const fencepostCodeHash: string | undefined;

export const CODE_HASH: string | undefined = typeof fencepostCodeHash === 'string' ? fencepostCodeHash : undefined;
