/**
 * A secret that only the user who started the server knows. It is needed because every user of the machine and every
 * page open in a browser can reach loopback. It is new at each start, and part of the printed address. It is not a
 * cookie, since browsers send cookies to every port of a host.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TOKEN_HEADER, TOKEN_PARAMETER } from '../report/serve-api.ts';
import { Refusal } from './explorer.ts';

export class Token {
  readonly text: string = randomBytes(24).toString('base64url');

  /** Rejects a request that has the token neither in the header nor in the address. */
  assertIn({ headers }: IncomingMessage, address: URL): void {
    const given = headers[TOKEN_HEADER] ?? address.searchParams.get(TOKEN_PARAMETER);
    if (typeof given === 'string' && this.is(given)) return;
    throw new Refusal(
      403,
      'open the whole address that fencepost serve printed, with its token; it changes at each start',
    );
  }

  /** Takes the same time wherever the two differ. */
  private is(given: string): boolean {
    const [a, b] = [given, this.text].map((text) => createHash('sha256').update(text).digest());
    return timingSafeEqual(a!, b!);
  }
}
