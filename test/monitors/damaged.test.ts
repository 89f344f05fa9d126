/**
 * Damaged logs: bytes that are flipped, set, cut out, doubled or missing at the end. Each is refused with a reason, or
 * is still a log and gets an answer, and none takes more memory than its length warrants.
 *
 * A failure names the mutant and the seed.
 */
import { describe, expect, it } from 'vitest';
import * as ev from '../../src/machine/events/event.ts';
import { BinaryReader, BinaryWriter } from '../../src/monitor/log/binary.ts';
import { JsonLinesReader } from '../../src/monitor/log/jsonl.ts';
import { JsonLinesWriter } from '../../src/monitor/log/jsonl-writer.ts';
import {
  AWAITED,
  emptyEvent,
  LogError,
  type LogEvent,
  type LogListener,
  SUCCEEDED,
  WROTE,
} from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import { Prng } from '../../src/util/prng.ts';
import { ALL_MONITORS } from '../support/monitoring.ts';
import { writeRandomLog } from '../support/random-log.ts';
import { floor, SEED, samples } from '../support/tier.ts';

const MUTANTS = samples(500);

/** Logs some operations of every kind. */
function fill(log: LogListener): void {
  writeRandomLog(1, { threads: 3, locations: 3, events: 30, racy: 500 }, log);
  log.name(0x1000, 'x');
  const emit = (operation: number, thread: number, fields: Partial<LogEvent> = {}): void =>
    log.event({ ...emptyEvent(), operation, thread, flags: WROTE | SUCCEEDED, site: 1, ...fields });
  emit(ev.SPAWN_EVENT, 0, { other: 5 });
  emit(ev.LOCK_EVENT, 1, { address: 0x2000 });
  emit(ev.WAIT_EVENT, 1, { address: 0x3000, value: 0x2000 });
  emit(ev.TRYLOCK_EVENT, 5, { address: 0x2000 });
  emit(ev.SIGNAL_EVENT, 5, { address: 0x3000, other: 1 });
  emit(ev.BROADCAST_EVENT, 5, { address: 0x3000 });
  emit(ev.UNLOCK_EVENT, 5, { address: 0x2000 });
  emit(ev.WAKE_EVENT, 1, { address: 0x3000 });
  emit(ev.LOCK_EVENT, 1, { address: 0x2000 });
  emit(ev.UNLOCK_EVENT, 1, { address: 0x2000 });
  emit(ev.DESTROY_EVENT, 1, { address: 0x2000 });
  emit(ev.BEGIN_ATOMIC_EVENT, 2);
  emit(ev.STORE_EVENT, 2, { address: 0x1000, size: 4 });
  emit(ev.END_ATOMIC_EVENT, 2);
  emit(ev.RMW_EVENT, 5, { address: 0x1000, size: 4, order: 3, flags: WROTE | AWAITED, predicate: 1, value: 7 });
  emit(ev.JOIN_EVENT, 0, { other: 5 });
  emit(ev.FREE_EVENT, 0, { address: 0x40_0000, size: 0x100_0000 });
  emit(ev.LOAD_EVENT, 2, { address: 0x40_0004, size: 8 });
}

function written(Writer: typeof BinaryWriter | typeof JsonLinesWriter): Uint8Array {
  const pieces: Uint8Array[] = [];
  const writer = new Writer((piece) => pieces.push(piece.slice()));
  fill(writer);
  writer.end();
  return Buffer.concat(pieces);
}

/** One or several of these at once. */
function damage(bytes: Uint8Array, prng: Prng): Uint8Array {
  let result = Uint8Array.from(bytes);
  for (let n = 1 + prng.below(3); n > 0 && result.length > 0; n--) {
    const at = prng.below(result.length);
    const length = prng.below(1 + Math.min(64, result.length - at));
    switch (prng.below(6)) {
      case 0:
        result = result.slice(0, at);
        break;
      case 1:
        result = Uint8Array.from([...result.subarray(0, at), ...result.subarray(at + length)]);
        break;
      case 2:
        result = Uint8Array.from([...result.subarray(0, at + length), ...result.subarray(at)]);
        break;
      case 3:
        result[at] = [0, 1, 0x7f, 0x80, 0xff, 0x30, 0x39][prng.below(7)]!;
        break;
      default:
        result[at]! ^= 1 << prng.below(8);
    }
  }
  return result;
}

describe.each([
  ['the compact form', BinaryWriter, BinaryReader],
  ['lines of JSON', JsonLinesWriter, JsonLinesReader],
] as const)('damage in %s', (_name, Writer, Reader) => {
  it('is reported, or harmless', () => {
    const whole = written(Writer);
    const prng = new Prng(SEED);
    const count = { refused: 0, answered: 0 };
    for (let mutant = 0; mutant < MUTANTS; mutant++) {
      const bytes = mutant === 0 ? whole : damage(whole, prng);
      const stream = new StreamMonitor(ALL_MONITORS);
      const reader = new Reader(stream);
      try {
        reader.push(bytes);
        reader.end();
        count.answered++;
      } catch (error) {
        expect(error, `mutant ${mutant} of seed ${SEED}`).toBeInstanceOf(LogError);
        count.refused++;
      }
      // Memory stays small: no event is kept for more stretches of memory than exist, and each stretch has few pieces.
      expect([mutant, stream.kept < 50_000, stream.held < 20_000]).toEqual([mutant, true, true]);
      if (mutant === 0) expect(count.answered).toBe(1);
    }
    expect(count.refused).toBeGreaterThan(floor(MUTANTS / 10));
    expect(count.answered).toBeGreaterThan(floor(10));
  });
});
