/** The engine in a Worker of the page. */
import { Engine } from './engine.ts';
import type { Answer, Request } from './messages.ts';
import type { Manifest, Store } from './packs.ts';

/** In the browser's Cache Storage, so that clang is loaded from the network only once. */
const CACHE = 'fencepost-playground';

/** The folder of this script, which also has the packs. */
const HERE = new URL('./', self.location.href);

const store: Store = {
  async manifest() {
    return (await (await fetched(new URL('manifest.json', HERE), { cache: 'no-cache' })).json()) as Manifest;
  },

  async read({ file }, onProgress) {
    const response = await keptResponse(new URL(file, HERE), onProgress);
    return response.body!.pipeThrough(new DecompressionStream('gzip'));
  },
};

async function fetched(url: URL, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status} ${response.statusText}`);
  return response;
}

/**
 * From the cache, or else from the network into the cache. Storage may be refused or full; then the file is loaded
 * again next time.
 */
async function keptResponse(url: URL, onProgress: ((loaded: number) => void) | undefined): Promise<Response> {
  // Only secure origins have Cache Storage.
  const cache = 'caches' in self ? await caches.open(CACHE).catch(() => undefined) : undefined;
  const known = await cache?.match(url);
  if (known !== undefined) return known;
  const response = await fetched(url);
  const body = onProgress === undefined ? response.body! : response.body!.pipeThrough(counting(onProgress));
  const bytes = await new Response(body).arrayBuffer();
  await cache?.put(url, new Response(bytes)).catch(() => undefined);
  if (cache !== undefined) await dropOld(cache, url);
  return new Response(bytes);
}

/** Deletes files of earlier versions, which have the same name with another hash. */
async function dropOld(cache: Cache, url: URL): Promise<void> {
  const kind = (path: string): string => path.replace(/-[0-9a-f]+\./, '.');
  for (const { url: other } of await cache.keys()) {
    if (other !== url.href && kind(other) === kind(url.href)) await cache.delete(other);
  }
}

function counting(onProgress: (loaded: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let loaded = 0;
  return new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.length;
      onProgress(loaded);
      controller.enqueue(chunk);
    },
  });
}

const say = (answer: Answer): void => self.postMessage(answer);
const engine = new Engine(store, say);

self.onmessage = ({ data }: MessageEvent<Request>): void => {
  if (data.kind === 'stop') engine.stop();
  else void engine.run(data.files, data.args, data.columns).then((outcome) => say({ kind: 'done', outcome }));
};
