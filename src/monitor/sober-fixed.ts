/**
 * The store buffer safety monitor of [SOBER] with the relaxed relation corrected ([MON] Sect. 6): a write is before a
 * load only if the load does not take the value of its own thread's store. A forwarded load says nothing about which
 * stores of other threads have reached memory. It is still before any overwrite of what it read.
 *
 * Ours, not in the paper: writes are checked like loads. By Lemma 1 this is not needed for loads, stores and
 * interlocked operations; but signalling a condition variable happens at once, waits for no store, and is ordered with
 * other signals.
 *
 * Errors: none known. Complete on one execution per trace. Knows TSO only, and takes O(P²) where `causal-tso` takes
 * O(P).
 */
import { Sober } from './sober.ts';

export class SoberFixed extends Sober {
  override readonly name: string = 'sober-fixed';

  protected override readonly checksWrites: boolean = true;

  protected override joinForwarded(): void {}

  protected override needSources(): void {}
}
