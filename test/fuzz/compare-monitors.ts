/**
 * The monitors on one generated program, each compared with what it promises (docs/robust.md): `causal-tso`,
 * `causal-pso` and `sober-fixed` find exactly the programs that are not robust from one execution per trace, `tso` and
 * `pso` from all interleavings, and `sober` only finds such programs. On every execution `tso` and `pso` raise the
 * alarms of [MON] Fig. 4 and 5.
 */
import { explore } from '../../src/explore/explore.ts';
import * as ev from '../../src/machine/events/event.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { type MonitorName, Monitors, monitoredModel } from '../../src/monitor/monitors.ts';
import { mayOvertakeInitialisation } from '../../src/pipelines/strategies.ts';
import { ORDERS } from '../../src/program/types.ts';
import { type FigureEvent, figure } from '../support/mon-figure.ts';
import type { Context } from './compare-options.ts';
import { exhaustive, MAX_DEPTH, MAX_SCHEDULES, type MakeStrategy, machineFor, optimal } from './searches.ts';

export const MONITORS: readonly MonitorName[] = ['sober', 'sober-fixed', 'tso', 'pso', 'causal-tso', 'causal-pso'];
const ON_TRACES: readonly MonitorName[] = ['sober-fixed', 'causal-tso', 'causal-pso'];
const ON_INTERLEAVINGS: readonly MonitorName[] = [...ON_TRACES, 'tso', 'pso'];

/** Whether the program is robust under the model; `undefined` if that is not known. */
export type Robustness = (model: 'tso' | 'pso', isAlarmed: boolean) => boolean | undefined;

/** The parts that are compared; tests substitute broken ones. */
export interface MonitorParts {
  readonly watch: typeof watch;
  readonly figure: typeof figure;
}

export const MONITOR_PARTS: MonitorParts = { watch, figure };

export interface Watched {
  readonly alarms: ReadonlySet<MonitorName>;
  /** Why there is no answer. */
  readonly why: string | undefined;
}

export function compareMonitors(
  context: Context,
  robustness: Robustness,
  isSmall: boolean,
  parts: MonitorParts = MONITOR_PARTS,
): void {
  compareSearch(context, 'optimal', optimal, ON_TRACES, robustness, parts);
  if (isSmall) compareSearch(context, 'exhaustive', exhaustive, ON_INTERLEAVINGS, robustness, parts);
}

function compareSearch(
  context: Context,
  search: string,
  make: MakeStrategy,
  complete: readonly MonitorName[],
  robustness: Robustness,
  parts: MonitorParts,
): void {
  const { alarms, why } = parts.watch(context, make, parts.figure);
  if (why !== undefined) return context.count(`skipped monitors: ${why}`);
  for (const name of MONITORS) {
    const model = monitoredModel(name) as 'tso' | 'pso';
    if (mayOvertakeInitialisation(model, context.program)) continue;
    const isAlarmed = alarms.has(name);
    const isRobust = robustness(model, isAlarmed);
    if (isRobust === undefined) continue;
    context.count(`monitor ${name}, ${search}${isRobust ? '' : ', not robust'}`);
    if (isAlarmed && isRobust)
      context.report(`monitor ${name} (${search}) raises a false alarm`, `robust under ${model}`);
    if (!isAlarmed && !isRobust && complete.includes(name))
      context.report(`monitor ${name} (${search}) misses a violation`, `not robust under ${model}`);
  }
}

/** Which monitors raise an alarm in SC executions. */
function watch(context: Context, make: MakeStrategy, ofFigure: typeof figure): Watched {
  const machine = machineFor(context.program, 'sc');
  const alarms = new Set<MonitorName>();
  const monitors = new Monitors(machine.events, MONITORS, (name) => () => alarms.add(name));
  let why: string | undefined;
  const { bounds, errors } = explore(machine, make(machine), {
    keepGoing: true,
    maxDepth: MAX_DEPTH,
    maxExecutions: MAX_SCHEDULES,
    followers: [
      {
        observe: (event) => {
          monitors.observe(event);
          // Then no monitor decides robustness.
          if (monitors.clock.isMixed) why = 'accesses of different sizes overlap';
        },
        rollback: (depth) => monitors.rollback(depth),
      },
    ],
    onExecution: () => {
      if (why === undefined) compareFigures(context, machine, monitors, ofFigure);
      monitors.conclude(machine);
    },
  });
  if (errors.length > 0) why ??= 'wrong under SC';
  if (bounds.length > 0) why ??= bounds[0]!.replace(/:.*/, '');
  return { alarms, why };
}

/** The events of the current execution before the first one that the figures do not cover. */
function figureRun(machine: Machine): readonly { readonly event: number; readonly is: FigureEvent }[] {
  const { events } = machine;
  const sizes = new Map<number, number>();
  const run: { event: number; is: FigureEvent }[] = [];
  for (let event = 0; event < events.length; event++) {
    const kind = events.get(event, ev.E_KIND);
    // Creating a thread orders what came before it.
    if (kind === ev.SPAWN_EVENT && run.every(({ is }) => is.process !== events.get(event, ev.E_THREAD))) continue;
    const is = kindOf(machine, event);
    if (is === undefined) break;
    const [address, size] = [events.get(event, ev.E_ADDRESS), events.get(event, ev.E_SIZE)];
    const overlaps = [...sizes].some(
      ([other, length]) => (other !== address || length !== size) && other < address + size && address < other + length,
    );
    if (overlaps) break;
    sizes.set(address, size);
    run.push({ event, is: { process: events.get(event, ev.E_THREAD), kind: is, address } });
  }
  return run;
}

function kindOf({ events }: Machine, event: number): FigureEvent['kind'] | undefined {
  const kind = events.get(event, ev.E_KIND);
  // A compare-exchange also waits as its failure order says, before it knows whether it will fail.
  const order = events.get(event, kind === ev.RMW_EVENT ? ev.E_WAIT : ev.E_ORDER);
  const isRelaxed = order <= ORDERS.indexOf('relaxed');
  switch (kind) {
    case ev.LOAD_EVENT:
      return 'ld';
    case ev.STORE_EVENT:
      return isRelaxed ? 'st' : undefined;
    case ev.RMW_EVENT:
      // An operation that blocks is more than the figures' atomic operation; one that changes nothing is less.
      return isRelaxed && (events.get(event, ev.E_FLAGS) & (ev.BLOCKS | ev.WROTE_MEMORY)) === ev.WROTE_MEMORY
        ? 'atm'
        : undefined;
    default:
      return undefined;
  }
}

function compareFigures(context: Context, machine: Machine, monitors: Monitors, ofFigure: typeof figure): void {
  const run = figureRun(machine);
  if (run.length < 3) return;
  const length = run.at(-1)!.event + 1;
  for (const { name, violations } of monitors.all) {
    if (name !== 'tso' && name !== 'pso') continue;
    const signals = ofFigure(
      run.map(({ is }) => is),
      name,
    ).map(({ event }) => run[event]!.event);
    const alarmed = new Set<number>();
    for (let i = 0; i < violations.length; i++) {
      const event = violations.pairs.get(2 * i);
      if (event < length) alarmed.add(event);
    }
    context.count(`figure of ${name}${signals.length > 0 ? ', with an alarm' : ''}`);
    const [here, there] = [[...alarmed].sort((a, b) => a - b).join(), signals.join()];
    if (here !== there)
      context.report(
        `monitor ${name} does not raise the alarms of the figure`,
        `at events ${here || 'none'}; figure: ${there || 'none'}`,
      );
  }
}
