/** Serves the site on this machine, like any server for static files. */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
};

export interface Served {
  readonly url: string;
  /** The paths that have been requested. */
  readonly requests: string[];
  close(): void;
}

/** `port` 0 picks a free one. */
export function serveFolder(folder: string, port: number): Promise<Served> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    requests.push(path);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!(statSync(file, { throwIfNoEntry: false })?.isFile() ?? false)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((fulfil, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port: taken } = server.address() as AddressInfo;
      fulfil({ url: `http://127.0.0.1:${taken}/`, requests, close: () => server.close() });
    });
  });
}
