/** From the 204 of a hit to its row in Live. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestService, workerHit } from '../tests/harness/service.ts';
import type { Figure } from './harness.ts';

const HITS = 100;
const POLL_MS = 20;
const GIVE_UP_MS = 10_000;

export async function visible(): Promise<Figure[]> {
  const service = new TestService({ LOG_LEVEL: 'error' });
  try {
    await service.start();
    const { id, key } = await service.property();
    const waits: number[] = [];
    for (let hit = 0; hit < HITS; hit += 1) {
      const pathname = `/visible/${randomUUID()}`;
      await service.hits(key, [workerHit({ pathname })]);
      const answered = performance.now();
      for (;;) {
        const { body } = await service.api('GET', `/api/v1/properties/${id}/live?limit=20`);
        if ((body as { items: { path: string }[] }).items.some(({ path }) => path === pathname)) break;
        if (performance.now() - answered > GIVE_UP_MS) throw new Error(`${pathname} never became visible`);
        await sleep(POLL_MS);
      }
      waits.push(performance.now() - answered);
      // Hits don't come in step with the shipper.
      await sleep(Math.random() * 150);
    }
    waits.sort((a, b) => a - b);
    const p99 = waits[Math.floor(waits.length * 0.99)] ?? Number.NaN;
    return [
      {
        what: '204 → visible in Live, p99',
        measured: `${Math.round(p99)} ms`,
        target: '< 2,000 ms',
        holds: p99 < 2_000,
      },
    ];
  } finally {
    await service.dispose();
  }
}
