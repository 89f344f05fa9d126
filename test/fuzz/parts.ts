/**
 * A search in parts by the orders of pairs of events (docs/decisions/0043-parts-by-orders.md), on a generated program:
 * collects what all parts together find.
 */
import { NotByOrders } from '../../src/explore/dpor/dpor.ts';
import type { Order } from '../../src/explore/dpor/job.ts';
import { chooseOrders, partsOf } from '../../src/explore/dpor/machine/choose-orders.ts';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { ALL_SHORTCUTS } from '../../src/explore/dpor/shortcuts.ts';
import type { Model } from '../../src/models/index.ts';
import type { Program } from '../../src/program/ir.ts';
import { type Found, find, MAX_DEPTH, machineFor } from './searches.ts';

/** Pairs per program; each doubles the number of parts. */
const PAIRS = 2;

const NOBODY = {
  propose: (): never => {
    throw new Error('a part shares nothing');
  },
};

/** Why there are no parts. */
export type NoParts = 'no pairs' | 'a pair is not ordered in every execution';

export function findInParts(program: Program, model: Model): Found | NoParts {
  const parts = partsOf(chooseOrders(machineFor(program, model), ALL_SHORTCUTS, PAIRS, MAX_DEPTH));
  if (parts.length < 2) return 'no pairs';
  try {
    return sum(parts.map((orders) => findPart(program, model, orders)));
  } catch (error) {
    if (error instanceof NotByOrders) return 'a pair is not ordered in every execution';
    throw error;
  }
}

function findPart(program: Program, model: Model, orders: readonly Order[]): Found {
  let part: MachineDpor | undefined;
  const found = find(program, model, (machine) => {
    part = new MachineDpor(machine, 'optimal');
    part.take({ shared: [], orders }, NOBODY);
    return part;
  });
  // The executions that got stuck have no continuation with the orders of the part.
  return { ...found, abandoned: found.abandoned - part!.stuck };
}

function sum(parts: readonly Found[]): Found {
  return {
    outcomes: new Set(parts.flatMap(({ outcomes }) => [...outcomes])),
    errors: new Set(parts.flatMap(({ errors }) => [...errors])),
    traces: new Set(parts.flatMap(({ traces }) => [...traces])),
    complete: parts.reduce((all, { complete }) => all + complete, 0),
    abandoned: parts.reduce((all, { abandoned }) => all + abandoned, 0),
    bounds: parts.flatMap(({ bounds }) => bounds),
  };
}
