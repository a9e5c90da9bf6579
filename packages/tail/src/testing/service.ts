/** A service that takes logs, as far as a sender sees it: its answers are the test's, and it keeps each body that it took once. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface Posted {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

export interface FakeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export class FakeService {
  readonly posts: Posted[] = [];
  /** Bodies that were taken, each once. */
  readonly taken = new Set<string>();
  /** What to answer; undefined: the body is taken, and all of its visits are kept. */
  answer: (post: Posted) => FakeAnswer | undefined = () => undefined;
  #server = createServer((request, response) => {
    this.#take(request, response).catch(() => response.destroy());
  });
  #address = '';

  get address(): string {
    return this.#address;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Visits of the bodies that were taken. */
  visits(): Record<string, unknown>[] {
    return this.#lines().filter((line) => !('counted' in line));
  }

  /** Added up over all bodies that were taken. */
  counted(): Record<string, number> {
    const sum: Record<string, number> = {};
    for (const { counted } of this.#lines() as { counted?: Record<string, unknown> }[])
      for (const [name, value] of Object.entries(counted ?? {}))
        if (typeof value === 'number' && name.includes('_')) sum[name] = (sum[name] ?? 0) + value;
    return sum;
  }

  #lines(): Record<string, unknown>[] {
    return [...this.taken].flatMap((body) =>
      body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    );
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const post: Posted = {
      path: request.url ?? '',
      key: request.headers['x-api-key']?.toString(),
      body: gunzipSync(Buffer.concat(parts)).toString(),
    };
    this.posts.push(post);
    const { status, headers = {}, body = '' } = this.answer(post) ?? reportOn(post.body);
    if (status >= 200 && status < 300 && body.includes('"kept"')) this.taken.add(post.body);
    response.writeHead(status, headers).end(body);
  }
}

function reportOn(body: string): FakeAnswer {
  const lines = body.split('\n').filter(Boolean);
  const dropped = lines.filter((line) => line.startsWith('{"counted":')).length;
  const report = { kept: lines.length - dropped, dropped, duplicate: 0, rejected: 0, errors: [] };
  return { status: 200, body: JSON.stringify(report) };
}
