/** Calls, as all that lowers them sees them. */
import type { Type } from '../../../program/types.ts';
import type { LInstruction } from '../ir/module.ts';

export type Call = LInstruction & { op: 'call' };

/** Of the address of variable arguments: a type that no argument has which is passed without a prototype. */
export const HIDDEN: Type = 'f32';
