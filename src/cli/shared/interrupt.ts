/** Turns Ctrl-C and termination into a flag that long work polls, instead of ending the process at once. */
export class Interrupt {
  private signal: NodeJS.Signals | undefined;
  private readonly listener = (signal: NodeJS.Signals): void => {
    // The second signal ends the process at once, with the exit code that shells give it.
    if (this.signal !== undefined) process.exit(signal === 'SIGTERM' ? 143 : 130);
    this.signal = signal;
    this.onArrival();
  };
  private readonly onArrival: () => void;

  /** `onArrival` is called when the first signal arrives. */
  constructor(onArrival: () => void = () => {}) {
    this.onArrival = onArrival;
    process.on('SIGINT', this.listener);
    process.on('SIGTERM', this.listener);
  }

  /** Lets signals arrive; true if one has. */
  async check(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.hasArrived;
  }

  get hasArrived(): boolean {
    return this.signal !== undefined;
  }

  dispose(): void {
    process.off('SIGINT', this.listener);
    process.off('SIGTERM', this.listener);
  }
}
