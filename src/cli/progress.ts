/**
 * Tells the user that something is going on, on standard error, once it has taken two seconds: one live line on a
 * terminal, otherwise a line every few seconds.
 */
const FIRST_AFTER = 2000;
const EVERY_ON_TERMINAL = 200;
const EVERY_OTHERWISE = 5000;

export class Progress {
  private readonly terminal = process.stderr.isTTY === true;
  private readonly started = performance.now();
  private lastShown = Number.NEGATIVE_INFINITY;
  private shown = false;

  /** `text` is only asked for when it is time to show it. */
  update(text: () => string): void {
    const now = performance.now();
    const every = this.terminal ? EVERY_ON_TERMINAL : EVERY_OTHERWISE;
    if (now - this.started < FIRST_AFTER || now - this.lastShown < every) return;
    this.lastShown = now;
    if (this.terminal) {
      const width = Math.max(20, (process.stderr.columns ?? 80) - 1);
      process.stderr.write(`\r\u001b[K${text().slice(0, width)}`);
      this.shown = true;
    } else {
      process.stderr.write(`${text()}\n`);
    }
  }

  /** Takes the live line away; call before anything else is written. */
  clear(): void {
    if (this.shown) process.stderr.write('\r\u001b[K');
    this.shown = false;
  }
}
