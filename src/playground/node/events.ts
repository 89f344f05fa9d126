/** `node:events`. */
type Listener = (...args: readonly never[]) => void;

export class EventEmitter {
  private readonly listeners = new Map<string, Listener[]>();

  on(name: string, listener: Listener): this {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
    return this;
  }

  once(name: string, listener: Listener): this {
    const wrapped: Listener = (...args) => {
      this.off(name, wrapped);
      listener(...args);
    };
    return this.on(name, wrapped);
  }

  off(name: string, listener: Listener): this {
    this.listeners.set(
      name,
      (this.listeners.get(name) ?? []).filter((known) => known !== listener),
    );
    return this;
  }

  emit(name: string, ...args: readonly unknown[]): boolean {
    const found = this.listeners.get(name) ?? [];
    for (const listener of found) listener(...(args as readonly never[]));
    return found.length > 0;
  }

  listenerCount(name: string): number {
    return this.listeners.get(name)?.length ?? 0;
  }
}
