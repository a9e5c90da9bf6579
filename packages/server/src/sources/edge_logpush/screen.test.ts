/** Screening must change what a line costs, never what becomes of it: both readers see the same bytes and must agree. */
import { compileLists, embeddedLists, embeddedSearchEngines, withSearchEngines } from '@ghostlight/core';
import fc from 'fast-check';
import { isbot } from 'isbot';
import { expect, it } from 'vitest';
import { Counters } from '../../ingest/counters.ts';
import { CHROME, GPTBOT, NOW, ORGANIZATION, PROPERTY, pushLine } from '../../ingest/testing/harness.ts';
import { LineBlocks } from '../../ingest/transports/line-blocks.ts';
import { LineReader } from '../../ingest/transports/line-reader.ts';
import { edgeLogpush } from './index.ts';
import { LineScreen, ScreenMemory } from './screen.ts';

const lists = compileLists(embeddedLists());
const withSearch = compileLists(withSearchEngines(embeddedLists(), embeddedSearchEngines()));
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
/** Of both kinds of properties: those that tell search crawlers apart, and those that don't. */
const SETTINGS = [
  { search: false, screened: lists },
  { search: true, screened: withSearch },
];
const key = { id: 'k', organizationId: ORGANIZATION, attributionId: PROPERTY, prefix: 'svc_cf_aaaaa' };

function read(body: Buffer, cuts: readonly number[], screen: LineScreen | null, { search = false } = {}) {
  const counters = new Counters({ endpoint: 'edge_logpush', organizationId: ORGANIZATION, at: NOW });
  const context = {
    key,
    owners: new Map([[PROPERTY, ORGANIZATION]]),
    attributionId: null,
    ownAttributionId: PROPERTY,
    domainsOf: () => [],
    lists,
    searchEnginesOf: () => (search ? withSearch : null),
    signatures: { check: <T>(hit: T) => hit },
    isBot: (userAgent: string) => isbot(userAgent),
    toRow: (hit: object) => JSON.stringify({ ...hit, id: '' }),
    receivedAt: NOW,
  };
  const form = edgeLogpush.form({
    parameters: new URLSearchParams(),
    header: () => undefined,
    settings: {},
    retentionMs: 0,
    now: NOW,
  });
  const reader = new LineReader(form, context, counters, screen, {
    lineBytes: 4_096,
    lines: 1e9,
    rejected: 1e9,
  });
  const blocks = new LineBlocks(reader, 4_096);
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    for (const _ of blocks.push(body.subarray(from, cut)));
    from = cut;
  }
  for (const _ of blocks.push(body.subarray(from)));
  blocks.end();
  const { quarantine, ...counts } = counters.entry();
  // How much of an over-long line is shown depends on where the chunks fall.
  const shown = quarantine.map(({ reason, body: text }) => [reason, reason === 'line_too_long' ? '' : text]);
  return { rows: reader.takeRows(), counts, errors: counters.tally.errors, shown };
}

const agents = fc.oneof(
  fc.constantFrom(
    CHROME,
    GPTBOT,
    GOOGLEBOT,
    `${GPTBOT} Googlebot-Image/1.0`,
    'BingBot/2.0',
    'Mozilla/5.0 (Linux; Android 13; Yeti/1.1) Chrome/131.0.0.0 Mobile Safari/537.36',
    '',
    'curl/8.0',
    'Mozilla GPTBot-Checker',
    'xGPTBot',
    'ClaudeBot"',
    'Ünï GPTBot',
    'UserAgent"',
    'gpt\\u0062ot',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constant(`${'y'.repeat(1_020)} GPTBot`),
);
const referrers = fc.oneof(
  fc.constantFrom(
    '',
    'https://chatgpt.com/',
    'https://chatgpt.com',
    'https:///chatgpt.com/x',
    'https:/chatgpt.com/x/y/z',
    'https:\\\\chatgpt.com/',
    ' https://chatgpt.com/',
    'HTTPS://ChatGPT.com/x',
    'https://user@chatgpt.com/',
    'https://chatgpt.com:443/a',
    'https://a.example?x@chatgpt.com/',
    'https://www.google.com/search?q=chatgpt.com',
    'android-app://com.openai.chatgpt/',
    'android-app://com.example/',
    'https://notchatgpt.com/',
  ),
  fc.webUrl(),
  fc.string({ maxLength: 30 }),
);
const uris = fc.oneof(
  fc.constantFrom(
    '/',
    '/resources/a?b=c',
    '/p?utm_source=chatgpt.com',
    '/p?%75tm_source=chatgpt.com',
    '/p?utm%5fsource=chatgpt.com',
    '/p?utm_sourc%65=chatgpt.com',
    '/p?a=%E4%BD%A0',
    '/p?utm_source=newsletter',
  ),
  fc.string({ maxLength: 30 }).map((text) => `/${text}`),
);
const lineObjects = fc
  .record(
    {
      ClientRequestUserAgent: fc.oneof(agents, fc.constantFrom(null, 7)),
      ClientRequestReferer: fc.oneof(referrers, fc.constantFrom(null, 7)),
      ClientRequestURI: uris,
      VerifiedBotCategory: fc.constantFrom('', 'AI Crawler', ' ai_search', 'Search Engine', null, 'Academic'),
      EdgeStartTimestamp: fc.constantFrom('2026-03-01T11:59:59Z', NOW * 1e6, 'x'),
      WorkerSubrequest: fc.boolean(),
      ClientRequestPath: fc.constantFrom(
        '/x',
        'Referer":"https://chatgpt.com/',
        '"ClientRequestUserAgent":"GPTBot"',
      ),
      RequestHeaders: fc.constantFrom(
        {},
        { ClientRequestUserAgent: GPTBOT },
        { Referer: 'https://chatgpt.com/' },
      ),
      RayID: fc.constantFrom('8f2a3b4c5d6e7f80', '8f2a3b4c5d6e7f81', ''),
    },
    { requiredKeys: [] },
  )
  .map((changes) => pushLine(changes));
/** The forms that a JSON writer may choose. */
const forms = fc.constantFrom<(line: Record<string, unknown>) => string>(
  (line) => JSON.stringify(line),
  (line) => JSON.stringify(line),
  (line) => JSON.stringify(line, null, 1).replaceAll('\n', ''),
  (line) => JSON.stringify(Object.fromEntries(Object.entries(line).reverse())),
  (line) => JSON.stringify(line).replaceAll('/', '\\/'),
  (line) => JSON.stringify(line).replaceAll('o', '\\u006f'),
  (line) => `${JSON.stringify(line).slice(0, -1)},"ClientRequestUserAgent":"GPTBot/1.0"}`,
  (line) => `${JSON.stringify(line)}\r`,
  (line) => ` ${JSON.stringify(line)}`,
);
const lines = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(lineObjects, forms).map(([line, write]) => write(line)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '{}',
      '[]',
      'null',
      '{',
      'a,b,c',
      `"${'z'.repeat(5_000)}"`,
      '\u0000',
      '{"a":1}',
    ),
  },
);

it.each(SETTINGS)(
  'keeps, drops and rejects the same lines with and without screening, however the chunks fall (search crawlers: $search)',
  ({ search, screened }) => {
    const screen = new LineScreen(new ScreenMemory(screened));
    fc.assert(
      fc.property(
        fc.array(lines, { maxLength: 20 }),
        fc.array(fc.nat(10_000), { maxLength: 6 }),
        fc.boolean(),
        (texts, cuts, endsWithFeed) => {
          const body = Buffer.from(texts.join('\n') + (endsWithFeed ? '\n' : ''));
          const inside = cuts.filter((cut) => cut <= body.length);
          expect(read(body, inside, screen, { search })).toEqual(read(body, [], null, { search }));
        },
      ),
      { numRuns: 1_000 },
    );
  },
);

it('never throws on arbitrary bytes, and counts every line once', () => {
  const screen = new LineScreen(new ScreenMemory(lists));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      const { counts, rows } = read(Buffer.from(bytes), [], screen);
      const parts = [...Object.values(counts.dropped), ...Object.values(counts.rejected)];
      expect(parts.reduce((sum, count) => sum + count, rows.length)).toBe(counts.received);
    }),
  );
});

it.each(SETTINGS)('does pass ordinary lines unparsed (search crawlers: $search)', ({ search, screened }) => {
  const line = (agent: string, referrer: string) =>
    `${JSON.stringify(pushLine({ ClientRequestUserAgent: agent, ClientRequestReferer: referrer, ClientRequestURI: '/resources/a?b=%20c', VerifiedBotCategory: '' }))}\n`;
  const text =
    line(CHROME, '') +
    line(CHROME, 'https://www.google.com/') +
    line(GPTBOT, '') +
    line(GOOGLEBOT, '') +
    line(CHROME, 'https://chatgpt.com/x');
  const screen = new LineScreen(new ScreenMemory(screened));
  screen.begin();
  const ordinary: boolean[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    ordinary.push(screen.isOrdinary(text, start, end));
    start = end + 1;
  }
  expect(ordinary).toEqual([true, true, false, !search, false]);
});
