/**
 * Which requests are allowed, their size limits, and the form of answers: only the user who started the server may use
 * it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from './explorer.ts';

const MAX_BODY: number = 256 * 1024;

/**
 * Rejects requests that other sites make the browser send, by host name (DNS rebinding), by origin, and by fetch
 * metadata unless they navigate to the page.
 */
export function assertOwn({ headers, method }: IncomingMessage, port: number): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '')) throw new Refusal(403, 'wrong host name');
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    throw new Refusal(403, 'requests from other sites are rejected');
  }
  const site = headers['sec-fetch-site'];
  const isElsewhere = site === 'cross-site' || site === 'same-site';
  const isVisit = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  if (isElsewhere && !isVisit) throw new Refusal(403, 'requests from other sites are rejected');
}

export function addressOf({ url }: IncomingMessage): URL {
  try {
    return new URL(url ?? '/', 'http://127.0.0.1');
  } catch {
    throw new Refusal(400, 'not an address');
  }
}

export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (request.headers['content-type'] !== 'application/json') throw new Refusal(415, 'expected application/json');
  const tooLarge = new Refusal(413, `the request has more than ${MAX_BODY} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) throw tooLarge;
    parts.push(part);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new Refusal(400, 'not a JSON document');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal(400, 'expected an object');
  return value as Record<string, unknown>;
}

export function textField(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Refusal(400, `"${name}" must be a string`);
  return value;
}

export function textsField(body: Record<string, unknown>, name: string): readonly string[] {
  const value = body[name];
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (!isTexts) throw new Refusal(400, `"${name}" must be a list of strings`);
  return value;
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

export function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` });
  response.end(body);
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  send(response, status, 'application/json', JSON.stringify(value));
}

/** Starts a stream of server-sent events; returns a function that sends one. */
export function sendEvents(response: ServerResponse): (value: unknown) => void {
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
  return (value) => response.write(`data: ${JSON.stringify(value)}\n\n`);
}
