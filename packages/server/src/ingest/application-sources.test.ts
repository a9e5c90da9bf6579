/** Collectors inside an application: they check visits themselves, draw samples, and count all others. */
import { embeddedLists } from '@ghostlight/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CHROME, GPTBOT, type Harness, NOW, PROPERTY, startIngest } from './testing/harness.ts';

let ingest: Harness;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(() => ingest.close());

const visit = (path: string, more: object = {}) => ({
  ...{ timestamp: NOW - 1_000, host: 'shop.example', method: 'GET', pathname: path, user_agent: GPTBOT },
  ...{ request_id: `id${path}`, worker_version: '0.1.0', ...more },
});

const send = (...lines: object[]) => sendTo('node', ...lines);
const sendTo = (source: string, ...lines: object[]) =>
  ingest.post(source, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    query: `?attribution_id=${PROPERTY}`,
  });

const hits = () =>
  ingest.spool.hits.map(({ path, class: of, verified, verified_by: by, verdict_reason: reason }) => ({
    ...{ path, of, verified, by, reason },
  }));

it('stores the verdict of a check that was made in the application, which keeps the address', async () => {
  const { status, text } = await send(
    visit('/yes', { verified: true, verified_by: 'edge_cidr', ranges_as_of: '2026-02-28' }),
    visit('/old', { verified: false, unchecked: true, ranges_as_of: '2026-01-01' }),
    visit('/part', { verified: false, unchecked: true, ranges_as_of: '2026-02-28' }),
    visit('/none'),
  );
  expect([status, JSON.parse(text)]).toMatchObject([200, { kept: 4, dropped: 0, rejected: 0 }]);
  const bot = { of: 'ai_bot', by: '' };
  expect(hits()).toEqual([
    { ...bot, path: '/yes', verified: true, by: 'edge_cidr', reason: 'edge_ranges' },
    { ...bot, path: '/old', verified: null, reason: 'ranges_stale' },
    // Ranges of the day say nothing only where they are a part of the vendor's.
    { ...bot, path: '/part', verified: null, reason: 'partial_ranges' },
    { ...bot, path: '/none', verified: null, reason: 'no_address' },
  ]);
  expect(ingest.spool.hits[0]).toMatchObject({
    source: 'node',
    worker_version: '0.1.0',
    status: 0,
    bytes: 0,
  });
});

it('verifies by the address what the WordPress plugin sends without a verdict, and forgets the address', async () => {
  const published = embeddedLists().ip_ranges.find(({ bots }) => bots.includes('GPTBot'))?.prefixes[0] ?? '';
  await sendTo(
    'wordpress',
    visit('/genuine', { ip: published.split('/')[0] }),
    visit('/proxy', { ip: '10.0.0.1' }),
  );
  const bot = { of: 'ai_bot' };
  expect(hits()).toEqual([
    { ...bot, path: '/genuine', verified: true, by: 'server_cidr', reason: 'ranges' },
    { ...bot, path: '/proxy', verified: null, by: '', reason: 'proxy_address' },
  ]);
  expect(ingest.spool.hits[0]).toMatchObject({ source: 'wordpress', sample_ip: '' });
});

it('reads a signer only beside a verified signature: elsewhere the member is a field of the request', async () => {
  const signature_agent = 'https://chatgpt.com/.well-known/http-message-signatures-directory';
  await send(
    visit('/signed', { verified: true, verified_by: 'signature', signature_agent }),
    visit('/field', { signature_agent: '"https://chatgpt.com"' }),
  );
  expect(ingest.spool.hits.map(({ signature_agent: agent }) => agent)).toEqual([signature_agent, '']);
});

it('takes samples by their rate, drops numbers of others, and refuses a rate that is none', async () => {
  const other = { user_agent: CHROME, ip: '198.51.100.0' };
  const counted = {
    hour: NOW,
    host: 'shop.example',
    people_pages: 3,
    people_files: 0,
    bot_pages: 1,
    bot_files: 0,
  };
  await send(visit('/sample', { ...other, sample_rate: 0.02 }), visit('/other', other), { counted });
  expect(ingest.spool.hits).toMatchObject([
    { path: '/sample', class: 'sample', sample_rate: 0.02, sample_ip: '198.51.100.0' },
  ]);
  expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 1, not_a_visit: 1 });
  await send(visit('/wrong', { sample_rate: [] }));
  expect(ingest.spool.sum('rejected')).toEqual({ wrong_type: 1 });
});

it('tells the setup checker where most bots come without an address, however many samples there are', async () => {
  const samples = ['/1', '/2', '/3'].map((path) =>
    visit(path, { user_agent: CHROME, ip: '198.51.100.0', sample_rate: 0.02 }),
  );
  await send(visit('/bot'), ...samples);
  expect(ingest.signals.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(['no_address 1']);
  await send(visit('/bot', { request_id: 'x', verified: false, unchecked: true }));
  expect(ingest.signals).toHaveLength(1);
});
