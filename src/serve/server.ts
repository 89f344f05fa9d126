/**
 * serve/: the viewer for a folder of runs and programs, on loopback. Knows the pipelines and report/. The command line
 * starts it, and it starts the command line for every check.
 *
 *   GET  /                          the viewer
 *   GET  /api/list                  runs and programs
 *   GET  /api/run?path=…            a saved run, with its sources
 *   GET  /api/source?path=…         a source, to edit; POST writes it, unless it has changed meanwhile
 *   POST /api/explore               a program after a schedule (explorer.ts)
 *   POST /api/checks                start a check (checks.ts); GET lists them
 *   GET  /api/checks/1/events       its progress, as server-sent events
 *   POST /api/checks/1/stop
 *
 * Everything requires the token (token.ts), which is part of the printed address.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { assertMacro } from '../frontend/llvm/clang/clang-words.ts';
import { isModel } from '../models/index.ts';
import { SCHEMA } from '../report/schema.ts';
import { type SourceText, TOKEN_PARAMETER } from '../report/serve-api.ts';
import { pageData, renderPage } from '../report/writers/html.ts';
import { pageOfReport } from '../report/writers/pages.ts';
import { Checks } from './checks.ts';
import { Explorer, Refusal } from './explorer.ts';
import { ServedFolder } from './folder.ts';
import { addressOf, assertOwn, readJson, send, sendEvents, sendJson, textField, textsField } from './requests.ts';
import { Token } from './token.ts';

interface ServeOptions {
  readonly folder: string;
  /** 0 picks any free port. */
  readonly port: number;
  /** The path of the `fencepost` command. */
  readonly command: string;
}

export class ViewerServer {
  private readonly folder: ServedFolder;
  private readonly explorer: Explorer;
  private readonly checks: Checks;
  private readonly server: Server;
  private readonly page: string;
  private readonly token = new Token();
  private readonly wantedPort: number;

  constructor({ folder, port, command }: ServeOptions) {
    this.folder = new ServedFolder(folder);
    this.explorer = new Explorer(this.folder);
    this.checks = new Checks(this.folder.root, command);
    this.page = renderPage('Fencepost', null);
    this.wantedPort = port;
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => this.fail(response, error));
    });
  }

  /** Starts listening; resolves to the address, which includes the token. */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.wantedPort, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${this.port}/?${TOKEN_PARAMETER}=${this.token.text}`);
      });
    });
  }

  private get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.checks.killAll();
    this.server.close();
    this.server.closeAllConnections();
  }

  private fail(response: ServerResponse, error: unknown): void {
    // A client that went away, perhaps before it had sent its request, is no error of ours.
    const isGone = response.destroyed || (error as NodeJS.ErrnoException).code === 'ECONNRESET';
    if (response.headersSent || isGone) {
      response.destroy();
      return;
    }
    if (error instanceof Refusal) {
      // The rest of an oversized body is not read.
      if (error.status === 413) response.setHeader('connection', 'close');
      return sendJson(response, { message: error.message }, error.status);
    }
    process.stderr.write(
      `fencepost: internal error, please report it\n${error instanceof Error ? error.stack : error}\n`,
    );
    sendJson(response, { message: 'internal error; see the terminal of fencepost serve' }, 500);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    assertOwn(request, this.port);
    const address = addressOf(request);
    this.token.assertIn(request, address);
    const { pathname, searchParams } = address;
    const check = /^\/api\/checks\/(\d{1,9})\/(events|stop)$/.exec(pathname);
    switch (`${request.method} ${check === null ? pathname : check[2]}`) {
      case 'GET /':
        return send(response, 200, 'text/html', this.page);
      case 'GET /api/list':
        return sendJson(response, this.folder.list());
      case 'GET /api/run':
        return sendJson(response, this.run(searchParams.get('path') ?? ''));
      case 'GET /api/source':
        return sendJson(response, this.source(searchParams.get('path') ?? ''));
      case 'POST /api/source':
        return sendJson(response, this.write(await readJson(request)));
      case 'POST /api/explore':
        return sendJson(response, await this.explore(await readJson(request)));
      case 'GET /api/checks':
        return sendJson(response, this.checks.all);
      case 'POST /api/checks':
        return sendJson(response, this.start(await readJson(request)), 201);
      case 'GET events':
        return this.watch(Number(check![1]), response);
      case 'POST stop':
        return sendJson(response, this.checks.stop(Number(check![1])));
      default:
        throw new Refusal(404, `not found: ${request.method} ${pathname}`);
    }
  }

  private run(path: string): unknown {
    const text = this.folder.read(join(path, 'result.json'));
    if (text === undefined) throw new Refusal(404, `${path}: no such run in the served folder`);
    try {
      const report = JSON.parse(text);
      if (report.schema === SCHEMA && Array.isArray(report.results)) {
        return pageData(pageOfReport(report), this.folder.read);
      }
    } catch {
      // Falls through to the error below.
    }
    throw new Refusal(422, `${path}: result.json is not a report of version ${SCHEMA}`);
  }

  private source(path: string): SourceText {
    const text = this.folder.source(path);
    if (text === undefined) throw new Refusal(404, `${path}: no such source in the served folder`);
    return { text };
  }

  private write(body: Record<string, unknown>): SourceText {
    const path = textField(body, 'path');
    const text = textField(body, 'text');
    this.source(path);
    let isWritten: boolean;
    try {
      isWritten = this.folder.writeSource(path, textField(body, 'before'), text);
    } catch (error) {
      throw new Refusal(422, `${path}: cannot be written: ${(error as NodeJS.ErrnoException).code ?? error}`);
    }
    if (!isWritten) throw new Refusal(409, `${path} has changed on disk meanwhile; copy your text and open it again`);
    return { text };
  }

  private explore(body: Record<string, unknown>): Promise<unknown> {
    return this.explorer.state({
      file: textField(body, 'file'),
      model: textField(body, 'model'),
      defines: textsField(body, 'defines'),
      schedule: textField(body, 'schedule'),
    });
  }

  private start(body: Record<string, unknown>): unknown {
    const wanted = textField(body, 'file');
    const file = this.folder.nameOf(wanted);
    if (file === undefined) throw new Refusal(404, `${wanted}: no such file in the served folder`);
    const models = textsField(body, 'models');
    const wrong = models.find((model) => !isModel(model));
    if (wrong !== undefined) throw new Refusal(400, `unknown memory model "${wrong}"`);
    const defines = textsField(body, 'defines');
    for (const define of defines) refuseOtherThanMacro(define);
    return this.checks.start({ file, models: [...new Set(models)], defines });
  }

  private watch(id: number, response: ServerResponse): void {
    let write: ((value: unknown) => void) | undefined;
    const unwatch = this.checks.watch(id, (status) => {
      write ??= sendEvents(response);
      write(status);
      if (status.state !== 'running') response.end();
    });
    response.on('close', unwatch);
  }
}

function refuseOtherThanMacro(text: string): void {
  try {
    assertMacro('-D', text);
  } catch (error) {
    throw new Refusal(400, (error as Error).message);
  }
}
