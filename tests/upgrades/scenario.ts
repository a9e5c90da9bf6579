/** What a recorded data directory holds, and what is asked of it later. */
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../packages/core/src/time.ts';
import { type TestService, workerHit } from '../harness/service.ts';

/** Nothing expires while a recording is of use: visits of its day are old when it is opened. */
export const SETTINGS = {
  RETENTION_DAYS: '3650',
  VISITOR_RETENTION_DAYS: '3650',
  BASE_URL: 'https://ghostlight.example',
} as const;

const AGENTS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  {
    user_agent: 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    verified: null,
    verified_by: '',
  },
  { verified: false, verified_by: '', pathname: '/admin' },
  { status: 404, pathname: '/gone' },
  {
    user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    referer: 'https://chatgpt.com/',
    verified: null,
    verified_by: '',
  },
];

/** A property with something of everything, over three days. @returns the property's id */
export async function fill(service: TestService): Promise<string> {
  const property = await service.property();
  const { id, key } = property;
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await service.api(method, `/api/v1/properties/${id}${path}`, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, unknown>;
  };
  await post(service, key, 3);
  await call('PUT', '/webhooks', { enabled: true });
  const webhook = await call('POST', '/webhook-keys', { name: 'Shop' });
  const order = { conversion_id: 'order-1', value: 129.9, currency: 'EUR', visitor_id: randomUUID() };
  for (const [topic, body] of [
    ['purchase', { ...order, user_data: { email: 'ada@shop.example' } }],
    ['refund', { ...order, refund_id: 'refund-1', value: 29.9 }],
    ['lead', { conversion_id: 'lead-1', value: 10, currency: 'USD' }],
  ] as const) {
    const answer = await service.call('POST', `/webhooks/custom/${id}/${topic}`, {
      headers: { Authorization: `Bearer ${String(webhook['key'])}` },
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${topic}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  await call('PUT', '/webmcp', {
    hosts: ['shop.example'],
    tools: [{ name: 'search', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } }],
  });
  await call('POST', '/alerts/channels', {
    name: 'Operations',
    type: 'webhook',
    target: 'https://hooks.shop.example/ghostlight',
  });
  return id;
}

/** Visits of each kind on each of the days before now. */
export async function post(service: TestService, key: string, days: number): Promise<void> {
  const now = Date.now();
  for (let day = 0; day < days; day += 1) {
    const hits = AGENTS.map((agent, index) =>
      workerHit({ timestamp: now - day * DAY_MS - index * 1_000, ...agent }),
    );
    const answer = await service.hits(key, hits);
    if (answer.status !== 204) throw new Error(`hits: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

/** What is asked of a property: name → path below it. Answers that depend on the time of asking are not. */
export function questions(from: string, to: string): Readonly<Record<string, string>> {
  const period = `from=${from}&to=${to}&include=spoofed`;
  return {
    property: '',
    bots: `/reports/bots?${period}`,
    pages: `/reports/pages?${period}`,
    referrals: `/reports/referrals?${period}`,
    failures: `/reports/failures?${period}`,
    conversions: `/conversions?from=${from}&to=${to}`,
    webhooks: '/webhooks',
    channels: '/alerts/channels',
    manifest: '/webmcp',
  };
}
