/** Lines of text, from chunks of bytes that may end anywhere. */
import { LogError } from './record.ts';

const MAX_LINE = 65_536;

export class Lines {
  /** The number of the line read last, from 1. */
  count = 0;
  private readonly read: (line: string) => void;
  // Fatal: two different texts must never be read as the same.
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private rest = '';

  constructor(read: (line: string) => void) {
    this.read = read;
  }

  push(piece: Uint8Array): void {
    const lines = (this.rest + this.decode(piece)).split('\n');
    this.rest = lines.pop()!;
    if (this.rest.length > MAX_LINE) throw new LogError(`line ${this.count + 1} is longer than ${MAX_LINE} characters`);
    for (const line of lines) this.next(line);
  }

  end(): void {
    this.rest += this.decode();
    if (this.rest !== '') this.next(this.rest);
    if (this.count === 0) throw new LogError('is empty');
  }

  private next(line: string): void {
    this.count++;
    this.read(line);
  }

  private decode(piece?: Uint8Array): string {
    try {
      return this.decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new LogError(`is not UTF-8, behind line ${this.count}`);
    }
  }
}
