/**
 * What uploads of one organization do to the posts of another: for every shape of body that costs more to read than to send, the other's p99
 * beside its p99 with nothing else running, and how long the service goes on working when all senders have left.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN_TOKEN, TestService, workerHit } from '../tests/harness/service.ts';
import { expectOnly, type Figure, load, median } from './harness.ts';
import { HOSTILE_BODIES, type HostileBody } from './hostile-bodies.ts';

/** At once, each again and again: one, which is what the goal is about, and many. */
const UPLOADS = [1, 6];
const SECONDS = 3;
const MOST_RATIO = 5;
/** The other's posts; far from what the service could take. */
const RATE = 200;
const CONNECTIONS = 16;
/** Milliseconds of processor time in a tenth of a second: less is idling. */
const IDLE_MS = 25;
const TICK_MS = 10;
const GIVE_UP_MS = 60_000;
/** Of the loopback network; the other organization's posts come from another address. */
const ATTACKER = '127.0.0.2';

export async function hostileUpload(): Promise<Figure[]> {
  const only = process.env['BENCH_SHAPE'];
  const service = new TestService({ LOG_LEVEL: 'error' });
  try {
    await service.start();
    const victim = await service.property();
    const attacker = await otherOrganization(service);
    const port = Number(new URL(service.address).port);
    const probe = () =>
      load({
        port,
        path: '/v1/logs/edge_worker',
        headers: { 'X-API-Key': victim.key },
        body: JSON.stringify([workerHit()]),
        connections: CONNECTIONS,
        seconds: SECONDS,
        rate: RATE,
      }).then((report) => expectOnly(report, '204').p99);
    await probe();
    const idles: number[] = [];
    for (let round = 0; round < 3; round += 1) idles.push(await probe());
    const idle = median(idles);
    const figures: Figure[] = [];
    for (const uploads of UPLOADS) {
      let worst = { shape: '', ratio: 0 };
      let longest = { shape: '', seconds: 0 };
      let over = 0;
      for (const [shape, make] of Object.entries(HOSTILE_BODIES)) {
        if (only !== undefined && !only.split(',').includes(shape)) continue;
        const body = await make();
        const senders = Array.from(
          { length: uploads },
          (_, index) => new Sender(port, attacker, body, index),
        );
        const p99 = await probe();
        for (const sender of senders) sender.leave();
        const seconds = (await workAfter(service.pid)) / 1_000;
        const ratio = p99 / idle;
        const answers = [...new Set(senders.flatMap(({ statuses }) => statuses))].join(' ');
        process.stderr.write(
          `  ${uploads} of ${shape}: p99 ${p99.toFixed(1)} ms, ${ratio.toFixed(1)}×; ${seconds.toFixed(1)} s after; answers ${answers}\n`,
        );
        if (ratio >= MOST_RATIO) over += 1;
        if (ratio > worst.ratio) worst = { shape, ratio };
        if (seconds > longest.seconds) longest = { shape, seconds };
      }
      const beside = uploads === 1 ? 'one hostile upload' : `${uploads} hostile uploads`;
      figures.push(
        {
          what: `another organization’s p99 beside ${beside}, against ${idle.toFixed(1)} ms alone, worst of all shapes (${worst.shape}; ${over} at ${MOST_RATIO}× or more)`,
          measured: `${worst.ratio.toFixed(1)}×`,
          target: `< ${MOST_RATIO}×`,
          holds: worst.ratio < MOST_RATIO,
        },
        {
          what: `processor time after the senders of ${beside} have left, longest (${longest.shape})`,
          measured: `${longest.seconds.toFixed(1)} s`,
          target: '< 1 s',
          holds: longest.seconds < 1,
        },
      );
    }
    return figures;
  } finally {
    await service.dispose();
  }
}

async function otherOrganization(service: TestService): Promise<string> {
  const made = await service.api('POST', '/api/v1/organizations', { name: 'Attacker' });
  const organization = (made.body as { id: string }).id;
  const call = async (path: string, body: object) => {
    const answer = await service.call('POST', `${path}?organization=${organization}`, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status}`);
    return answer.body as { id: string; key: string };
  };
  const { id } = await call('/api/v1/properties', { name: 'Attack', domain: 'attack.example' });
  const issued = { name: 'Attack', provider: 'edge_logpush', attribution_id: id };
  return (await call('/api/v1/ingest-keys', issued)).key;
}

/** Uploads the same body again and again until it leaves. */
class Sender {
  readonly statuses: string[] = [];
  readonly #port: number;
  readonly #head: string;
  readonly #body: HostileBody;
  #socket: Socket | null = null;
  #hasLeft = false;

  constructor(port: number, key: string, body: HostileBody, index: number) {
    this.#port = port;
    this.#body = body;
    const length =
      body.inCrumbs === true ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.bytes.length}`;
    this.#head = `POST /v1/logs/edge_logpush?n=${index} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n${length}\r\n\r\n`;
    this.#send();
  }

  leave(): void {
    this.#hasLeft = true;
    this.#socket?.destroy();
  }

  #send(): void {
    if (this.#hasLeft) return;
    const socket = connect({ host: '127.0.0.1', port: this.#port, localAddress: ATTACKER });
    this.#socket = socket;
    const more = (): void => {
      while (this.#body.inCrumbs === true && socket.write(this.#body.bytes));
    };
    socket.on('drain', more);
    socket.on('error', () => undefined);
    socket.once('data', (chunk: Buffer) => {
      this.statuses.push(chunk.toString('latin1', 9, 12));
      socket.destroy();
    });
    // A moment between two, as a sender that is refused would leave.
    socket.once('close', () => setTimeout(() => this.#send(), 50));
    socket.write(this.#head);
    socket.write(this.#body.bytes);
    more();
  }
}

/** Milliseconds until the process idles. */
async function workAfter(pid: number): Promise<number> {
  const start = performance.now();
  let before = processorMs(pid);
  let lastBusy = start;
  while (performance.now() - lastBusy < 500 && performance.now() - start < GIVE_UP_MS) {
    await sleep(100);
    const now = processorMs(pid);
    if (now - before > IDLE_MS) lastBusy = performance.now();
    before = now;
  }
  return lastBusy - start;
}

/** Processor time of all threads so far (Linux). */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
