/** Calls, as seen by all code that lowers them. */
import type { Type } from '../../../program/types.ts';
import type { LInstruction } from '../ir/module.ts';

export type Call = LInstruction & { op: 'call' };

/** The type of the hidden address of variable arguments. No argument passed without a prototype has this type. */
export const HIDDEN: Type = 'f32';
