/** [MON] Fig. 4 and 5, word for word: line 6 ranges over all pending stores to the address. */

export interface FigureEvent {
  readonly process: number;
  readonly kind: 'st' | 'ld' | 'atm';
  readonly address: number;
}

export interface Signal {
  /** The event at which the monitor signals. */
  readonly event: number;
  /** The stores for which line 6 holds, oldest first. */
  readonly stores: readonly number[];
}

/** The reflexive closure of →hb over a run: a set of bits per event. */
export function closure(run: readonly FigureEvent[]): readonly bigint[] {
  const before: bigint[] = [];
  for (const [n, e] of run.entries()) {
    let row = 1n << BigInt(n);
    for (let i = 0; i < n; i++) {
      const { process, kind, address } = run[i]!;
      const conflicts = address === e.address && (kind !== 'ld' || e.kind !== 'ld');
      if (process === e.process || conflicts) row |= before[i]!;
    }
    before.push(row);
  }
  return before;
}

export function has(row: bigint, event: number): boolean {
  return ((row >> BigInt(event)) & 1n) === 1n;
}

export function figure(run: readonly FigureEvent[], model: 'tso' | 'pso'): readonly Signal[] {
  const happensBefore = closure(run);
  /** All pending stores, oldest first. */
  let pending: readonly number[] = [];
  const previous = new Map<number, number>();
  const signals: Signal[] = [];
  run.forEach((e, event) => {
    const last = previous.get(e.process);
    const forced = pending.filter((store) => run[store]!.address === e.address && run[store]!.process !== e.process);
    // Line 6–8.
    const stores = forced.filter((store) => last !== undefined && has(happensBefore[last]!, store));
    if (stores.length > 0) signals.push({ event, stores });
    // Line 10–14. Under TSO, buffers are first in, first out.
    const isForced = (store: number): boolean =>
      forced.some((f) => (model === 'pso' ? f === store : run[f]!.process === run[store]!.process && store <= f));
    pending = pending.filter((store) => !isForced(store));
    // Line 15–26.
    previous.set(e.process, event);
    if (e.kind === 'st') pending = [...pending, event];
    const isDrained = (store: number): boolean =>
      run[store]!.process === e.process && (model === 'tso' || run[store]!.address === e.address);
    if (e.kind === 'atm') pending = pending.filter((store) => !isDrained(store));
  });
  return signals;
}
