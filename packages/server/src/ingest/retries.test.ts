/** Each sender repeats by rules of its own. Whatever happens on the way, each of its visits is counted once, and it gives none up that could be stored. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SampleVisit } from '../sources/testing/sample.ts';
import { SAMPLES } from '../sources/testing/samples.ts';
import { type Answer, GPTBOT, type Harness, KEY, NOW, PROPERTY, startIngest } from './testing/harness.ts';

type Decision = 'next' | 'again' | 'drop';
const REQUEST_ID = 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f';
const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** How each decides, as documented; Fastly and Vercel document nothing: they are taken to repeat what the server is to blame for. */
const SENDERS: Readonly<Record<string, (answer: Answer) => Decision>> = {
  // 413 is given up; all else but a 200 with the request's id comes again.
  cloudfront: ({ status, json }) =>
    status === 200 && json?.requestId === REQUEST_ID ? 'next' : status === 413 ? 'drop' : 'again',
  fastly: (answer) => (isSuccess(answer) ? 'next' : answer.status >= 500 ? 'again' : 'drop'),
  vercel: (answer) => (isSuccess(answer) ? 'next' : answer.status >= 500 ? 'again' : 'drop'),
  vector: (answer) => {
    if (isSuccess(answer)) return 'next';
    return answer.status === 429 || (answer.status >= 500 && answer.status !== 501) ? 'again' : 'drop';
  },
  fluentbit: ({ status }) => {
    if (status >= 200 && status <= 205) return 'next';
    return status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'drop' : 'again';
  },
  otlp: (answer) => {
    if (isSuccess(answer)) return 'next';
    return [429, 502, 503, 504].includes(answer.status) ? 'again' : 'drop';
  },
};

let ingest: Harness;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(() => ingest.close());

const visit = (n: number): SampleVisit => ({
  ...{ at: NOW - 60_000, host: 'shop.example', method: 'GET', path: `/${n}`, query: new Map() },
  ...{ ip: '198.51.100.7', userAgent: GPTBOT, referrer: '', status: 200, bytes: 1 },
  requestId: `8f1c2d3e4a5b6c${n}`,
});

describe.each(Object.entries(SENDERS))('%s', (name, decide) => {
  const post = (visits: readonly SampleVisit[], key = KEY): Promise<Answer> => {
    const printed = SAMPLES[name]?.print(visits);
    if (printed === undefined) throw new Error(`${name} has no sample`);
    return ingest.post(name, printed.body, {
      key,
      query: `?${printed.query ?? ''}&attribution_id=${PROPERTY}`,
      ...(printed.headers === undefined ? {} : { headers: { ...printed.headers } }),
    });
  };

  it('has each visit counted once through every kind of outage', async () => {
    const batch = [visit(10), visit(11)];
    const { spool, claims } = ingest;
    // Refused before its body is read; not on disk; held by another node.
    spool.isAccepting = false;
    expect(decide(await post(batch))).toBe('again');
    Object.assign(spool, { isAccepting: true, failure: new Error('disk') });
    expect(decide(await post(batch))).toBe('again');
    spool.failure = null;
    claims.answer = 'busy';
    expect(decide(await post(batch))).toBe('again');
    claims.answer = 'claimed';
    expect(ingest.spool.kept).toBe(0);
    // The answer to the first is lost on its way.
    await post(batch);
    expect(decide(await post(batch))).toBe('next');
    expect(decide(await post([visit(12)]))).toBe('next');
    expect(ingest.spool.kept).toBe(3);
    expect(ingest.spool.open).toBe(0);
  });

  it('is not made to repeat for ever what can’t be taken', async () => {
    expect(decide(await post([{ ...visit(20), at: NOW + 5 * 86_400_000 }, visit(21)]))).toBe('next');
    expect(ingest.spool.kept).toBe(1);
    expect(ingest.spool.sum('rejected')).toEqual({ in_future: 1 });
  });

  it('is refused with a wrong key, and goes on with a good one', async () => {
    const refused = await post([visit(30)], `${KEY}x`);
    expect(refused.status).toBe(401);
    expect(decide(refused)).toBe(name === 'cloudfront' ? 'again' : 'drop');
    expect(decide(await post([visit(30)]))).toBe('next');
    expect(ingest.spool.kept).toBe(1);
  });
});
