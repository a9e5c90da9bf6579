/** Others than AI visits: a log that has every request counts them, as numbers that ride with its hits. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_LIMITS } from './ports.ts';
import { CHROME, GPTBOT, type Harness, KEY, NOW, PROPERTY, startIngest } from './testing/harness.ts';

let ingest: Harness;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(() => ingest.close());

const QUARTER = 900_000;
const CURL = 'curl/8.14.1';
const time = (minutesAgo: number): string => {
  const [, day, month, year, clock] =
    /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(NOW - minutesAgo * 60_000).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${clock} +0000`;
};
const line = (minutesAgo: number, path: string, agent: string): string =>
  `198.51.100.7 - - [${time(minutesAgo)}] "GET ${path} HTTP/1.1" 200 512 "-" "${agent}"\n`;

const send = async (source: string, body: string, more = '', key = KEY) =>
  await ingest.post(source, body, {
    query: `?attribution_id=${PROPERTY}&host=Shop.example${more}`,
    headers: { 'X-API-Key': key },
  });
const numbers = () =>
  ingest.spool.counted.map(({ at, host, asset, other_bot: bot, weight }) => [
    (NOW - at) / QUARTER,
    host,
    bot ? 'bot' : 'person',
    asset ? 'file' : 'page',
    weight,
  ]);

describe('lines of a server', () => {
  const LOG = [
    line(10, '/a', CHROME),
    line(9, '/b?c=d', CHROME),
    line(9, '/logo.png', CHROME),
    line(9, '/a', CURL),
    line(9, '/llms.txt', GPTBOT),
    line(40, '/llms.txt', GPTBOT),
    'no line of a log\n',
  ].join('');

  it.each(['nginx', 'apache'])('of %s are counted by quarter of an hour and kind', async (source) => {
    expect(await send(source, LOG)).toMatchObject({ status: 200 });
    expect(numbers()).toEqual([
      [1, 'shop.example', 'person', 'page', 2],
      [1, 'shop.example', 'person', 'file', 1],
      [1, 'shop.example', 'bot', 'page', 1],
      // An AI visit and nothing else: the log was there.
      [3, 'shop.example', 'person', 'page', 0],
    ]);
    expect(ingest.spool.hits).toHaveLength(2);
    expect(ingest.spool.counted[0]).toMatchObject({
      source,
      attribution_id: PROPERTY,
      sample_rate: 0,
      ray_id: '',
    });
    expect(JSON.stringify(ingest.spool.counted)).not.toMatch(/198\.51|Chrome|curl|\/b/);
  });

  it('name the crawlers among other programs, by nothing but their name and the host for questions', async () => {
    const acme = 'Mozilla/5.0 (compatible; AcmeCrawler/2.1; +https://www.acme.example/crawler?by=ada)';
    const lines = [
      ...[line(10, '/a', acme), line(9, '/b', acme), line(9, '/c.xml', acme), line(9, '/a', CURL)],
      ...[line(9, '/a', CHROME), line(40, '/a', acme)],
    ];
    await send('nginx', lines.join(''));
    const named = ingest.spool.counted.map(({ at, asset, other_bot: bot, weight, user_agent: agent = '' }) =>
      [(NOW - at) / QUARTER, bot ? 'bot' : 'person', asset ? 'file' : 'page', weight, agent].join(' '),
    );
    expect(named.toSorted()).toEqual(
      [
        '1 person page 1 ',
        '1 bot page 1 ',
        '1 bot page 2 AcmeCrawler (+https://acme.example)',
        '1 bot file 1 AcmeCrawler (+https://acme.example)',
        '3 bot page 1 AcmeCrawler (+https://acme.example)',
      ].toSorted(),
    );
    expect(JSON.stringify(ingest.spool.counted)).not.toMatch(/Mozilla|ada|curl/);
  });

  it('name a bounded number of crawlers, and count the others without a name', async () => {
    const lines = Array.from({ length: 150 }, (_, n) => line(9, '/a', `Number${n}Bot/1.0`));
    await send('nginx', lines.join(''));
    const rows = ingest.spool.counted;
    expect(rows.filter(({ user_agent: agent }) => agent !== undefined)).toHaveLength(100);
    expect(rows.reduce((sum, { weight }) => sum + weight, 0)).toBe(150);
  });

  it('are answered as if there were no numbers', async () => {
    const { json } = await send('nginx', LOG);
    expect(json).toMatchObject({ kept: 2, dropped: 4, duplicate: 0, rejected: 1 });
    expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 4 });
  });

  it('count once however often their batch comes', async () => {
    for (let turn = 0; turn < 3; turn += 1) await send('nginx', LOG);
    expect(numbers()).toHaveLength(4);
  });

  it('of a share of all requests stand for more', async () => {
    await send('nginx', LOG, '&sample_rate=0.25');
    expect(ingest.spool.counted[0]).toMatchObject({ weight: 8, sample_rate: 0.25 });
  });

  it('that were chosen are not counted', async () => {
    await send('nginx', LOG, '&whole=false');
    expect(numbers()).toEqual([]);
    expect(ingest.spool.hits).toHaveLength(2);
  });

  it('of many hosts count the hosts beyond fifty together', async () => {
    const lines = Array.from(
      { length: 70 },
      (_, host) => `h${host}.example:443 ${line(10, '/', CHROME)}`,
    ).join('');
    await send('apache', lines);
    const hosts = numbers().map(([, host]) => host);
    expect(hosts).toHaveLength(51);
    expect(numbers().find(([, host]) => host === '')).toEqual([1, '', 'person', 'page', 20]);
  });

  it('that a shipper sends whole are counted too, those of others are not', async () => {
    const record = JSON.stringify({ message: line(10, '/', CHROME).trimEnd() });
    await send('vector', record);
    expect(numbers()).toEqual([[1, 'shop.example', 'person', 'page', 1]]);
    await send(
      'custom',
      JSON.stringify({ timestamp: NOW, host: 'a.example', path: '/', user_agent: CHROME }),
    );
    expect(numbers()).toHaveLength(1);
  });
});

describe('numbers of days that the property keeps no longer', () => {
  const DAYS = 1440;
  const kept = async (sample: number, ai_bot = sample): Promise<void> => {
    await ingest.close();
    const keptMs = { ...NO_LIMITS.keptMs, sample: sample * DAYS * 60_000, ai_bot: ai_bot * DAYS * 60_000 };
    ingest = await startIngest({ ofProperty: { keptMs } });
  };
  const record = (days: number): string =>
    `${JSON.stringify({ counted: { hour: NOW - days * DAYS * 60_000, minutes: 15, host: 'a.example', id: `${days}`, people_pages: 7 } })}\n`;

  it('are dropped, as lines without a visit are', async () => {
    await kept(10);
    const { json } = await send('tail', record(11) + record(12) + record(9));
    expect(json).toMatchObject({ kept: 0, dropped: 3, rejected: 0 });
    expect(numbers()).toEqual([[9 * 96, 'a.example', 'person', 'page', 7]]);
  });

  it('are not made of lines, not even where an AI visit of that day is kept', async () => {
    await kept(10, 20);
    const lines = [11, 9].flatMap((days) =>
      [CHROME, GPTBOT].map((agent) => line(days * DAYS + 10, '/llms.txt', agent)),
    );
    expect(await send('nginx', lines.join(''))).toMatchObject({ status: 204 });
    expect(ingest.spool.hits).toHaveLength(2);
    expect([ingest.spool.sum('dropped'), ingest.spool.sum('rejected')]).toEqual([{ not_ai: 2 }, {}]);
    expect(numbers()).toEqual([[9 * 96 + 1, 'shop.example', 'person', 'file', 1]]);
  });
});

describe('numbers of a program on the server', () => {
  const record = (more: object = {}): string =>
    `${JSON.stringify({ counted: { hour: NOW - 900_000, minutes: 15, host: 'Shop.example', id: 'cell', people_pages: 7, bot_files: 2, ...more } })}\n`;

  it('become rows that are known again, in whatever batch', async () => {
    const { json } = await send('tail', record());
    expect(json).toMatchObject({ kept: 0, dropped: 1, duplicate: 0, rejected: 0 });
    const { json: again } = await send(
      'tail',
      record() + record({ id: 'other', people_pages: 1, bot_files: 0 }),
    );
    expect(again).toMatchObject({ kept: 0, dropped: 2, duplicate: 0, rejected: 0 });
    expect(numbers()).toEqual([
      [1, 'shop.example', 'person', 'page', 7],
      [1, 'shop.example', 'bot', 'file', 2],
      [1, 'shop.example', 'person', 'page', 1],
    ]);
  });

  it('of an hour make all of its quarters counted', async () => {
    await send('tail', record({ hour: NOW - 4 * QUARTER, minutes: undefined }));
    expect(numbers()).toEqual([
      [4, 'shop.example', 'person', 'page', 7],
      [4, 'shop.example', 'bot', 'file', 2],
      ...[3, 2, 1].map((quarters) => [quarters, 'shop.example', 'person', 'page', 0]),
    ]);
  });

  it('name crawlers as the sender has counted them, once however often they come', async () => {
    const said = record({
      bot_pages: 9,
      bot_files: 2,
      programs: {
        'AcmeCrawler (+https://acme.example)': [5, 1],
        // More than there were, no crawler, and no numbers: extras that are left out.
        'GreedyBot (+https://greedy.example)': [50, 0],
        curl: [1, 0],
        'OddBot (+https://odd.example)': 'many',
      },
    });
    await send('tail', said);
    await send('tail', said);
    const rows = ingest.spool.counted.map(({ other_bot: bot, asset, weight, user_agent: agent = '' }) =>
      [bot ? 'bot' : 'person', asset ? 'file' : 'page', weight, agent].join(' '),
    );
    expect(rows.toSorted()).toEqual(
      [
        'person page 7 ',
        'bot page 5 AcmeCrawler (+https://acme.example)',
        'bot page 4 ',
        'bot file 1 AcmeCrawler (+https://acme.example)',
        'bot file 1 ',
      ].toSorted(),
    );
  });

  it('that can’t be are rejected by name', async () => {
    const wrong = [
      { hour: 'noon' },
      { hour: NOW + 2 * 86_400_000 },
      { minutes: 7 },
      { people_pages: -1 },
      { bot_pages: 'many' },
    ];
    const { json } = await send('tail', `${wrong.map(record).join('')}{"counted":3}\n`);
    const { rejected, errors } = json as { rejected: number; errors: { field: string; reason: string }[] };
    expect(rejected).toBe(6);
    expect(errors.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      'counted.hour not_a_time',
      'counted.hour in_future',
      'counted.minutes out_of_range',
      'counted.people_pages out_of_range',
      'counted.bot_pages wrong_type',
      'counted wrong_type',
    ]);
    expect(numbers()).toEqual([]);
  });

  it('of times that are too old are left out, as their visits are rejected by name', async () => {
    const { json } = await send('tail', record({ hour: NOW - 32 * 86_400_000 }));
    expect(json).toMatchObject({ dropped: 1, rejected: 0 });
    expect(numbers()).toEqual([]);
  });

  it('leave out a visit that the service takes for no AI visit: it is counted here, once', async () => {
    const visit = { timestamp: NOW - 60_000, host: 'shop.example', pathname: '/a', user_agent: CURL };
    const text = (id: string): string => `${JSON.stringify({ ...visit, request_id: id })}\n`;
    await send('tail', text('1') + text('2'));
    await send('tail', text('2') + text('3'));
    expect(numbers()).toEqual(Array.from({ length: 3 }, () => [1, 'shop.example', 'bot', 'page', 1]));
  });
});
