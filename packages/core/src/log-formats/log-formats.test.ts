import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectFormat } from './detect.ts';
import { createLineParser, LOG_FORMATS, type LogFormatName, parseLine } from './formats.ts';
import { type FormatOptions, isReject, LINE_REJECTS, type LogRecord } from './record.ts';
import {
  apacheText,
  CLOUDFRONT_HEADER,
  HAPROXY_CAPTURES,
  IIS_HEADER,
  printApacheJson,
  printCaddy,
  printCloudfront,
  printCombined,
  printCommon,
  printHaproxy,
  printIis,
  printNginxJson,
  printVhostCombined,
} from './testing/print.ts';
import { requestRecords, toSecond } from './testing/records.ts';

const FORMATS = Object.keys(LOG_FORMATS) as LogFormatName[];
const NOTHING = {
  request_id: '',
  accept: '',
  signature: '',
  signature_input: '',
  signature_agent: '',
} as const;

interface RoundTrip {
  readonly name: string;
  readonly format: LogFormatName;
  readonly options?: FormatOptions;
  readonly header?: string;
  readonly print: (record: LogRecord) => string;
  /** What of a record the format can carry. */
  readonly carried?: (record: LogRecord) => LogRecord;
}

const textCarried = (record: LogRecord): LogRecord => ({
  ...toSecond(record),
  ...NOTHING,
  host: 'a.example',
  forwarded_for: '',
  scheme: '',
});
const W3C_CARRIED = { ...NOTHING, forwarded_for: '' };

const ROUND_TRIPS: readonly RoundTrip[] = [
  {
    name: 'nginx combined',
    format: 'nginx',
    options: { host: 'a.example' },
    print: (record) => printCombined(record),
    carried: textCarried,
  },
  {
    name: 'Apache combined, in a zone of its own',
    format: 'apache',
    options: { host: 'a.example' },
    print: (record) => printCombined(record, apacheText, -210),
    carried: textCarried,
  },
  {
    name: 'nginx with X-Forwarded-For behind it',
    format: 'combined',
    options: { host: 'a.example' },
    print: (record) => `${printCombined(record)} "${record.forwarded_for || '-'}" rt=0.003`,
    carried: (record) => ({ ...textCarried(record), forwarded_for: record.forwarded_for }),
  },
  {
    name: 'Apache vhost_combined',
    format: 'combined',
    options: { host: 'b.example' },
    print: (record) => printVhostCombined(record, 330),
    carried: (record) => ({ ...textCarried(record), host: record.host }),
  },
  {
    name: 'common',
    format: 'common',
    options: { host: 'a.example' },
    print: printCommon,
    carried: (record) => ({ ...textCarried(record), user_agent: '', referer: '' }),
  },
  {
    name: 'our JSON of nginx',
    format: 'nginx',
    print: printNginxJson,
    carried: (record) => ({ ...record, scheme: record.scheme === 'https' ? 'https' : '' }),
  },
  {
    name: 'our JSON of Apache',
    format: 'apache',
    print: printApacheJson,
    carried: (record) => ({ ...record, scheme: record.scheme === 'https' ? 'https' : '' }),
  },
  { name: 'Caddy', format: 'caddy', print: printCaddy, carried: (record) => ({ ...record, request_id: '' }) },
  {
    name: 'HAProxy',
    format: 'haproxy',
    options: { captures: HAPROXY_CAPTURES },
    print: printHaproxy,
    carried: (record) => ({ ...record, ...NOTHING, scheme: record.scheme === 'https' ? 'https' : '' }),
  },
  {
    name: 'CloudFront',
    format: 'cloudfront',
    header: CLOUDFRONT_HEADER,
    print: (record) =>
      printCloudfront({
        ...record,
        referer: encodeURI(record.referer),
        user_agent: onceEncoded(record.user_agent),
      }),
    carried: (record) => ({
      ...toSecond(record),
      ...NOTHING,
      forwarded_for: record.forwarded_for,
      referer: encodeURI(record.referer),
      user_agent: onceEncoded(record.user_agent),
      request_id: record.request_id,
    }),
  },
  {
    name: 'IIS',
    format: 'iis',
    header: IIS_HEADER,
    print: (record) =>
      printIis({ ...record, user_agent: plainText(record.user_agent), referer: encodeURI(record.referer) }),
    carried: (record) => ({
      ...toSecond(record),
      ...W3C_CARRIED,
      user_agent: plainText(record.user_agent),
      referer: encodeURI(record.referer),
    }),
  },
];

/** A user agent with an escape of its own can't be distinguished from one that was encoded twice. */
const onceEncoded = (text: string): string => text.replaceAll('%', '');

/** IIS writes a plus for a blank, so a plus by itself can't be distinguished from one. */
const plainText = (text: string): string =>
  text
    .replace(/[\s+]+/g, ' ')
    .trim()
    .replace(/^-$/, '');

describe.each(ROUND_TRIPS)(
  '$name',
  ({ format, options = {}, header, print, carried = (record) => record }) => {
    const parserOf = () => {
      const parser = createLineParser(format, options);
      if (header !== undefined) expect(parser.parseLine(header)).toBeNull();
      return parser;
    };

    it('reads what it prints', () => {
      const parser = parserOf();
      fc.assert(
        fc.property(requestRecords, (record) => {
          expect(parser.parseLine(print(record))).toEqual(carried(record));
        }),
        { numRuns: 300 },
      );
    });

    it('takes no part of a line for the whole', () => {
      const parser = parserOf();
      fc.assert(
        fc.property(requestRecords, fc.double({ min: 0, max: 1, noNaN: true }), (record, share) => {
          const line = print(record);
          const part = line.slice(0, Math.floor(line.length * share));
          const read = parser.parseLine(part);
          if (read === null || isReject(read)) return;
          // What was cut comes after all that is read, or (common log, last columns) at the end of a number.
          expect(read).toEqual({ ...carried(record), bytes: read.bytes, forwarded_for: read.forwarded_for });
        }),
        { numRuns: 300 },
      );
    });
  },
);

describe('no line', () => {
  const anyLine = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.tuple(requestRecords, fc.constantFrom(...ROUND_TRIPS)).map(([record, { print }]) => print(record)),
    // A whole line in which something was changed, left out or put in.
    fc
      .tuple(
        requestRecords,
        fc.constantFrom(...ROUND_TRIPS),
        fc.nat(400),
        fc.nat(12),
        fc.string({ unit: 'binary' }),
      )
      .map(([record, { print }, at, length, text]) => {
        const line = print(record);
        return line.slice(0, at) + text + line.slice(at + length);
      }),
  );

  it.each(FORMATS)('makes the decoder of %s throw, or read what is no record', (format) => {
    const parser = createLineParser(format, { fields: undefined as never, captures: ['user-agent'] });
    if (format === 'iis') parser.parseLine(IIS_HEADER);
    if (format === 'cloudfront') parser.parseLine(CLOUDFRONT_HEADER);
    fc.assert(
      fc.property(anyLine, (line) => {
        const read = parser.parseLine(line);
        if (read === null) return;
        if (isReject(read)) {
          expect(LINE_REJECTS).toHaveProperty(read.reject);
          return;
        }
        expect(Number.isSafeInteger(read.timestamp)).toBe(true);
        expect(read.pathname.startsWith('/')).toBe(true);
        expect(read.status).toBeGreaterThanOrEqual(0);
        expect(read.status).toBeLessThan(1000);
        expect(Number.isSafeInteger(read.bytes)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

const combined = (line: string) => parseLine(line, { format: 'combined' });

describe('a combined line', () => {
  const GOOD = '203.0.113.9 - - [22/Nov/2026:04:27:31 +0100] "GET /a?b=c HTTP/1.1" 200 612 "-" "GPTBot/1.3"';

  it('has what it says', () => {
    expect(combined(GOOD)).toMatchObject({
      timestamp: Date.UTC(2026, 10, 22, 3, 27, 31),
      host: '',
      method: 'GET',
      pathname: '/a?b=c',
      referer: '',
      user_agent: 'GPTBot/1.3',
      ip: '203.0.113.9',
      status: 200,
      bytes: 612,
    });
  });

  it.each([
    ['a connection that asked for nothing', GOOD.replace('GET /a?b=c HTTP/1.1', ''), 'not_a_request'],
    ['one that spoke TLS', GOOD.replace('GET /a?b=c HTTP/1.1', '\\x16\\x03\\x01'), 'not_a_request'],
    ['a tunnel', GOOD.replace('GET /a?b=c', 'CONNECT a.example:443'), 'not_a_request'],
    ['a question about the server', GOOD.replace('GET /a?b=c', 'OPTIONS *'), 'not_a_request'],
    ['a day that no month has', GOOD.replace('22/Nov', '31/Nov'), 'no_time'],
    ['a status of letters', GOOD.replace(' 200 ', ' abc '), 'no_status'],
    ['a size of letters', GOOD.replace(' 612 ', ' 6k '), 'no_bytes'],
    ['a common line', GOOD.replace(/ "-" .*/, ''), 'truncated'],
    ['a line cut in its time', GOOD.slice(0, 30), 'truncated'],
    ['another format', '2026-11-22 something happened', 'other_format'],
  ])('that is %s is no record', (_, line, reason) => {
    expect(combined(line)).toEqual({ reject: reason });
  });

  it.each([
    ['a user with blanks and a bracket', GOOD.replace('- -', '- j. [doe]'), { ip: '203.0.113.9' }],
    ['IPv6', GOOD.replace('203.0.113.9', '2001:db8::1'), { ip: '2001:db8::1', host: '' }],
    [
      'a host by IPv6 address',
      GOOD.replace('203.0.113.9', '[2001:db8::2]:443 2001:db8::1'),
      { ip: '2001:db8::1', host: '[2001:db8::2]' },
    ],
    ['a looked-up name for an address', GOOD.replace('203.0.113.9', 'crawl.example'), { ip: '' }],
    ['a socket for an address', GOOD.replace('203.0.113.9', 'unix:'), { ip: '' }],
    [
      'an absolute address',
      GOOD.replace('/a?b', 'https://c.example/a?b'),
      { host: 'c.example', pathname: '/a?b=c', scheme: 'https' },
    ],
    ['HTTP/0.9', GOOD.replace('/a?b=c HTTP/1.1', '/'), { pathname: '/', method: 'GET' }],
    ['no size', GOOD.replace('612', '-'), { bytes: 0 }],
    ['no answer', GOOD.replace('200', '000'), { status: 0 }],
    ['a request time in quotes behind it', `${GOOD} "0.123"`, { forwarded_for: '' }],
    ['bytes that are no UTF-8', GOOD.replace('GPTBot', '\\xC3\\x28'), { user_agent: '\ufffd(/1.3' }],
    ['a carriage return', `${GOOD}\r`, { user_agent: 'GPTBot/1.3' }],
  ])('with %s is read', (_, line, members) => {
    expect(combined(line)).toMatchObject(members);
  });

  it('counts seconds once, however many lines they have', () => {
    const parser = createLineParser('combined');
    const at = (line: string) => (parser.parseLine(line) as LogRecord).timestamp;
    expect([at(GOOD), at(GOOD), at(GOOD.replace('+0100', '+0000')), at(GOOD)]).toEqual(
      [3, 3, 4, 3].map((hour) => Date.UTC(2026, 10, 22, hour, 27, 31)),
    );
  });
});

describe('times without a zone', () => {
  const line = (time: string) => JSON.stringify({ time, uri: '/', status: 200 });
  const at = (time: string, timeZone: string) =>
    (parseLine(line(time), { format: 'json', timeZone }) as LogRecord).timestamp;

  it.each([
    ['2026-07-01 12:00:00', 'Europe/Berlin', '2026-07-01T10:00:00Z'],
    ['2026-12-01T12:00:00.250', 'Europe/Berlin', '2026-12-01T11:00:00.250Z'],
    // The hour that comes twice, the hour that does not come, and those beside them.
    ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    ['2026-10-25 03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
    ['2026-03-29 01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59Z'],
    ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    ['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['2026-07-01 12:00:00', 'Asia/Kolkata', '2026-07-01T06:30:00Z'],
    ['2026-07-01 12:00:00', 'UTC', '2026-07-01T12:00:00Z'],
    ['22/Nov/2026:04:27:31 -0330', 'Asia/Kolkata', '2026-11-22T07:57:31Z'],
    ['2026-07-01T12:00:00+0200', 'Asia/Kolkata', '2026-07-01T10:00:00Z'],
  ])('%s in %s is %s', (time, zone, instant) => {
    expect(new Date(at(time, zone)).toISOString()).toBe(new Date(instant).toISOString());
  });

  it('are refused in a zone that there is not', () => {
    expect(() => createLineParser('json', { timeZone: 'Europe/Atlantis' })).toThrow(RangeError);
  });
});

describe('JSON lines', () => {
  it('are read by the names that a mapping states, nested ones too', () => {
    const mapping = { pathname: ['q.where'], user_agent: ['who'], ip: ['net.peer'] };
    const line = JSON.stringify({
      ts: 1_795_321_651,
      q: { where: '/x' },
      who: ['A/1', 'B'],
      user_agent: 'not this',
      net: { peer: '[2001:db8::1]:99' },
      reject: 'truncated',
    });
    expect(parseLine(line, { format: 'json', mapping })).toMatchObject({
      timestamp: 1_795_321_651_000,
      pathname: '/x',
      user_agent: 'A/1, B',
      ip: '2001:db8::1',
    });
  });

  it.each([
    ['{"time":"2026-11-22T00:00:00Z","uri":"/"', 'truncated'],
    ['{"time":}', 'other_format'],
    ['[1]', 'other_format'],
    ['{"time":"yesterday","uri":"/"}', 'no_time'],
    ['{"time":"2026-11-22T00:00:00Z"}', 'not_a_request'],
    ['{"time":"2026-11-22T00:00:00Z","uri":"/","status":"ok"}', 'no_status'],
    ['{"time":"2026-11-22T00:00:00Z","uri":"/","bytes":"many"}', 'no_bytes'],
  ])('%s is no record', (line, reason) => {
    expect(parseLine(line, { format: 'json' })).toEqual({ reject: reason });
  });
});

describe('Caddy', () => {
  it('from before 2.5 and from before 2.7 names the address otherwise', () => {
    const line = (request: object) =>
      JSON.stringify({ ts: 1.7e9, msg: 'handled request', request: { method: 'GET', uri: '/', ...request } });
    const ip = (request: object) => (parseLine(line(request), { format: 'caddy' }) as LogRecord).ip;
    expect(ip({ remote_addr: '[2001:db8::1]:80' })).toBe('2001:db8::1');
    expect(ip({ remote_ip: '203.0.113.9', remote_port: '1' })).toBe('203.0.113.9');
    expect(ip({ remote_ip: '10.0.0.1', client_ip: '203.0.113.9' })).toBe('203.0.113.9');
  });

  it('tells of itself in the same log', () => {
    expect(parseLine('{"level":"info","ts":1.7,"msg":"serving"}', { format: 'caddy' })).toEqual({
      reject: 'not_a_request',
    });
    expect(parseLine('{"a":1}', { format: 'caddy' })).toEqual({ reject: 'other_format' });
  });
});

describe('HAProxy', () => {
  const LINE =
    'haproxy[1]: 2001:db8::1:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu|Mozilla/5.0 (X)} {} "GET /index.html HTTP/1.1"';

  it('is read with the headers that it captures', () => {
    expect(parseLine(LINE, { format: 'haproxy', captures: ['host', 'user-agent'] })).toMatchObject({
      host: '1wt.eu',
      user_agent: 'Mozilla/5.0 (X)',
      ip: '2001:db8::1',
      timestamp: Date.UTC(2009, 1, 6, 12, 14, 14, 655),
    });
  });

  it.each([
    ['haproxy[1]: Server app/s1 is DOWN', 'not_a_request'],
    [LINE.replace('GET /index.html HTTP/1.1', '<BADREQ>'), 'not_a_request'],
    [LINE.slice(0, -3), 'truncated'],
    [LINE.replace('2009', '20x9'), 'not_a_request'],
    ['anything', 'other_format'],
  ])('%s is no record', (line, reason) => {
    expect(parseLine(line, { format: 'haproxy' })).toEqual({ reject: reason });
  });
});

describe('W3C logs', () => {
  it('have no names for their columns before a #Fields line, unless they are stated', () => {
    const line = '2026-11-22 04:27:31 GET /a q=1 GPTBot/1.3+(+https://x)';
    expect(parseLine(line, { format: 'iis' })).toEqual({ reject: 'no_header' });
    const fields = ['date', 'time', 'cs-method', 'cs-uri-stem', 'cs-uri-query', 'cs(User-Agent)'];
    expect(parseLine(line, { format: 'iis', fields })).toMatchObject({
      pathname: '/a?q=1',
      user_agent: 'GPTBot/1.3 ( https://x)',
    });
    expect(parseLine(`${line} more`, { format: 'iis', fields })).toEqual({ reject: 'other_format' });
    expect(parseLine(line.slice(0, 25), { format: 'iis', fields })).toEqual({ reject: 'truncated' });
  });

  it('may change their columns on the way, and can be gone on with', () => {
    const parser = createLineParser('iis');
    parser.parseLine('#Fields: date time cs-method cs-uri-stem');
    expect(parser.parseLine('2026-11-22 04:27:31 GET /a')).toMatchObject({ pathname: '/a' });
    parser.parseLine('#Fields: date time cs-uri-stem cs-method');
    expect(parser.parseLine('2026-11-22 04:27:31 /b GET')).toMatchObject({ pathname: '/b' });
    const rest = createLineParser('iis', { fields: parser.columns() ?? [] });
    expect(rest.parseLine('2026-11-22 04:27:31 /c GET')).toMatchObject({ pathname: '/c' });
  });

  it('of CloudFront are decoded once, and twice where an old log was encoded twice', () => {
    const fields = ['date', 'time', 'cs-method', 'cs-uri-stem', 'cs(User-Agent)'];
    const read = (stem: string, agent: string) =>
      parseLine(`2026-11-22\t04:27:31\tGET\t${stem}\t${agent}`, { format: 'cloudfront', fields });
    expect(read('/caf%25C3%25A9', 'GPTBot/1.3%20(x)')).toMatchObject({
      pathname: '/caf%C3%A9',
      user_agent: 'GPTBot/1.3 (x)',
    });
    expect(read('/a%20b', 'GPTBot/1.3%2520(x)')).toMatchObject({
      pathname: '/a%20b',
      user_agent: 'GPTBot/1.3 (x)',
    });
  });
});

it('CloudFront’s column of all headers has those of a signed request, as far as it was not cut', () => {
  const fields = ['timestamp', 'cs-method', 'cs-protocol', 'cs-uri-stem', 'cs-headers'];
  const headers =
    'host:shop.example%0Asignature:sig1=:AA==:%0ASignature-Input:sig1=(%22@authority%22)%0Asigna';
  const line = `1795321651.000\tGET\thttps\t/a\t${headers}`;
  expect(parseLine(line, { format: 'cloudfront', fields })).toMatchObject({
    ...{
      scheme: 'https',
      signature: 'sig1=:AA==:',
      signature_input: 'sig1=("@authority")',
      signature_agent: '',
    },
  });
});

describe('the format of a file', () => {
  const samples = fc.sample(requestRecords, { numRuns: 30, seed: 7 });
  it.each(ROUND_TRIPS.filter(({ name }) => name !== 'common'))(
    '$name is recognised by its lines',
    ({ format, header, print, options }) => {
      const lines = [...(header === undefined ? [] : [header]), ...samples.map(print), '', 'torn li'];
      const expected = { nginx: ['combined', 'nginx_json'], apache: ['combined', 'apache_json'] }[
        format as string
      ] ?? [format];
      const found = detectFormat(lines, options);
      expect(expected).toContain(found?.format);
      expect(found).toMatchObject({ records: 30, lines: 31, sure: true });
    },
  );

  it('is not recognised with certainty from few lines, nor at all from other text', () => {
    const [first] = samples;
    expect(detectFormat([printCommon(first as LogRecord)])).toEqual({
      format: 'common',
      records: 1,
      lines: 1,
      sure: false,
    });
    expect(detectFormat(['what', 'is', 'this'])).toBeNull();
    expect(detectFormat([])).toBeNull();
  });
});
