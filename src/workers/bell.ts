/** Waits until there is news, but not for long. */

/** In milliseconds. */
const MOMENT = 50;

export class Bell {
  private wake: () => void = () => {};

  ring(): void {
    this.wake();
  }

  async wait(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MOMENT);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
