/** Turns Ctrl-C and termination into a question that long-running work asks now and then, instead of sudden death. */
export class Interrupt {
  private signal: NodeJS.Signals | undefined;
  private readonly listener = (signal: NodeJS.Signals): void => {
    // The second time, the user means it.
    if (this.signal !== undefined) process.exit(130);
    this.signal = signal;
  };

  constructor() {
    process.on('SIGINT', this.listener);
    process.on('SIGTERM', this.listener);
  }

  /** Lets signals arrive; true if one has. */
  async check(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.signal !== undefined;
  }

  dispose(): void {
    process.off('SIGINT', this.listener);
    process.off('SIGTERM', this.listener);
  }
}
