/** A property on which every name from people and untrusted senders is as long or as odd as it may be, with something on every page. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestService, workerHit } from '../harness/service.ts';

/** As long as a name may be in DNS: labels of up to 63 characters. */
const LONG_DOMAIN = `${'a-very-long-name-of-a-shop-'.repeat(2)}x.${'department-'.repeat(5)}x.${'region'.repeat(9)}.example`;
const FAMILY = '👩‍👩‍👧‍👦';
const ODD = [
  `/${'unbroken'.repeat(120)}`,
  `/a/${'many-words-in-a-row/'.repeat(30)}end`,
  `/emoji/${FAMILY}/${encodeURIComponent(FAMILY)}/🏳️‍🌈`,
  '/latin-1/caf%E9/%E0/%E0%A4%A/%',
  '/right-to-left/\u202egpj.exe\u202c/\u2066اب\u2069',
  '/invisible/a\u200bb\u200cc\u00add\ufeffe',
  `/zalgo/Z${'\u0301'.repeat(40)}`,
  '/日本語のとても長いページの名前'.repeat(8),
] as const;
const AGENTS = ['GPTBot', 'ClaudeBot', 'meta-externalagent', 'CloudflareBrowserRenderingCrawler'] as const;
const LONG_NAME = `A very long name that ${'goes on and '.repeat(7)}ends`.slice(0, 100);
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

export interface OddProperty {
  readonly id: string;
  readonly destinationId: string;
}

/** Fills a property of the service. */
export async function oddProperty(service: TestService): Promise<OddProperty> {
  const made = async (method: string, path: string, body: unknown): Promise<Record<string, string>> => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, string>;
  };
  const { id, key } = await service.property(LONG_NAME, LONG_DOMAIN);
  const below = `/api/v1/properties/${id}`;
  const day = 86_400_000;
  const hits = ODD.flatMap((pathname, index) =>
    [0, 1, 2].map((days) =>
      workerHit({
        pathname,
        host: index % 2 === 0 ? LONG_DOMAIN : `xn--bcher-kva.${LONG_DOMAIN.slice(40)}`,
        timestamp: Date.now() - days * day,
        user_agent: `Mozilla/5.0 (compatible; ${AGENTS[index % AGENTS.length]}/1.0; ${'+https://long.example/'.repeat(9)})`,
        status: index % 3 === 0 ? 503 : index % 2 === 0 ? 404 : 200,
        verified: index % 4 === 0 ? false : null,
        verified_by: null,
        referer: `https://${LONG_DOMAIN}${pathname}`,
      }),
    ),
  );
  const referrals = ODD.map((pathname) =>
    workerHit({
      ...{ pathname, host: LONG_DOMAIN, user_agent: BROWSER, verified: null, verified_by: null },
      referer: 'https://chatgpt.com/',
    }),
  );
  assert.equal((await service.hits(key, [...hits, ...referrals])).status, 204);
  await service.hits(key, [workerHit({ pathname: ODD[0], timestamp: 'never' })]);

  await made('PUT', `${below}/webhooks`, { enabled: true });
  const { key: webhookKey = '' } = await made('POST', `${below}/webhook-keys`, { name: LONG_NAME });
  const { id: destinationId = '' } = await made('POST', `${below}/destinations`, {
    platform: 'webhook',
    name: LONG_NAME,
    config: { url: `https://${LONG_DOMAIN}/${'hook/'.repeat(60)}` },
    credentials: { signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  });
  for (const [index, path] of ODD.entries()) {
    const visitor = randomUUID();
    await service.call('POST', '/api/events', {
      headers: { 'Content-Type': 'text/plain', Origin: `https://${LONG_DOMAIN}`, 'User-Agent': BROWSER },
      body: JSON.stringify({
        ...{ event_name: 'page_view', event_id: randomUUID(), session_id: randomUUID(), session_start: true },
        ...{ attribution_id: id, visitor_id: visitor, page_referrer: 'https://chatgpt.com/' },
        page_location: `https://${LONG_DOMAIN}${path}?utm_source=chatgpt.com&utm_campaign=${encodeURIComponent(path)}`,
        consent: { analytics: true, advertising: true },
      }),
    });
    await service.call('POST', `/webhooks/custom/${id}/${index % 2 === 0 ? 'purchase' : 'custom'}`, {
      headers: { Authorization: `Bearer ${webhookKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        conversion_id: `${index}-${path}`.slice(0, 100),
        ...{ visitor_id: visitor, value: '123456789012.34', currency: index % 3 === 0 ? 'JPY' : 'EUR' },
        event_name: 'a_name_of_an_event_without_a_gap_in_it',
        products: [{ id: path.slice(0, 100), name: path.slice(0, 200), quantity: 1, price: '1' }],
      }),
    });
  }
  await made('POST', `${below}/alerts/channels`, {
    ...{ type: 'webhook', name: LONG_NAME.slice(0, 80), target: `https://${LONG_DOMAIN.slice(60)}/alerts` },
  });
  return { id, destinationId };
}
