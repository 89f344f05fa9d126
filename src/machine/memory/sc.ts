/** Sequential consistency: [MON] Fig. 1, [RELAXER] Fig. 3. Every operation acts on memory at once. */

import type { ModelDescription } from '../../models/model.ts';
import type { OrderCode } from '../code/order.ts';
import { H_COMMITS } from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';
import type { Memory, Parts, Pending } from './memory.ts';

export class ScMemory implements Memory {
  readonly model: ModelDescription;
  readonly forwardedFrom = -1;
  asOf = 0;
  chosen = 0;
  private readonly state: State;
  private readonly undefinedBits: UndefinedBits;

  constructor(parts: Parts) {
    this.model = parts.model;
    this.state = parts.state;
    this.undefinedBits = new UndefinedBits(parts.state, parts.layout);
  }

  canLoad(): boolean {
    return true;
  }
  loadChoices(): number {
    return 1;
  }
  load(_thread: number, address: number, size: number): void {
    this.state.read(address, size);
    this.undefinedBits.read(address, size);
    this.asOf = this.state.words[H_COMMITS]!;
  }
  canStore(): boolean {
    return true;
  }
  storeChoices(): number {
    return 1;
  }
  store(_thread: number, address: number, size: number, low: number, high: number): boolean {
    this.write(address, size, low, high);
    return true;
  }
  free(): boolean {
    this.state.set(H_COMMITS, this.state.words[H_COMMITS]! + 1);
    return true;
  }
  hasPendingFree(): boolean {
    return false;
  }
  isClear(): boolean {
    return true;
  }
  canAtomic(): boolean {
    return true;
  }
  atomicRead(address: number, size: number): void {
    this.state.read(address, size);
    this.undefinedBits.read(address, size);
  }
  atomicWrite(_thread: number, address: number, size: number, low: number, high: number): void {
    this.write(address, size, low, high);
  }
  afterAtomic(): void {}
  canFence(): boolean {
    return true;
  }
  fence(_thread: number, _order: OrderCode): void {}
  isDrained(): boolean {
    return true;
  }
  synchronise(): void {}
  afterUnlock(): void {}
  commits(): void {}
  nextCommit(): number {
    return 0;
  }
  commit(): void {
    throw new Error('SC has no store buffers');
  }
  byte(_thread: number, address: number): number {
    this.state.read(address, 1);
    return this.state.low;
  }
  pending(): readonly Pending[] {
    return [];
  }
  encode(): void {}

  private write(address: number, size: number, low: number, high: number): void {
    this.state.set(H_COMMITS, this.state.words[H_COMMITS]! + 1);
    this.state.write(address, size, low, high);
    this.undefinedBits.write(address, size, this.state.undefinedLow, this.state.undefinedHigh);
  }
}
