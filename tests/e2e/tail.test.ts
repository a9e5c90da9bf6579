/** The commands `ghostlight tail` and `ghostlight import` against the real service: what they send is stored, each visit once. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../packages/core/src/log-formats/index.ts';
import { printCombined } from '../../packages/core/src/log-formats/testing/print.ts';
import { DAY_MS } from '../../packages/core/src/time.ts';
import { expectConservation } from '../harness/conservation.ts';
import { TestService } from '../harness/service.ts';

const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';

const service = new TestService();
let property: string;
let logs: string;
beforeAll(async () => {
  await service.start();
  ({ id: property } = await service.property());
  logs = join(service.dataDir, 'logs');
  mkdirSync(logs);
});
afterAll(() => service.dispose());

async function keyFor(provider: string): Promise<string> {
  const issued = await service.api('POST', '/api/v1/ingest-keys', { name: provider, provider });
  expect(issued.status).toBe(201);
  return (issued.body as { key: string }).key;
}

const line = (at: number, pathname: string, agent = GPTBOT): string => {
  const record: LogRecord = {
    ...{ timestamp: at, host: '', method: 'GET', pathname, user_agent: agent, referer: '', status: 200 },
    ...{ bytes: 612, ip: '203.0.113.9', forwarded_for: '', request_id: '', country: '', asn: 0, scheme: '' },
    ...{ accept: '', signature: '', signature_input: '', signature_agent: '' },
  };
  return `${printCombined(record)}\n`;
};

async function run(key: string, ...words: string[]) {
  const usual = ['--to', service.address, '--property', property, '--host', 'shop.example'];
  return await service.run([...words, ...usual], {
    GHOSTLIGHT_KEY: key,
    XDG_STATE_HOME: join(service.dataDir, 'state'),
  });
}

/** AI bot visits of some days, as a report has them. */
async function reported(from: number, to: number): Promise<number> {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const { status, body } = await service.api(
    'GET',
    `/api/v1/properties/${property}/reports/overview?from=${day(from)}&to=${day(to)}`,
  );
  expect(status).toBe(200);
  return (body as { headline: { ai_bot_hits: number } }).headline.ai_bot_hits;
}

const settled = async (from: number, to: number, visits: number) => {
  await expectConservation(service);
  await expect.poll(() => reported(from, to)).toBe(visits);
};

describe('ghostlight tail', () => {
  it('reports AI visits of a log, and each once whatever is lost', async () => {
    const key = await keyFor('tail');
    const now = Date.now();
    const log = join(logs, 'access.log');
    const text = Array.from({ length: 40 }, (_, index) =>
      line(now - 60_000 + index * 500, `/page-${index}`, index % 4 === 3 ? PERSON : GPTBOT),
    ).join('');
    writeFileSync(log, text);
    const first = await run(key, 'tail', log, '--once');
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain('40 lines read: 30 AI visits, 10 other requests');
    expect(first.stderr).toContain('The service kept 30, had 0 already, dropped 0 and rejected 0.');
    // The position is lost: all is read again.
    const second = await run(key, 'tail', log, '--once', '--state', join(logs, 'other-position'));
    expect(second.stderr).toContain('had 30 already');
    await settled(now - DAY_MS, now, 30);
  });

  it('says what to do where the key is none', async () => {
    writeFileSync(join(logs, 'b.log'), line(Date.now(), '/'));
    const refused = await run('gl_wrong_key_0123456789', 'tail', join(logs, 'b.log'), '--once');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'The service refuses the key (401). Put a valid ingest key into GHOSTLIGHT_KEY.',
    );
  });
});

describe('ghostlight import', () => {
  /** Noon: the lines are of one day. */
  const past = (Math.floor(Date.now() / DAY_MS) - 60 + 0.5) * DAY_MS;
  const text = () =>
    Array.from({ length: 300 }, (_, index) => line(past + index * 1000, `/old-${index}`)).join('');

  it('is refused to keys of other sources', async () => {
    writeFileSync(join(logs, 'old.log'), text());
    const refused = await run(await keyFor('tail'), 'import', join(logs, 'old.log'), '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('may not be used for this (403)');
    expect(refused.stderr).toContain('Issue a key whose provider is “import”');
  });

  it('takes visits older than 31 days once, and their days are counted', async () => {
    const key = await keyFor('import');
    writeFileSync(join(logs, 'old.log'), text() + line(Date.now() - 2_000 * DAY_MS, '/ancient'));
    const first = await run(key, 'import', join(logs, 'old.log'), '--yes');
    expect(first.stderr).toContain('301 lines: 301 AI visits.');
    expect(first.stderr).toContain('2 days, 2 of them older than 31 days');
    expect(first.stderr).toContain('The service kept 300, had 0 already, dropped 0 and rejected 1.');
    expect(first.stderr).toContain('rejected 1: too_old');
    expect(first.code).toBe(3);
    await settled(past - DAY_MS, past + DAY_MS, 300);
    expect((await service.run(['rollup'])).code).toBe(0);
    expect(await reported(past - DAY_MS, past + DAY_MS)).toBe(300);

    // The same lines in another file, with one more.
    writeFileSync(join(logs, 'again.log.gz'), gzipSync(line(past - 5_000, '/older-still') + text()));
    const second = await run(key, 'import', join(logs, 'again.log.gz'), '--yes');
    expect(second.stderr).toContain('The service kept 1, had 300 already');
    expect(second.code).toBe(0);
    await settled(past - DAY_MS, past + DAY_MS, 301);
    expect((await service.run(['rollup'])).code).toBe(0);
    expect(await reported(past - DAY_MS, past + DAY_MS)).toBe(301);
  });
});
