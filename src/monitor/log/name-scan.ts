/**
 * Reads only the names that a log gives to addresses, so that it can then be read again with these known (`names.ts`).
 */
import { Lines } from './lines.ts';
import { addressOf, Names } from './names.ts';

export class NameScan {
  readonly names: Names = new Names();
  private readonly lines = new Lines((line) => this.read(line));

  push(piece: Uint8Array): void {
    this.lines.push(piece);
  }

  end(): void {
    this.lines.end();
  }

  /** Errors in a line are left to the full reader. */
  private read(line: string): void {
    if (!line.includes('"name"')) return;
    let fields: { name?: unknown; at?: unknown } | null;
    try {
      fields = JSON.parse(line);
    } catch {
      return;
    }
    const address = addressOf(fields?.at);
    if (typeof fields?.name === 'string' && address !== undefined) this.names.declare(fields.name, address);
  }
}
