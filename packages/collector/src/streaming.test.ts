/** Bodies in motion: what is slow stays slow only for its own reasons, and what no one reads is not fetched. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { type BareEdge, type RawSite, startBareWorkerd, type UpgradeSite } from './testing/bare-workerd.ts';
import { closesAfterEach } from './testing/dispose.ts';
import { SERVICE_HOST, SITE_HOST } from './testing/internet.ts';
import { createRawService, type RawService } from './testing/raw-service.ts';
import { until } from './testing/until.ts';
import { CHROME, GPTBOT } from './testing/values.ts';

const closeAfter = closesAfterEach();
const SITE = `https://${SITE_HOST}/`;
const BLOCK = Buffer.alloc(64 * 1024, 'x');
const MIB = 1024 * 1024;

interface Started {
  readonly edge: BareEdge;
  readonly service: RawService;
}

async function start(site: RawSite, upgrade?: UpgradeSite): Promise<Started> {
  const service = createRawService();
  const edge = await startBareWorkerd({
    sites: { [SITE_HOST]: site, [SERVICE_HOST]: service.site },
    ...(upgrade === undefined ? {} : { upgrade }),
  });
  return { edge: closeAfter(edge), service };
}

const hit = (service: RawService): Promise<Record<string, unknown>> =>
  until('the hit arrives', () => service.hits[0]);

/** Writes blocks for as long as the reader takes them, and counts them. */
function flood(): {
  site: RawSite;
  sent: () => number;
  isOver: () => boolean;
} {
  let sent = 0;
  let over = false;
  return {
    site: (_, response) => {
      const pour = (): void => {
        do sent += BLOCK.length;
        while (response.write(BLOCK));
      };
      response.on('drain', pour).on('close', () => {
        over = true;
      });
      response.writeHead(200);
      pour();
    },
    sent: () => sent,
    isOver: () => over,
  };
}

it.each([
  ['a bot', GPTBOT],
  ['a browser', CHROME],
])('%s has the first chunk before the origin has sent the second', async (_, userAgent) => {
  let release = (): void => {};
  const { edge } = await start(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('first');
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    response.end('second');
  });
  const answer = await edge.open(SITE, { headers: { 'user-agent': userAgent } });
  const chunks = answer[Symbol.asyncIterator]();
  expect(String((await chunks.next()).value)).toBe('first');
  release();
  expect(String((await chunks.next()).value)).toBe('second');
});

it('a visitor who leaves ends the download from the origin, when the visit is not reported', async () => {
  const origin = flood();
  const { edge } = await start(origin.site);
  const answer = await edge.open(SITE, { headers: { 'user-agent': CHROME } });
  await once(answer, 'data');
  answer.destroy();
  await until('the origin is let go', origin.isOver);
});

it('a bot that leaves an answer which drips on ends it at the origin, though it was being counted', async () => {
  let ended = false;
  const { edge, service } = await start((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const dripping = setInterval(() => response.write('drip'), 20);
    response.on('close', () => {
      clearInterval(dripping);
      ended = true;
    });
  });
  const answer = await edge.open(SITE, { headers: { 'user-agent': GPTBOT } });
  await once(answer, 'data');
  answer.destroy();
  await until('the origin is let go', () => ended);
  const { bytes } = await hit(service);
  // Of a drip every 20 ms: what two seconds of counting take, and not what ten would.
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(4 * 200);
});

it('of a bot’s endless answer about 1 MiB is counted, and its leaving ends the download nevertheless', async () => {
  const origin = flood();
  const { edge, service } = await start(origin.site);
  const answer = await edge.open(SITE, { headers: { 'user-agent': GPTBOT } });
  answer.resume();
  const { bytes } = await hit(service);
  expect(bytes).toBeGreaterThanOrEqual(MIB);
  expect(bytes).toBeLessThan(2 * MIB);
  answer.destroy();
  await until('the origin is let go', origin.isOver);
});

it('a bot that stops reading makes the edge hold little more than what is counted', async () => {
  const origin = flood();
  const { edge, service } = await start(origin.site);
  const answer = await edge.open(SITE, { headers: { 'user-agent': GPTBOT } });
  answer.pause();
  expect((await hit(service))['bytes']).toBeGreaterThanOrEqual(MIB);
  // Sockets between the three of us hold some megabytes as well.
  expect(origin.sent()).toBeLessThan(24 * MIB);
  answer.destroy();
});

it.each(['text/event-stream', 'video/mp4', 'audio/mpeg'])(
  '%s is never copied: it may never end',
  async (type) => {
    const { edge, service } = await start((_, response) => {
      response.writeHead(200, { 'content-type': type });
      response.write('begin');
    });
    const answer = await edge.open(SITE, { headers: { 'user-agent': GPTBOT } });
    // The hit goes though the body is still open, so nothing waits for it.
    expect(await hit(service)).toMatchObject({ status: 200, bytes: 0 });
    answer.destroy();
  },
);

it('an answer that breaks off breaks off for the visitor too, and is reported', async () => {
  const { edge, service } = await start((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half of it', () => response.destroy());
  });
  await expect(edge.visit(SITE, { headers: { 'user-agent': GPTBOT } })).rejects.toThrow('aborted');
  expect(await hit(service)).toMatchObject({ status: 200, bytes: 100 });
});

it('an answer of unknown length that breaks off is reported with what came', async () => {
  const { edge, service } = await start((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('half of it', () => response.destroy());
  });
  // workerd ends such an answer as if it were whole, with or without us.
  await edge.visit(SITE, { headers: { 'user-agent': GPTBOT } });
  expect(await hit(service)).toMatchObject({ status: 200, bytes: 10 });
});

it('a WebSocket is upgraded and carries messages, and its visit is reported', async () => {
  const { edge, service } = await start((_, response) => response.end(), echo);
  const headers = { 'user-agent': GPTBOT };
  const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/socket`, { headers } as never);
  await once(socket, 'open');
  const heard = once(socket, 'message');
  socket.send('hello through the edge');
  const [{ data }] = (await heard) as [MessageEvent];
  expect(data).toBe('hello through the edge');
  socket.close();
  expect(await hit(service)).toMatchObject({ status: 101, bytes: 0, pathname: '/socket' });
});

/** A WebSocket server that sends each short text back (RFC 6455, sections 1.3 and 5.2). */
const echo: UpgradeSite = (request, socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on('data', (frame: Buffer) => {
    const isText = (frame[0] ?? 0) === 0x81;
    if (!isText) return void socket.end();
    const length = (frame[1] ?? 0) & 0x7f;
    const mask = frame.subarray(2, 6);
    const text = Buffer.from(frame.subarray(6, 6 + length)).map(
      (byte, index) => byte ^ (mask[index % 4] ?? 0),
    );
    socket.write(Buffer.concat([Buffer.from([0x81, length]), text]));
  });
  socket.on('error', () => {});
};
