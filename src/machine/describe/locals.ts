/** The values of local variables, from registers that say which variable they hold. Meant for unsimplified programs. */
import type { LocalVariable } from '../../program/ir.ts';
import { sizeOf } from '../../program/types.ts';
import { FRAME_CALLER, FRAME_RETURN, FRAME_SITE, SITE } from '../code/opcodes.ts';
import type { Machine } from '../machine.ts';
import { T_FRAME, T_PC } from '../state/layout.ts';

/** A function that a thread is in. */
interface Frame {
  readonly function: number;
  /** Where the thread is in it. */
  readonly site: number;
  readonly locals: readonly Local[];
}

export interface Local {
  readonly variable: LocalVariable;
  readonly bytes: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Innermost first, without our library. Variables of a function that share a name are not listed: scopes are not known.
 */
export function framesOf(machine: Machine, slot: number, limit: number): readonly Frame[] {
  const { code, program, threads, state } = machine;
  if (!threads.exists(slot)) return [];
  const frames: Frame[] = [];
  let site = code.words[threads.get(slot, T_PC) + SITE]!;
  for (let frame = threads.get(slot, T_FRAME); frame !== 0; frame = state.words[frame + FRAME_CALLER]!) {
    const func = code.sites[site]?.func ?? -1;
    if (program.functions[func]?.isLibrary === false || program.functions[func]?.isLibrary === undefined)
      frames.push({ function: func, site, locals: func < 0 ? [] : localsOf(machine, slot, frame, func, site) });
    // The frame below the first one is the creator's.
    if (state.words[frame + FRAME_RETURN]! < 0 || frames.length === limit) break;
    site = state.words[frame + FRAME_SITE]!;
  }
  return frames;
}

function localsOf(machine: Machine, slot: number, frame: number, func: number, site: number): readonly Local[] {
  const { code, program, state } = machine;
  const { offsets } = code.functions[func]!;
  const place = code.sites[site]?.instruction.location;
  const { registers } = program.functions[func]!;
  const names = registers.flatMap(({ variable }) => variable?.name ?? []);
  return registers.flatMap(({ variable, type }, register): Local[] => {
    if (variable === undefined || names.filter((name) => name === variable.name).length > 1) return [];
    // Not declared yet.
    if (place !== undefined && variable.file === place.file && (variable.line ?? 0) > place.line) return [];
    const [low, high] = [state.words[frame + offsets[register]!]!, state.words[frame + offsets[register]! + 1]!];
    if (variable.bytes === undefined) {
      const bytes = sizeOf(type);
      return [{ variable, bytes, low, high: bytes === 8 ? high : low < 0 ? -1 : 0 }];
    }
    return low === 0 || ![1, 2, 4, 8].includes(variable.bytes) ? [] : [inMemory(machine, slot, variable, low)];
  });
}

/** As its own thread sees it: the newest store in its buffer, or else memory. */
function inMemory({ memory, state }: Machine, slot: number, variable: LocalVariable, address: number): Local {
  const bytes = variable.bytes!;
  const own = memory
    .pending(slot)
    .findLast((store) => store.address === address && store.size === bytes && !store.frees);
  if (own !== undefined) return { variable, bytes, low: own.low, high: own.high };
  state.read(address, bytes);
  return { variable, bytes, low: state.low, high: state.high };
}
