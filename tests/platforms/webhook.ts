/** A customer's own receiver of webhooks, after the Standard Webhooks specification: signed, dated, known by an id. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Call, type Fake, type FakeOptions, isObject, Ledger, MINUTE, type Reply } from './fake.ts';

export const WEBHOOK = {
  url: 'https://hooks.shop.example/ghostlight',
  secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

const TOLERANCE = 5 * MINUTE;

export function createWebhook({ now = Date.now }: FakeOptions = {}): Fake {
  const ledger = new Ledger();
  const secrets = { secret: WEBHOOK.secret };
  const error = (status: number, message: string): Reply => ({ status, body: { error: message } });

  /** One of the signatures, which are parted by blanks, has to be that of id, time and body. */
  function signed(id: string, at: string, call: Call): boolean {
    const key = Buffer.from(secrets.secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${at}.${call.text}`).digest();
    return (call.headers['webhook-signature'] ?? '').split(' ').some((one) => {
      const [version, value = ''] = one.split(',', 2);
      const given = Buffer.from(value, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
  }

  function answer(call: Call): Reply {
    const id = call.headers['webhook-id'] ?? '';
    const at = call.headers['webhook-timestamp'] ?? '';
    if (call.method !== 'POST' || call.path !== new URL(WEBHOOK.url).pathname)
      return error(404, ledger.refuse(`nothing is here: ${call.method} ${call.path}`));
    if (id === '' || id.length > 256 || id.includes('.'))
      return error(400, ledger.refuse('webhook-id is missing, or has a dot'));
    if (!/^\d{10}$/.test(at) || Math.abs(Number(at) * 1_000 - now()) > TOLERANCE)
      return error(400, ledger.refuse('webhook-timestamp is not about now, in seconds'));
    if (!signed(id, at, call)) return error(401, ledger.refuse('the signature does not hold'));
    const { json } = call;
    if (
      !isObject(json) ||
      typeof json['type'] !== 'string' ||
      typeof json['timestamp'] !== 'string' ||
      !isObject(json['data'])
    )
      return error(400, ledger.refuse('the body is no {type, timestamp, data}'));
    if (ledger.poisoned.has(id)) return error(400, ledger.refuse(`${id} is poisoned`));
    ledger.take(id, json, now(), null);
    return { status: 200 };
  }

  return { name: 'webhook', hosts: [new URL(WEBHOOK.url).host], ledger, secrets, answer, error };
}
