/**
 * The demo's pretended ad platforms: one small server that answers only what is sent to them. Their hosts lead here as
 * long as the demo runs (`DESTINATION_HOSTS`), so nothing of it reaches a real platform.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../common/index.ts';
import { HOST } from './shop.ts';

export interface Pretend {
  /** Host → where its requests go. */
  readonly hosts: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Answer = (path: string, body: string, now: number) => Reply;

/** What Meta's stand-in takes for a token of the past. */
export const EXPIRED_TOKEN = 'pretended-by-the-demo-expired';
export const CRM_HOST = `crm.${HOST}`;
/** So long a new order is none to the CRM: something waits for its second attempt whenever one looks. */
const CRM_IS_BEHIND_MS = 20 * 60_000;
const CRM_RETRY_SECONDS = 600;
/** What the CRM takes for a mistake. */
const CRM_MOST = 500;
const MAX_BODY = 4 * 1024 * 1024;

/** By the first part of the path here. */
const PLATFORMS: Readonly<Record<string, { readonly host: string; readonly answer: Answer }>> = {
  meta: { host: 'graph.facebook.com', answer: meta },
  ga4: { host: 'www.google-analytics.com', answer: ga4 },
  'google-token': {
    host: 'oauth2.googleapis.com',
    answer: () => ({ status: 200, body: { access_token: 'pretended', expires_in: 3_600 } }),
  },
  google: { host: 'datamanager.googleapis.com', answer: google },
  tiktok: {
    host: 'business-api.tiktok.com',
    answer: () => ({ status: 200, body: { code: 0, message: 'OK' } }),
  },
  crm: { host: CRM_HOST, answer: crm },
};

/** @param clock of the platforms: by it they tell what is new */
export async function startPretend(clock: Clock): Promise<Pretend> {
  const server = createServer((request, response) => {
    const [, name = '', path = ''] = /^\/([a-z0-9-]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const platform = Object.hasOwn(PLATFORMS, name) ? PLATFORMS[name] : undefined;
    bodyOf(request)
      .then((body) => platform?.answer(path, body, clock()) ?? { status: 404 })
      .catch(() => ({ status: 400 }))
      .then(({ status, body, headers }: Reply) => {
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
        response.end(body === undefined ? '' : JSON.stringify(body));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    hosts: new Map(
      Object.entries(PLATFORMS).map(([name, { host }]) => [host, `http://127.0.0.1:${port}/${name}`]),
    ),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BODY) throw new RangeError('the body is too long');
  }
  return text;
}

/** Refuses every thirteenth order, and with it whatever shares its request. */
function meta(_path: string, text: string): Reply {
  const { data, access_token: token } = JSON.parse(text) as {
    data: { event_id?: string }[];
    access_token: string;
  };
  if (token === EXPIRED_TOKEN)
    return {
      status: 400,
      body: { error: { code: 190, message: 'The pretended access token has expired.' } },
    };
  if (data.some(({ event_id: id = '' }) => Number(/\d+$/.exec(id)?.[0] ?? 1) % 13 === 0)) {
    const message = 'The pretended platform takes no thirteenth order.';
    return { status: 400, body: { error: { code: 100, message } } };
  }
  return { status: 200, body: { events_received: data.length } };
}

/** Now and then an answer says nothing of what became of a lead, which it would count twice. */
function ga4(path: string, text: string): Reply {
  if (path.startsWith('/debug/')) return { status: 200, body: { validationMessages: [] } };
  const isLead = text.includes('"generate_lead"');
  const isUnlucky = Number(/"timestamp_micros":"\d*(\d)\d{6}"/.exec(text)?.[1] ?? 1) % 3 === 0;
  return { status: isLead && isUnlucky ? 500 : 204 };
}

function google(path: string): Reply {
  if (path.startsWith('/v1/requestStatus'))
    return { status: 200, body: { requestStatusPerDestination: [{ requestStatus: 'SUCCESS' }] } };
  return { status: 200, body: { requestId: `pretended-${crypto.randomUUID()}` } };
}

function crm(_path: string, text: string, now: number): Reply {
  const { timestamp, data } = JSON.parse(text) as { timestamp: string; data: { value?: string } };
  if (Number(data.value ?? 0) > CRM_MOST) return { status: 422 };
  if (Date.parse(timestamp) > now - CRM_IS_BEHIND_MS)
    return { status: 503, headers: { 'Retry-After': String(CRM_RETRY_SECONDS) } };
  return { status: 200 };
}
