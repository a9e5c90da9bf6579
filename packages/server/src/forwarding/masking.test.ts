import { formatIp, parseIp } from '@ghostlight/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../destinations/index.ts';
import { createMasker, type Known, knownOf } from './masking.ts';

const SECRET = 'EAAGm0PX4ZCpsBAKcKZC/+=?&"\\';
const DIGEST = '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f';
const known: Known = {
  secrets: [SECRET],
  plainFields: ['client_user_agent', 'client_ip_address', 'address'],
  personal: ['Jane O’Hara', '030 901820'],
  traces: ['Cj0KCQiA-example-click', 'fb.1.1796000000000.1098115397'],
};
const masker = createMasker(known);
const request = (changes: Partial<HttpRequest>): HttpRequest => ({
  ...{ method: 'POST', url: 'https://platform.example/v1/events', headers: {}, body: null },
  ...changes,
});
const bodyOf = (value: unknown): unknown =>
  JSON.parse(masker.request(request({ body: JSON.stringify(value) })).body ?? '');

describe('a request that is shown', () => {
  it('has its secrets taken out of address, headers and body, however they are written there', () => {
    const shown = masker.request(
      request({
        url: `https://platform.example/v1/${encodeURIComponent(SECRET)}/events?access_token=${encodeURIComponent(SECRET)}&v=2`,
        headers: {
          Authorization: `Bearer ${SECRET}`,
          'X-Api-Key': SECRET,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({
          access_token: SECRET,
          nested: JSON.stringify({ again: SECRET }),
          basic: Buffer.from(SECRET).toString('base64'),
          [SECRET]: 1,
        }),
      }),
    );
    expect(shown.url).toBe('https://platform.example/v1/•••/events?access_token=•••&v=2');
    expect(shown.headers).toEqual({
      Authorization: 'Bearer •••',
      'X-Api-Key': '•••',
      'Content-Type': 'application/json',
    });
    expect(JSON.parse(shown.body ?? '')).toEqual({
      access_token: '•••',
      nested: '{"again":"•••"}',
      basic: '•••',
      '•••': 1,
    });
  });

  it('shows of digests and click ids the beginning, and of plain fields nothing but the network', () => {
    expect(
      bodyOf({
        em: [DIGEST],
        gclid: 'Cj0KCQiA-example-click',
        fbp: 'fb.1.1796000000000.1098115397',
        client_user_agent: 'Mozilla/5.0',
        client_ip_address: '203.0.113.77',
        address: { city: 'Berlin', zip: 10115, lines: ['a', null] },
        value: 99.9,
        event_id: 'ord_1001',
      }),
    ).toEqual({
      em: ['62a14e…'],
      gclid: 'Cj0KCQ…',
      fbp: 'fb.1.1…',
      client_user_agent: '•••',
      client_ip_address: '203.0.113.0',
      address: { city: '•••', zip: '•••', lines: ['•••', null] },
      value: 99.9,
      event_id: 'ord_1001',
    });
  });

  it('hides what is known of the customer wherever it stands, and what looks like it', () => {
    expect(
      bodyOf({
        a: 'for Jane O’Hara',
        b: '030 901820',
        c: 'jane@mail.example and +49 170 1234567',
        d: 'from 2001:db8:85a3::8a2e:370:7334 or 198.51.100.9',
      }),
    ).toEqual({ a: 'for •••', b: '•••', c: '*** and ***', d: 'from 2001:db8:85a3:: or 198.51.100.0' });
  });

  it('may be a form, or no JSON at all', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = `client_secret=x&token=${encodeURIComponent(SECRET)}&mail=jane%40mail.example`;
    expect(masker.request(request({ headers, body: form })).body).toBe(
      'client_secret=•••&token=•••&mail=***',
    );
    expect(masker.request(request({ body: `{"broken ${SECRET}` })).body).toBe('{"broken •••');
  });

  it('keeps times, versions of programs and amounts readable', () => {
    const value = {
      at: '2026-12-02T10:00:00Z',
      money: '1.234,50',
      id: 'cnv_0123456789abcdef0123456789abcdef',
    };
    expect(bodyOf(value)).toEqual(value);
  });

  it('is cut, with nothing in half behind the cut', () => {
    const long = masker.request(request({ body: JSON.stringify({ pad: 'x'.repeat(100_000) }) })).body ?? '';
    expect(long.length).toBeLessThanOrEqual(16 * 1024);
    const body = `${'y'.repeat(64 * 1024 - 10)}${SECRET}${'z'.repeat(99_999)}`;
    expect(masker.response({ status: 200, body }).body).not.toContain(SECRET.slice(0, 8));
  });

  it('shows short secrets where they are within words, and hides them where they are whole words', () => {
    const short = createMasker({ secrets: ['abc', ''], plainFields: [] });
    expect(short.text('abc')).toBe('•••');
    expect(short.text('the abcess')).toBe('the abcess');
  });
});

describe('whatever is sent', () => {
  const secret = fc
    .string({ minLength: 8, maxLength: 60, unit: 'grapheme' })
    .filter((text) => /^\S.*\S$/u.test(text) && !text.includes('•') && text.isWellFormed());
  const word = fc.stringMatching(/^[a-z][a-z0-9]{2,12}$/);
  const email = fc.tuple(word, word).map(([name, host]) => `${name}@${host}.example`);
  const phone = fc.integer({ min: 1_000_000_000, max: 99_999_999_999 }).map((digits) => `+49${digits}`);
  const ip = fc.oneof(fc.ipV4(), fc.ipV6()).filter((text) => {
    const parsed = parseIp(text);
    return parsed !== null && formatIp(parsed) === text;
  });
  const place = fc.constantFrom('url', 'path', 'header', 'body', 'deep', 'text', 'plain', 'answer');

  const shownAt = (masked: ReturnType<typeof createMasker>, where: string, value: string): string => {
    const encoded = encodeURIComponent(value);
    if (where === 'answer')
      return masked.response({ status: 400, body: `{"error":${JSON.stringify(`no ${value} here`)}}` }).body;
    const changes: Partial<HttpRequest> =
      where === 'url'
        ? { url: `https://platform.example/e?id=${encoded}&x=1` }
        : where === 'path'
          ? { url: `https://platform.example/${encoded}/e` }
          : where === 'header'
            ? { headers: { 'X-Note': value } }
            : {
                body:
                  where === 'text'
                    ? `so ${value} then`
                    : JSON.stringify(
                        where === 'deep'
                          ? { a: [{ b: value }] }
                          : where === 'plain'
                            ? { address: value }
                            : { a: `is ${value} it` },
                      ),
              };
    const { url, headers, body } = masked.request(request(changes));
    return `${url} ${JSON.stringify(headers)} ${body}`;
  };
  const survives = (text: string, value: string): boolean =>
    [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].some((spelling) =>
      text.includes(spelling),
    );

  it('no credential value survives', () => {
    fc.assert(
      fc.property(secret, place, (value, where) => {
        const shown = shownAt(createMasker({ secrets: [value], plainFields: ['address'] }), where, value);
        expect(survives(shown.replace('https://platform.example', ''), value)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['email address', email],
    ['telephone number', phone],
  ])('no %s survives, known or not', (_name, values) => {
    fc.assert(
      fc.property(values, place, fc.boolean(), (value, where, isKnown) => {
        const personal = isKnown ? [value] : [];
        const shown = shownAt(
          createMasker({ secrets: [], plainFields: ['address'], personal }),
          where,
          value,
        );
        expect(survives(shown, value)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('no address of a computer survives but its network', () => {
    fc.assert(
      fc.property(ip, place, (value, where) => {
        const shown = shownAt(createMasker({ secrets: [], plainFields: ['address'] }), where, value);
        const masked = createMasker({ secrets: [], plainFields: [] }).text(value);
        if (masked !== value) expect(survives(shown, value)).toBe(false);
        const kept = parseIp(masked);
        expect(kept === null ? masked : formatIp(kept)).toBe(masked);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what is known of a delivery', () => {
  it('is the customer as sent, their machine, and every click and browser id', () => {
    const user = {
      ...{ email: 'jane@mail.example', phone: null, firstName: 'Jane', lastName: null, extra: {} },
      address: {
        street: 'Way 1',
        city: 'Berlin',
        region: null,
        postalCode: '10115',
        country: 'DE',
        extra: {},
      },
    };
    const context = {
      client: { ip: '203.0.113.7', userAgent: 'Mozilla/5.0' },
      clickIds: { gclid: { value: 'Cj0KCQiA', at: 0 } },
      browserIds: { _fbp: 'fb.1.2.3' },
    };
    expect(knownOf({ user }, context)).toEqual({
      personal: ['jane@mail.example', 'Jane', 'Way 1', '10115', '203.0.113.7', 'Mozilla/5.0'],
      traces: ['Cj0KCQiA', 'fb.1.2.3'],
    });
    expect(knownOf({ user: null }, { client: null, clickIds: {}, browserIds: {} })).toEqual({
      personal: [],
      traces: [],
    });
  });
});
