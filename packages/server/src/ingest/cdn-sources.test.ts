/** Senders as their platforms' documentation describes them: what each takes for success, and what it does when it gets something else. */
import { createHash, createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Firehose } from '../sources/cloudfront/firehose.ts';
import type { Settings } from '../sources/index.ts';
import type { IngestKey } from './ports.ts';
import {
  type Answer,
  FOREIGN_PROPERTY,
  GPTBOT,
  type Harness,
  KEY,
  NOW,
  ORGANIZATION,
  PROPERTY,
  SECOND_PROPERTY,
  startIngest,
  UNKNOWN_KEY,
} from './testing/harness.ts';

let ingest: Harness;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(() => ingest.close());
const restart = async (options: Parameters<typeof startIngest>[0]) => {
  await ingest.close();
  ingest = await startIngest(options);
};

const query = `?attribution_id=${PROPERTY}`;
const seconds = (NOW - 60_000) / 1_000;

describe('Data Firehose', () => {
  const REQUEST_ID = 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f';
  const FIELDS =
    'timestamp,c-ip,sc-status,sc-bytes,cs-method,x-edge-request-id,x-host-header,cs-user-agent,cs-uri-stem';
  const line = (path: string, id: string) =>
    [
      `${seconds}.250`,
      '198.51.100.7',
      '200',
      '512',
      'GET',
      id,
      'shop.example',
      'GPTBot/1.2%20(x)',
      path,
    ].join('\t');

  /** As the stream posts a batch. @returns whether the stream goes on to the next batch, tries again, or gives it up */
  async function deliver(
    records: readonly (string | Buffer)[],
    { timestamp = NOW, headers = {}, extra = '' } = {},
  ) {
    const envelope = {
      requestId: REQUEST_ID,
      timestamp,
      records: records.map((data) => ({ data: Buffer.from(data).toString('base64') })),
    };
    const answer = await ingest.post('cloudfront', gzipSync(JSON.stringify(envelope)), {
      key: null,
      query: `${query}&fields=${FIELDS}${extra}`,
      headers: {
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'X-Amz-Firehose-Protocol-Version': '1.0',
        'X-Amz-Firehose-Request-Id': REQUEST_ID,
        'X-Amz-Firehose-Access-Key': KEY,
        ...headers,
      },
    });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('content-encoding')).toBeNull();
    const isTaken =
      answer.status === 200 && answer.json.requestId === REQUEST_ID && answer.json.timestamp === NOW;
    return { ...answer, does: isTaken ? 'next' : answer.status === 413 ? 'give up' : 'again' };
  }

  it('has its batch taken once, though it repeats it with another timestamp', async () => {
    const records = [`${line('/a?b=c', 'r1')}\n`, line('/d%2520e', 'r2')];
    expect((await deliver(records)).does).toBe('next');
    expect((await deliver(records, { timestamp: NOW + 2_000 })).does).toBe('next');
    expect(ingest.spool.repeated).toBe(2);
    expect(ingest.spool.hits).toMatchObject([
      {
        path: '/a',
        query_params: { b: 'c' },
        user_agent: 'GPTBot/1.2 (x)',
        ray_id: 'r1',
        at: NOW - 60_000 + 250,
      },
      { path: '/d%20e', bytes: 512, status: 200, host: 'shop.example' },
    ]);
  });

  it('tries again what was refused, and is never answered 413', async () => {
    expect(
      await deliver([line('/a', 'r1')], { headers: { 'X-Amz-Firehose-Access-Key': 'wrong' } }),
    ).toMatchObject({
      does: 'again',
      json: { requestId: REQUEST_ID, errorMessage: expect.stringContaining('key') },
    });
    ingest.spool.isAccepting = false;
    expect((await deliver([line('/a', 'r1')])).does).toBe('again');
    await restart({ limits: { uploadLines: 2 } });
    expect((await deliver(['1\n2\n3\n'])).does).toBe('again');
    expect(ingest.spool.kept).toBe(0);
  });

  it('has records taken that are gzip inside, CloudWatch’s envelope in them, and JSON', async () => {
    const watched = {
      messageType: 'DATA_MESSAGE',
      logEvents: [{ id: '1', timestamp: NOW, message: line('/watched', 'r2') }],
    };
    const json = {
      'timestamp(ms)': String(NOW - 1_000),
      'x-host-header': 'shop.example',
      'cs-method': 'GET',
      'cs-uri-stem': '/json',
      'cs-uri-query': 'a=b%2520c',
      'sc-status': '200',
      'sc-bytes': '7',
      'cs(User-Agent)': 'GPTBot/1.2',
      'c-ip': '10.1.1.1',
      'x-edge-request-id': 'r3',
    };
    const records = [
      gzipSync(`${line('/gzip', 'r1')}\n`),
      gzipSync(JSON.stringify(watched)),
      gzipSync('{"messageType":"CONTROL_MESSAGE","logEvents":[{"message":"CWL CONTROL MESSAGE"}]}'),
      JSON.stringify(json),
    ];
    expect((await deliver(records)).does).toBe('next');
    expect(ingest.spool.hits.map(({ path }) => path)).toEqual(['/gzip', '/watched', '/json']);
    expect(ingest.spool.hits[2]).toMatchObject({
      query_params: { a: 'b c' },
      verdict_reason: 'proxy_address',
    });
  });

  it('has a damaged record and a bomb set aside, and the rest taken', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    const cut = gzipSync(line('/cut', 'r1')).subarray(0, -9);
    expect((await deliver([bomb, cut, line('/good', 'r2'), 'nonsense'])).does).toBe('next');
    expect(ingest.spool.sum('rejected')).toEqual({ damaged_record: 2, unreadable: 1 });
    expect(ingest.spool.kept).toBe(1);
  });

  it('is asked to repeat an envelope that is cut short, and may name the property in its attributes', async () => {
    const answer = await ingest.post('cloudfront', '{"requestId":"x","records":[', { query });
    expect([answer.status, answer.json.errorMessage]).toEqual([
      400,
      expect.stringContaining('not a complete'),
    ]);
    expect(ingest.spool.entries).toEqual([]);
    const headers = {
      'X-Amz-Firehose-Common-Attributes': JSON.stringify({
        commonAttributes: { attribution_id: FOREIGN_PROPERTY },
      }),
    };
    const body = JSON.stringify({ records: [{ data: Buffer.from(line('/a', 'r1')).toString('base64') }] });
    await ingest.post('cloudfront', body, { query: `?fields=${FIELDS}`, headers });
    expect(ingest.spool.sum('rejected')).toEqual({ unknown_attribution_id: 1 });
  });

  it('counts a visit for as many as the sampling has left out', async () => {
    await deliver([line('/a', 'r1')], { extra: '&sample_rate=0.25' });
    expect(ingest.spool.hits).toMatchObject([{ weight: 4, sample_rate: 0.25 }]);
  });

  it('is read the same however its bytes are cut', () => {
    const data = ['one\ntwo', 'three\n', gzipSync('four\nfive'), ''].map((text) =>
      Buffer.from(text).toString('base64'),
    );
    const envelope = JSON.stringify({
      requestId: '{"records":[{"data":"eA=="}]}',
      other: [{ data: 'eA==' }, { records: [{ data: 'eA==' }] }],
      records: data.map((one) => ({ data: one.replaceAll('/', '\\/'), more: { data: 'eA==' } })),
    });
    fc.assert(
      fc.property(fc.array(fc.nat({ max: envelope.length }), { maxLength: 12 }), (cuts) => {
        const firehose = new Firehose();
        const ends = [...cuts.toSorted((a, b) => a - b), envelope.length];
        let from = 0;
        let lines = '';
        for (const end of ends) {
          lines += firehose.push(Buffer.from(envelope.slice(from, end))).toString();
          from = end;
        }
        firehose.end();
        expect(firehose.takeRejected()).toEqual([]);
        expect(lines).toBe('one\ntwo\nthree\nfour\nfive\n');
      }),
    );
  });
});

describe('Fastly', () => {
  const challenge = async () => {
    const response = await fetch(`${ingest.url}/.well-known/fastly/logging/challenge`);
    return [response.status, await response.text()];
  };

  it('is allowed to send the logs of the services that a key names, and of no others', async () => {
    expect(await challenge()).toEqual([404, '']);
    const ids = ['SU1Z0isxPaozGVKXdv0eY', '7i6HN3TK9wS159v2gPAZ8A'];
    await restart({ settings: { service_ids: ids } });
    const [status, text] = await challenge();
    expect(status).toBe(200);
    for (const id of ids)
      expect(String(text).split('\n')).toContain(createHash('sha256').update(id).digest('hex'));
    expect(text).not.toContain('*');
  });
});

describe('Vercel', () => {
  const entry = (id: string, proxy: object | null, more: object = {}) => ({
    ...{ id, source: 'static', host: 'shop.example', timestamp: NOW - 1_000, level: 'info', message: '' },
    ...(proxy === null ? {} : { proxy }),
    ...more,
  });
  const proxy = (vercelId: string, more: object = {}) => ({
    ...{ timestamp: NOW - 1_000, method: 'GET', host: 'shop.example', path: '/a?b=c', userAgent: [GPTBOT] },
    ...{ statusCode: 200, clientIp: '198.51.100.7', scheme: 'https', vercelId, ...more },
  });

  it('has one visit of several entries, none of those without a proxy, and the firewall’s word', async () => {
    const body = JSON.stringify([
      entry('1', proxy('iad1::a')),
      entry('2', proxy('iad1::a'), { source: 'lambda', message: 'x'.repeat(40_000) }),
      entry('3', null, { source: 'build', message: 'Compiled' }),
      entry('4', proxy('iad1::b', { wafAction: 'deny', statusCode: 403 }), { source: 'firewall' }),
      entry('5', proxy('iad1::c', { statusCode: -1 })),
    ]);
    expect((await ingest.post('vercel', body, { query })).status).toBe(204);
    expect(ingest.spool.duplicate).toBe(1);
    expect(ingest.spool.sum('dropped')).toEqual({ not_a_visit: 1 });
    expect(ingest.spool.hits.map(({ status, waf_action: waf, ray_id: id }) => [id, status, waf])).toEqual([
      ['iad1::a', 200, ''],
      ['iad1::b', 403, 'deny'],
      ['iad1::c', 0, ''],
    ]);
  });

  it('must sign with the secret that its key knows, and finds the value by which it verifies the address', async () => {
    await restart({ settings: { verify: 'abc-123', secret: 'drain-secret' } });
    const body = JSON.stringify([entry('1', proxy('iad1::a'))]);
    const signed = (text: string) => createHmac('sha1', 'drain-secret').update(text).digest('hex');
    for (const signature of ['', 'x', signed(`${body} `), signed(body).slice(2)]) {
      const answer = await ingest.post('vercel', body, {
        query,
        headers: { 'x-vercel-signature': signature },
      });
      expect(answer.status).toBe(403);
    }
    expect(ingest.spool.entries).toEqual([]);
    const answer = await ingest.post('vercel', body, {
      query,
      headers: { 'x-vercel-signature': signed(body) },
    });
    expect([answer.status, answer.headers.get('x-vercel-verify')]).toEqual([204, 'abc-123']);
    const asked = await ingest.post('vercel', '', { method: 'GET', query: `${query}&key=${KEY}`, key: null });
    expect([asked.status, asked.headers.get('x-vercel-verify')]).toEqual([204, 'abc-123']);
    const stranger = await ingest.post('vercel', body, { key: 'wrong', query });
    expect([stranger.status, stranger.headers.get('x-vercel-verify')]).toEqual([401, null]);
  });

  describe('without a key', () => {
    const body = JSON.stringify([entry('1', proxy('iad1::a'))]);
    const signedWith = (secret: string, text: string | Buffer = body) =>
      createHmac('sha1', secret).update(text).digest('hex');
    const keyOf = (id: string, settings: Settings): IngestKey => ({
      ...{
        id,
        organizationId: ORGANIZATION,
        attributionId: PROPERTY,
        prefix: 'svc_cf_sign',
        provider: 'vercel',
      },
      settings,
    });
    const signers = [
      keyOf('first', { secret: 'secret-one' }),
      keyOf('second', { secret: 'secret-two', verify: 'v-2' }),
    ];
    const sign = (
      signature: string,
      changes: Parameters<Harness['post']>[2] & { body?: string | Buffer } = {},
    ) =>
      ingest.post('vercel', changes.body ?? body, {
        ...{ key: null, query },
        ...changes,
        headers: { 'x-vercel-signature': signature, ...changes.headers },
      });
    beforeEach(() => restart({ signers: [...signers] }));

    it('is known by its signature with the secret of one of the property’s keys', async () => {
      const answer = await sign(signedWith('secret-two'));
      expect([answer.status, answer.headers.get('x-vercel-verify')]).toEqual([204, 'v-2']);
      expect(ingest.spool.kept).toBe(1);
      expect(ingest.used).toEqual(['second']);
      // The same batch by its key is the same visits.
      await ingest.post('vercel', body, { query });
      expect(ingest.spool.kept).toBe(1);
      const zipped = gzipSync(JSON.stringify([entry('2', proxy('iad1::b'))]));
      const headers = { 'Content-Encoding': 'gzip' };
      expect((await sign(signedWith('secret-one', zipped), { body: zipped, headers })).status).toBe(204);
      expect(ingest.spool.kept).toBe(2);
    });

    it.each<[string, () => Promise<Answer>]>([
      ['of another secret', () => sign(signedWith('secret-three'))],
      ['of another body', () => sign(signedWith('secret-one', `${body} `))],
      ['that is cut short', () => sign(signedWith('secret-one').slice(2))],
      ['that is empty', () => sign('')],
      ['of the empty secret', () => sign(signedWith(''))],
      [
        'for another property',
        () => sign(signedWith('secret-one'), { query: `?attribution_id=${SECOND_PROPERTY}` }),
      ],
      ['for no property', () => sign(signedWith('secret-one'), { query: '' })],
      ['beside a wrong key', () => sign(signedWith('secret-one'), { key: UNKNOWN_KEY })],
      [
        'at a source that has no signatures',
        () =>
          ingest.post('tail', body, {
            key: null,
            query,
            headers: { 'x-vercel-signature': signedWith('secret-one') },
          }),
      ],
    ])('gets 401 for a signature %s, like one without any, and nothing is kept', async (_, send) => {
      const unsigned = await ingest.post('vercel', body, { key: null, query });
      const answer = await send();
      expect([unsigned.status, answer.status]).toEqual([401, 401]);
      expect(answer.text).toBe(unsigned.text);
      expect(answer.headers.get('x-vercel-verify')).toBeNull();
      expect(ingest.spool.entries).toEqual([]);
      // However many came, a good one is taken at once.
      expect((await sign(signedWith('secret-one'))).status).toBe(204);
    });

    it('is refused while its property or its sender holds too much, and taken when it comes again', async () => {
      const held = { total: 100_000, perProperty: 100_000, perAddress: 100_000 };
      for (const share of ['total', 'perProperty', 'perAddress'] as const) {
        await restart({ signers: [...signers], limits: { signedBytesHeld: { ...held, [share]: 50 } } });
        const { status, headers } = await sign(signedWith('secret-one'));
        expect([status, headers.get('retry-after')]).toEqual([503, '5']);
        expect(ingest.spool.entries).toEqual([]);
      }
      await restart({ signers: [...signers], limits: { signedBytesHeld: held } });
      expect((await sign(signedWith('secret-one'))).status).toBe(204);
    });

    it('is refused as soon as the key is revoked, and for a body past the bound', async () => {
      await restart({ signers: [], limits: { signedBodyBytes: body.length - 1 } });
      expect((await sign(signedWith('secret-one'))).status).toBe(401);
      await restart({ signers: [...signers], limits: { signedBodyBytes: body.length - 1 } });
      expect((await sign(signedWith('secret-one'))).status).toBe(413);
      expect(ingest.spool.entries).toEqual([]);
    });
  });
});

it('Akamai may save a stream, whatever its sample holds, and the form of its older logs is read', async () => {
  const basic = { Authorization: `Basic ${Buffer.from(`datastream:${KEY}`).toString('base64')}` };
  for (const sample of ['{"test":"message"}', '', 'access validation'])
    expect((await ingest.post('akamai', sample, { key: null, query, headers: basic })).status).toBeLessThan(
      300,
    );
  const monitor = {
    ...{ type: 'cloud_monitor', format: 'default', version: '1.0', id: 'b1', start: String(seconds) },
    message: {
      ...{ cliIP: '198.51.100.7', status: '200', bytes: '7', reqMethod: 'GET', reqHost: 'shop.example' },
      ...{ reqPath: '%2fa', UA: 'GPTBot%2F1.2%20(x)' },
    },
    ...{ geo: { country: 'DE' }, netPerf: { asnum: '64496' } },
  };
  await ingest.post('akamai', JSON.stringify(monitor), { key: null, query, headers: basic });
  expect(ingest.spool.hits).toMatchObject([{ user_agent: 'GPTBot/1.2 (x)', country: 'DE', asn: 64496 }]);
});

it('Netlify’s entries without personal data are rejected by name; those of functions are no visits', async () => {
  const cut = {
    log_type: 'traffic',
    timestamp: NOW,
    url: 'https://shop.example/',
    method: 'GET',
    status_code: 200,
  };
  const body = [cut, { log_type: 'functions', message: 'x', timestamp: NOW }].map((one) =>
    JSON.stringify(one),
  );
  expect((await ingest.post('netlify', body.join('\n'), { query })).json.errors).toMatchObject([
    { reason: 'missing', field: 'user_agent' },
  ]);
  expect(ingest.spool.sum('dropped')).toEqual({ not_a_visit: 1 });
});

it('bunny.net’s addresses without an end prove nothing, in either direction', async () => {
  const lines = ['198.51.100.0', '2001:db8:1::', '198.51.100.7'].map((ip, index) =>
    [
      ...['HIT', 200, NOW - 1_000, 7, 390, ip, '-', 'https://shop.example/', 'WA', GPTBOT, `r${index}`, 'DE'],
    ].join('|'),
  );
  await ingest.post('bunny', lines.join('\n'), { query });
  expect(ingest.spool.hits.map(({ verdict_reason: reason }) => reason)).toEqual([
    'anonymized_address',
    'anonymized_address',
    'ranges_stale',
  ]);
});
