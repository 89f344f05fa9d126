/**
 * The store buffer safety monitor of [SOBER] with the relaxed relation corrected ([MON] Sect. 6): a write is before a load
 * only if the load does not take the value of its own thread's store. A forwarded load says nothing about what other
 * threads' stores have reached memory. It is still before whatever overwrites what it read.
 *
 * Errors: none known. Complete on one execution per trace. Knows TSO only, and takes O(P²) where `causal-tso` takes O(P).
 */
import { Sober } from './sober.ts';

export class SoberFixed extends Sober {
  override readonly name: string = 'sober-fixed';

  protected override joinForwarded(): void {}
}
