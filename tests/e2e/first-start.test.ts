/** What a newcomer meets first: the greeting of `npm start`. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TestService } from '../harness/service.ts';

describe('the first start', () => {
  const service = new TestService({ ADMIN_TOKEN: '' });
  afterAll(async () => {
    await service.dispose();
  });

  it('greets with the addresses and, once, with the admin token, which only the owner can read', async () => {
    await service.start();
    expect(service.log).toContain('Ghostlight 0.1.0 is on.');
    expect(service.log).toContain(`Dashboard     ${service.address}`);
    const token = readFileSync(join(service.dataDir, 'admin-token'), 'utf8').trim();
    expect(token.length).toBeGreaterThanOrEqual(32);
    expect(service.log.split(token)).toHaveLength(2);
    const answer = await service.call('GET', '/api/v1/properties', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    for (const file of ['admin-token', 'secret-key', 'service.json']) {
      expect(statSync(join(service.dataDir, file)).mode & 0o777, file).toBe(0o600);
    }
    expect(statSync(service.dataDir).mode & 0o777).toBe(0o700);

    await service.stop();
    await service.start();
    expect(service.log.split(token)).toHaveLength(2);
    expect(readFileSync(join(service.dataDir, 'admin-token'), 'utf8').trim()).toBe(token);
  });
});
