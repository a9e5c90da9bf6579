/**
 * Wrong webhook keys and good ones from one address, as behind a proxy without TRUST_PROXY: 30 wrong a second for a minute.
 * One good sender posts each second, another each 6 s, whose key is then looked up again.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestService } from '../tests/harness/service.ts';
import type { Figure } from './harness.ts';

const SECONDS = 60;
const WRONG_PER_SECOND = 30;
const RARE_EVERY_SECONDS = 6;

export async function wrongKeys(): Promise<Figure[]> {
  const service = new TestService({ LOG_LEVEL: 'error' });
  try {
    await service.start();
    const { id } = await service.property();
    await service.api('PUT', `/api/v1/properties/${id}/webhooks`, { enabled: true });
    const [steady, rare] = [await keyOf(service, id, 'Steady'), await keyOf(service, id, 'Rare')];
    const post = async (key: string, order: string): Promise<number> =>
      (
        await service.call('POST', `/webhooks/custom/${id}/purchase`, {
          headers: { Authorization: `Bearer ${key}` },
          body: JSON.stringify({ conversion_id: order, value: 1, currency: 'EUR' }),
        })
      ).status;
    const good: Promise<number>[] = [];
    const wrong: Promise<number>[] = [];
    const start = performance.now();
    for (let tick = 0; tick < SECONDS * WRONG_PER_SECOND; tick += 1) {
      wrong.push(post(`svc_wh_${randomBytes(22).toString('hex').slice(0, 43)}`, `wrong_${tick}`));
      if (tick % WRONG_PER_SECOND === 15) good.push(post(steady, `steady_${tick}`));
      if (tick % (WRONG_PER_SECOND * RARE_EVERY_SECONDS) === 20) good.push(post(rare, `rare_${tick}`));
      await sleep(Math.max(0, start + ((tick + 1) * 1_000) / WRONG_PER_SECOND - performance.now()));
    }
    const refused = (await Promise.all(good)).filter((status) => status !== 200).length;
    const statuses = Map.groupBy(await Promise.all(wrong), (status) => status);
    const told = [...statuses].map(([status, list]) => `${list.length} × ${status}`).join(', ');
    const opened = statuses.has(200);
    return [
      {
        what: `good webhook keys refused while ${WRONG_PER_SECOND} wrong ones a second come from the same address for a minute`,
        measured: `${refused} of ${good.length} (wrong ones: ${told})`,
        target: '0',
        holds: refused === 0 && !opened,
      },
    ];
  } finally {
    await service.dispose();
  }
}

async function keyOf(service: TestService, property: string, name: string): Promise<string> {
  const { body } = await service.api('POST', `/api/v1/properties/${property}/webhook-keys`, { name });
  return (body as { key: string }).key;
}
