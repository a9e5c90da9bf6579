import { expect, it } from 'vitest';
import { startWaiting } from './waiting.ts';

const LOOPBACK = { host: '127.0.0.1', port: 0 };

it('shows a person how far it is, and tells a program to come again', async () => {
  const waiting = await startWaiting(LOOPBACK);
  try {
    const ask = (accept: string) =>
      fetch(`http://127.0.0.1:${waiting.port}/any/page`, { headers: { Accept: accept } });
    waiting.tell(0.25, '22 of 90 days of visits');
    const page = await ask('text/html,*/*');
    expect([page.status, page.headers.get('cache-control')]).toEqual([503, 'no-store']);
    const text = await page.text();
    expect(text).toContain('22 of 90 days of visits');
    expect(text).toContain('value="0.25"');
    const told = await ask('application/json');
    expect([told.status, told.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await told.json()).toMatchObject({ status: 503, progress: { share: 0.25 } });
  } finally {
    await waiting.close();
  }
  // Free for the service.
  const next = await startWaiting({ ...LOOPBACK, port: waiting.port });
  await next.close();
  await next.close();
});
