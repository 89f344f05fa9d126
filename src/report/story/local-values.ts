/** The values of local variables, as reports show them, and which of them an assertion mentions. */
import { framesOf, type Local } from '../../machine/describe/locals.ts';
import type { Naming } from '../../machine/describe/naming.ts';
import type { Machine } from '../../machine/machine.ts';
import { toBigint } from '../../machine/run/evaluate.ts';
import { titleOf } from '../../program/title.ts';
import type { CallReport, EventReport, JsonValue, NamedValue } from '../trace-schema.ts';

/** Of deeper stacks, only this many innermost functions are shown. */
const DEEPEST = 16;

interface FrameValues {
  readonly call: CallReport;
  readonly locals: readonly NamedValue[];
}

/** The functions that a thread is in, innermost first. */
export function frameValues(machine: Machine, slot: number, naming: Naming): readonly FrameValues[] {
  return framesOf(machine, slot, DEEPEST).map((frame) => {
    const func = machine.program.functions[frame.function];
    const place = machine.code.sites[frame.site]?.instruction.location;
    const call = {
      function: func === undefined ? '?' : titleOf(func),
      ...(place === undefined ? {} : { file: place.file, line: place.line }),
    };
    const locals = frame.locals.flatMap((local): NamedValue[] => {
      const value = localValue(local, naming);
      return value === undefined ? [] : [{ name: local.variable.name, value }];
    });
    return { call, locals };
  });
}

/** `undefined` for a pointer to something without a name, which cannot be shown. */
function localValue({ variable, bytes, low, high }: Local, naming: Naming): JsonValue | undefined {
  switch (variable.kind) {
    case 'pointer':
      return naming.target(low, bytes === 8 ? high : 0, variable.pointee);
    case 'float':
      return String(floatOf(bytes, low, high));
    case 'signed':
    case 'unsigned': {
      const all = bytes === 8 ? toBigint(low, high) : BigInt(low);
      const value = variable.kind === 'signed' ? BigInt.asIntN(8 * bytes, all) : BigInt.asUintN(8 * bytes, all);
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    }
  }
}

function floatOf(bytes: number, low: number, high: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setInt32(0, low, true);
  view.setInt32(4, high, true);
  return bytes === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

/** What an expression mentions: the places it read, and local variables. */
export function mentioned(
  text: string,
  reads: readonly EventReport[],
  locals: readonly NamedValue[],
): readonly NamedValue[] {
  // Leaves out functions, and pointers to places that were read: these places have names of their own.
  const names = new Set(text.match(/(?<![\w.]|->)[A-Za-z_]\w*(?!\w|\s*\(|\s*->)/g));
  const words = new Set(text.match(/[A-Za-z_]\w*/g));
  const places = new Map(
    reads.flatMap(({ location, read }) => {
      const last = withoutBlock(location ?? '')
        .match(/[A-Za-z_]\w*/g)
        ?.at(-1);
      return read === undefined || last === undefined || !words.has(last) ? [] : [[location!, read]];
    }),
  );
  const read = new Set([...places.keys()].map(withoutBlock));
  return [
    ...[...places].map(([name, value]) => ({ name, value })),
    ...locals.filter(({ name }) => names.has(name) && !read.has(name)),
  ];
}

function withoutBlock(location: string): string {
  return location.replace(/ \(#.*/, '');
}
