/**
 * The load, from a process of its own: keep-alive sockets that send one prepared request again and again, raw, so that the generator costs as
 * little as it can beside the server it measures. Prints one line of JSON.
 *
 * node bench/load.ts '{"port":8080,"path":"/","headers":{},"body":"…","connections":64,"seconds":5}'
 */
import { connect } from 'node:net';

export interface LoadPlan {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  seconds: number;
  /** Requests a second over all connections; absent: as fast as answers come. */
  rate?: number;
  /** Every request is another one: each `########` of the body becomes `(first + n × stride) mod 10^6`, in eight digits. */
  numbered?: { first: number; stride: number };
}

export interface LoadReport {
  requests: number;
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Status → count. */
  statuses: Record<string, number>;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const PLACEHOLDER = '########';
const NUMBERS = 1_000_000;

function run(plan: LoadPlan): Promise<LoadReport> {
  const body = Buffer.from(plan.body);
  const head = Object.entries({
    Host: `127.0.0.1:${plan.port}`,
    ...plan.headers,
    'Content-Length': String(body.length),
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const request = Buffer.concat([Buffer.from(`POST ${plan.path} HTTP/1.1\r\n${head}\r\n`), body]);
  const places: number[] = [];
  if (plan.numbered !== undefined)
    for (let at = request.indexOf(PLACEHOLDER); at !== -1; at = request.indexOf(PLACEHOLDER, at + 1))
      places.push(at);
  let sent = 0;
  const next = (): Buffer => {
    if (plan.numbered === undefined) return request;
    const number = (plan.numbered.first + sent * plan.numbered.stride) % NUMBERS;
    sent += 1;
    const numbered = Buffer.from(request);
    for (const at of places) numbered.write(String(number).padStart(PLACEHOLDER.length, '0'), at, 'latin1');
    return numbered;
  };
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const start = performance.now();
  const end = start + plan.seconds * 1_000;
  const interval = plan.rate === undefined ? 0 : (plan.connections / plan.rate) * 1_000;

  const worker = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(plan.port, '127.0.0.1');
      socket.setNoDelay(true);
      let sentAt = 0;
      let pending: Buffer = Buffer.alloc(0);
      const send = () => {
        sentAt = performance.now();
        socket.write(next());
      };
      // At a given rate they take turns: all at once, again and again, would be measured as a queue.
      socket.on('connect', () => setTimeout(send, (interval * index) / plan.connections));
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const headerEnd = pending.indexOf(HEADER_END);
        if (headerEnd === -1) return;
        const header = pending.toString('latin1', 0, headerEnd);
        const length = Number(/content-length: (\d+)/i.exec(header)?.[1] ?? 0);
        if (pending.length < headerEnd + 4 + length) return;
        pending = Buffer.alloc(0);
        const now = performance.now();
        latencies.push(now - sentAt);
        const status = header.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (now >= end) {
          socket.destroy();
          resolve();
        } else if (interval > 0) setTimeout(send, Math.max(0, sentAt + interval - now));
        else send();
      });
    });

  return Promise.all(Array.from({ length: plan.connections }, (_, index) => worker(index))).then(() => {
    latencies.sort((a, b) => a - b);
    const at = (share: number) =>
      latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
    return {
      requests: latencies.length,
      seconds: (performance.now() - start) / 1_000,
      p50: at(0.5),
      p99: at(0.99),
      statuses,
    };
  });
}

const plan = process.argv[2];
if (plan !== undefined) console.log(JSON.stringify(await run(JSON.parse(plan) as LoadPlan)));
