/** A visit as an installation's first user makes it: a property, a key, a hit of GPTBot, and the hit in Live. */
import { ok, strictEqual } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 30_000;

/** @param address without a trailing slash @param token the admin token */
export async function visit(address: string, token: string): Promise<void> {
  const api = async <T>(path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${address}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    ok(answer.ok, `${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  const { id } = await api<{ id: string }>('/properties', { name: 'Image', domain: 'shop.example' });
  const { key } = await api<{ key: string }>('/ingest-keys', {
    name: 'Edge',
    provider: 'edge_worker',
    attribution_id: id,
  });
  const hit = {
    timestamp: Date.now(),
    host: 'shop.example',
    pathname: '/products/lamp',
    user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    status: 200,
    verified: true,
    verified_by: 'edge_cidr',
  };
  const { status } = await fetch(`${address}/v1/logs/edge_worker`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
    body: JSON.stringify([hit]),
  });
  strictEqual(status, 204, 'the hit is acknowledged');
  for (const began = Date.now(); ; await sleep(200)) {
    const live = JSON.stringify(await api(`/properties/${id}/live`));
    if (live.includes('"bot_name":"GPTBot"')) return;
    ok(Date.now() - began < LIMIT_MS, `the hit is not in Live: ${live}`);
  }
}
