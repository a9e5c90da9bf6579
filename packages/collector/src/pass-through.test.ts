/** The collector alters nothing: each answer is compared, byte for byte and header for header, with a Worker's that only passes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BareEdge, type RawVisit, startBareWorkerd } from './testing/bare-workerd.ts';
import { PASS_THROUGH_ENTRY } from './testing/bundle.ts';
import { SERVICE_HOST, SITE_HOST } from './testing/internet.ts';
import { createRawService } from './testing/raw-service.ts';
import { BODIES, type BodyKind, rawSite, type SeenByOrigin } from './testing/raw-site.ts';
import { until } from './testing/until.ts';
import { CHROME, GPTBOT } from './testing/values.ts';

const STATUSES = [200, 204, 206, 301, 302, 304, 404, 500, 503];
const METHODS = ['GET', 'HEAD', 'POST'];
const KINDS = Object.keys(BODIES) as BodyKind[];

const seenThroughCollector: SeenByOrigin[] = [];
const seenThroughNothing: SeenByOrigin[] = [];
const service = createRawService();
let collector: BareEdge;
let nothing: BareEdge;

beforeAll(async () => {
  collector = await startBareWorkerd({
    sites: { [SITE_HOST]: rawSite(seenThroughCollector), [SERVICE_HOST]: service.site },
  });
  nothing = await startBareWorkerd({
    entry: PASS_THROUGH_ENTRY,
    sites: { [SITE_HOST]: rawSite(seenThroughNothing) },
  });
});

afterAll(async () => {
  await collector?.close();
  await nothing?.close();
});

const visitOf = (method: string, userAgent: string): RawVisit => ({
  method,
  headers: {
    'user-agent': userAgent,
    accept: '*/*',
    'accept-encoding': 'gzip, br',
    cookie: 'c=1',
    'x-own': 'kept',
  },
  ...(method === 'POST' ? { body: 'name=ada&'.repeat(100) } : {}),
});

describe.each([
  ['a bot, whose visit is reported', GPTBOT],
  ['a browser, whose visit is not', CHROME],
])('%s,', (_, userAgent) => {
  describe.each(METHODS)('%s', (method) => {
    it.each(STATUSES)('of an answer with status %i gets what the origin wrote', async (status) => {
      for (const kind of KINDS) {
        const url = `https://${SITE_HOST}/${status}/${kind}?q=%20a&q=b`;
        const [ours, plain] = await Promise.all([
          collector.visit(url, visitOf(method, userAgent)),
          nothing.visit(url, visitOf(method, userAgent)),
        ]);
        expect(ours.status, kind).toBe(status);
        expect(ours.headers, kind).toEqual(plain.headers);
        expect(ours.body.equals(plain.body), kind).toBe(true);
        expect(seenThroughCollector.at(-1), kind).toEqual(seenThroughNothing.at(-1));
      }
    });
  });
});

it('the comparison was one: bots were reported with what they got, browsers were not', async () => {
  const visits = STATUSES.length * METHODS.length * KINDS.length;
  await until('every bot is reported', () => service.hits.length >= visits);
  expect(service.hits).toHaveLength(visits);
  for (const { user_agent: userAgent, pathname, method, status, bytes } of service.hits) {
    expect(userAgent).toBe(GPTBOT);
    const [, wanted, kind] = String(pathname).split('/');
    expect(status).toBe(Number(wanted));
    const isBodiless = method === 'HEAD' || status === 204 || status === 304;
    expect(bytes, `${method} ${pathname}`).toBe(isBodiless ? 0 : BODIES[kind as BodyKind].counted);
  }
});
