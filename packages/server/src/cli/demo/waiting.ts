/**
 * What answers at the service's address while the demo writes its past: the progress. The page becomes the dashboard by itself as soon as
 * that is there; a program gets 503 with Retry-After.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Waiting {
  /** The service's, once this is closed. */
  readonly port: number;
  /** Where this machine reaches it. */
  readonly address: string;
  /** @param share 0 to 1  @param words what has been done */
  tell(share: number, words: string): void;
  close(): Promise<void>;
}

const RETRY_SECONDS = 1;
const HEADERS = { 'Cache-Control': 'no-store', 'Retry-After': String(RETRY_SECONDS) };

/** @throws as `listen`: the port may be taken */
export async function startWaiting({ host, port }: { host: string; port: number }): Promise<Waiting> {
  let progress = { share: 0, words: 'Beginning' };
  const server = createServer((request, response) => {
    request.resume();
    // Else the service would have to wait for connections that stay.
    response.shouldKeepAlive = false;
    const isPage = request.headers.accept?.includes('text/html') === true;
    const detail = `The demo is writing its past: ${progress.words}.`;
    const problem = { type: 'about:blank', title: 'Not yet', status: 503, detail, progress };
    response.writeHead(503, {
      ...HEADERS,
      'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/problem+json',
    });
    response.end(isPage ? page(progress) : JSON.stringify(problem));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  return {
    port: at,
    address: `http://localhost:${at}`,
    tell(share, words) {
      progress = { share, words };
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const page = ({ share, words }: { share: number; words: string }): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The demo begins</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { margin: 20vh auto 0; max-width: 32rem; padding: 0 1.5rem; }
progress { width: 100%; }
</style>
<main>
<h1>The demo begins</h1>
<p>The demo writes 90 days of a made-up past, once: visits, orders, deliveries and alerts. Then the dashboard appears here.</p>
<p><progress id="share" value="${share}" max="1" aria-label="Written"></progress> <span id="words" role="status">${words}</span></p>
<script>
(async () => {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ${RETRY_SECONDS * 500}));
    // There is no answer for the moment in which the service takes over.
    const answer = await fetch(location.href, { headers: { Accept: 'application/json' } }).catch(() => null);
    if (answer === null) continue;
    if (answer.status !== 503) return location.reload();
    const { progress } = await answer.json().catch(() => ({}));
    if (progress === undefined) continue;
    document.getElementById('share').value = progress.share;
    document.getElementById('words').textContent = progress.words;
  }
})();
</script>
</main>
</html>
`;
