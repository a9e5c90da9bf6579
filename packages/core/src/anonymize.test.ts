import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareHost, referralQuery, truncateIp } from './anonymize.ts';
import { formatIp, parseIp } from './ip.ts';

describe('truncateIp', () => {
  it('keeps 24 or 48 bits of any address and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const full = parseIp(text);
        const kept = parseIp(truncateIp(text) ?? '');
        if (full === null || kept === null) throw new Error(`${text} is an address`);
        if (full.version === 4 && kept.version === 4) {
          expect([kept.value >>> 8, kept.value & 255]).toEqual([full.value >>> 8, 0]);
        } else {
          expect(BigInt(kept.value) >> 80n).toBe(BigInt(full.value) >> 80n);
          expect(BigInt(kept.value) & (2n ** 80n - 1n)).toBe(0n);
        }
        expect(truncateIp(formatIp(kept))).toBe(formatIp(kept));
      }),
    );
  });
});

describe('referralQuery', () => {
  it('keeps campaign tags and click ids in any letter case, values untouched', () => {
    const query = new Map([
      ['utm_source', 'chatgpt.com'],
      ['UTM_Campaign', 'Spring'],
      ['gclid', 'AbC-1'],
      ['ScCid', 'x'],
      ['FBCLID', 'IwAR2'],
      ['email', 'ada@example.com'],
      ['token', 'secret'],
      ['gclidx', '1'],
      ['utm', '1'],
    ]);
    expect(referralQuery(query)).toEqual({
      utm_source: 'chatgpt.com',
      UTM_Campaign: 'Spring',
      gclid: 'AbC-1',
      ScCid: 'x',
      FBCLID: 'IwAR2',
    });
  });
});

describe('bareHost', () => {
  it('keeps the host and drops path, query, port and credentials', () => {
    expect(bareHost('https://ada:pw@Mail.Example.:8443/inbox?id=7#x')).toBe('mail.example');
    expect(bareHost('android-app://com.openai.chatgpt/https/x')).toBe('com.openai.chatgpt');
  });

  it('keeps a host that the edge has already cut to', () => {
    expect(bareHost('www.google.com')).toBe('www.google.com');
    expect(bareHost('WWW.Google.com.')).toBe('www.google.com');
    expect(bareHost('com.google.android.gm')).toBe('com.google.android.gm');
    expect(bareHost('192.0.2.7')).toBe('192.0.2.7');
    expect(bareHost('[2001:db8::1]')).toBe('[2001:db8::1]');
  });

  it('loses nothing when it is applied at the edge and again at the service', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(bareHost(url)).toBe(new URL(url).hostname);
        expect(bareHost(bareHost(url))).toBe(bareHost(url));
      }),
    );
  });

  it('is empty for what is no referrer', () => {
    const noise = [
      '',
      '-',
      'mail.example/inbox',
      'data:text/plain,ada',
      'file:///home/ada',
      'ada',
      'a b.example',
    ];
    for (const text of [
      ...noise,
      'ada@mail.example',
      'mail.example..',
      'https://mail.example../',
      'mail.example:80',
      'mail.example?id=7',
      '1.5',
      `${'a'.repeat(250)}.com`,
    ])
      expect(bareHost(text), text).toBe('');
  });
});
