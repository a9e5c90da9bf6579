/** What a newcomer meets first: the greeting of `npm start`. */
import { scryptSync } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../harness/forwarding.ts';
import { TestService } from '../harness/service.ts';

const PASSWORD = 'correct horse battery';

describe('the first start', () => {
  const service = new TestService({ ADMIN_TOKEN: '' });
  afterAll(async () => {
    await service.dispose();
  });

  it('greets with the addresses and, once, with the admin token, which only the owner can read', async () => {
    await service.start();
    // The service answers before its greeting has come through the pipe.
    await vi.waitFor(() => expect(service.log).toContain('Admin token'), 10_000);
    expect(service.log).toContain('Ghostlight 0.1.0 is running.');
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

  it('prints a link with which the owner makes their account, once, until there is one', async () => {
    const links = () => [...service.log.matchAll(/First account +(\S+)\/welcome#token=([\w-]{43})$/gm)];
    // The service says where it is before its greeting has come through the pipe.
    await vi.waitFor(() => expect(links()).toHaveLength(2), 10_000);
    const [first, second] = links();
    expect(first?.[2]).not.toBe(second?.[2]);
    expect(second?.[1]).toBe(service.address);
    const open = (link: RegExpExecArray | undefined) =>
      service.call('POST', '/api/v1/welcome', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          token: link?.[2],
          name: 'Ada',
          email: 'ada@shop.example',
          password: PASSWORD,
        }),
      });
    expect((await open(first)).status).toBe(404);
    const opened = await open(second);
    expect([opened.status, opened.body]).toMatchObject([201, { role: 'owner', person: { name: 'Ada' } }]);
    expect((await open(second)).status).toBe(404);
    const Cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    expect((await service.call('GET', '/api/v1/account', { headers: { Cookie } })).status).toBe(200);

    await service.stop();
    await service.start();
    expect(links()).toHaveLength(2);
    expect((await service.call('GET', '/api/v1/account', { headers: { Cookie } })).status).toBe(200);
  });

  it('keeps the password as a scrypt hash that costs 32 MiB to try', () => {
    const [salt = '', key] = String(sql(service, 'select password from credentials')[0]?.['password']).split(
      ':',
    );
    const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 ** 2 };
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(key).toBe(scryptSync(PASSWORD, salt, 64, cost).toString('hex'));
  });

  // Six processes, one after the other.
  it('lets the command line invite, change, help and remove people', async () => {
    const run = async (...words: string[]) => {
      const { code, stdout, stderr } = await service.run(['people', ...words]);
      expect(stderr, words.join(' ')).toBe('');
      expect(code).toBe(0);
      return stdout;
    };
    const invited = await run('invite', 'bob@shop.example', '--role', 'admin');
    expect(invited).toContain(`${service.address}/invitation#token=`);
    const token = /#token=([\w-]+)/.exec(invited)?.[1];
    const accepted = await service.call('POST', '/api/v1/invitations/accept', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, name: 'Bob', password: PASSWORD }),
    });
    expect(accepted.status).toBe(200);
    await run('role', 'bob@shop.example', 'viewer');
    expect(await run('list')).toMatch(/bob@shop\.example +Bob +viewer/);
    expect(await run('reset', 'bob@shop.example')).toContain('/reset-password#token=');
    await run('remove', 'bob@shop.example');
    const { code, stderr } = await service.run(['people', 'remove', 'bob@shop.example']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('no such member')]);
  });
});
