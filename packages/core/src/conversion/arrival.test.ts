import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddedLists } from '../embedded.ts';
import { compileReferrers } from '../referrer.ts';
import { cleanAddress } from './address.ts';
import { describeArrival } from './arrival.ts';
import { CHANNELS, channelOf } from './channels.ts';
import { hostMatches, SOURCES, sourceOfHost, sourceOfTag } from './sources.ts';
import { browserIdsOf, clickIdsOf } from './tags.ts';

const aiReferrers = compileReferrers(embeddedLists());
const arrive = (location: string, referrer = '', more = {}) =>
  describeArrival({ location, referrer, aiReferrers, ownDomains: ['shop.example'], ...more });

/** GA4's order, AI Assistant put in. A pair: what the former channel's signs are beside those of the latter, the former wins. */
const PRECEDENCE = Object.keys(CHANNELS);

describe('channelOf', () => {
  const none = { source: 'x', medium: 'y', campaign: '', kind: null, isAi: false, paid: false } as const;
  const signs = {
    cross_network: { campaign: 'cross-network' },
    paid_shopping: { paid: true, kind: 'shopping' },
    paid_search: { paid: true, kind: 'search' },
    paid_social: { paid: true, kind: 'social' },
    paid_video: { paid: true, kind: 'video' },
    display: { medium: 'display' },
    paid_other: { paid: true },
    ai_assistant: { isAi: true },
    organic_shopping: { campaign: 'shopping' },
    organic_social: { kind: 'social' },
    organic_video: { kind: 'video' },
    organic_search: { kind: 'search' },
    email: { source: 'email' },
    affiliates: { medium: 'affiliate' },
    referral: { medium: 'referral' },
    audio: { medium: 'audio' },
    sms: { source: 'sms' },
    mobile_push: { medium: 'push' },
  } as const;

  it('gives each channel to its own signs', () => {
    for (const [channel, sign] of Object.entries(signs))
      expect(channelOf({ ...none, ...sign })).toBe(channel);
    expect(channelOf({ ...none, source: '(direct)', medium: '(none)' })).toBe('direct');
    expect(channelOf(none)).toBe('unassigned');
  });

  it('gives the signs of two channels to the earlier, wherever both can stand together', () => {
    for (const [first, one] of Object.entries(signs))
      for (const [second, other] of Object.entries(signs)) {
        // Signs of the same member exclude each other, and what is paid is another channel by that alone.
        const apart = Object.keys(one).some((member) => member in other) || 'paid' in one || 'paid' in other;
        if (apart || PRECEDENCE.indexOf(first) >= PRECEDENCE.indexOf(second)) continue;
        expect([second, channelOf({ ...none, ...one, ...other })]).toEqual([second, first]);
      }
  });

  it('counts every unpaid sign below a paid one', () => {
    for (const [channel, sign] of Object.entries(signs)) {
      const found = channelOf({ ...none, ...sign, paid: true });
      if (channel !== 'cross_network' && channel !== 'display') expect(found).toMatch(/^paid_/);
    }
  });
});

describe('describeArrival', () => {
  it('never throws, and keeps no email address, whatever address and referrer', () => {
    const part = fc.constantFrom(
      '/',
      '?',
      '&',
      '=',
      '%',
      '%40',
      '@',
      '#',
      ':',
      'jane',
      'shop.example',
      'utm_source',
      'UTM_Medium',
      'utm_term',
      'gclid',
      'cpc',
      'é',
      '\ud800',
    );
    const noise = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(noise, noise, (rest, referrer) => {
        const facts = arrive(`https://shop.example/${rest}`, `https://x.example/${referrer}`);
        const texts = facts === null ? [] : [facts.landing.path, ...Object.values(facts.utm)];
        for (const text of texts) expect(text.replaceAll('%40', '@')).not.toMatch(/\w@(?:\w+\.)+[a-z]{2,}/i);
        expect(arrive(rest, referrer)).toBe(null);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the tags that the SDK took before the page rewrote its address; those in the address count first', () => {
    const facts = arrive('https://shop.example/?utm_source=b', '', {
      utm: { source: 'a', medium: 'cpc', evil: 'x' },
      clickIds: { GCLID: 'x1', other: 'y' },
    });
    expect(facts).toMatchObject({
      utm: { source: 'b', medium: 'cpc' },
      clickIds: { gclid: 'x1' },
      platform: 'google',
    });
    expect(facts?.utm).not.toHaveProperty('evil');
    expect(facts?.clickIds).not.toHaveProperty('other');
  });

  it('takes a shop’s own payment provider into account', () => {
    expect(arrive('https://shop.example/', 'https://pay.bank.example/')).not.toBe(null);
    expect(
      arrive('https://shop.example/', 'https://pay.bank.example/', { paymentHosts: ['bank.example'] }),
    ).toBe(null);
  });

  it('takes a host with a dot at its end for the same host', () => {
    expect(arrive('https://other.example./', 'https://other.example/')).toBe(null);
    expect(arrive('https://other.example./')?.landing.host).toBe('other.example');
  });

  it('takes no other site for an own one', () => {
    expect(arrive('https://shop.example/', 'https://evilshop.example/')?.channel).toBe('referral');
    expect(arrive('https://shop.example/', 'https://shop.example.evil.example/')?.channel).toBe('referral');
  });

  it('uses the list that it is given, so that a new assistant needs no release', () => {
    const fresh = compileReferrers({ ai_referrer_domains: ['new-ai.example'], ai_referrer_apps: [] });
    expect(arrive('https://shop.example/', 'https://new-ai.example/', { aiReferrers: fresh })?.channel).toBe(
      'ai_assistant',
    );
  });
});

describe('tags', () => {
  it('keep click ids of known names and harmless characters, as they are', () => {
    const pairs = [
      ['GCLID', 'aB-_.~9'],
      ['fbclid', 'a b'],
      ['ttclid', ''],
      ['__proto__', 'x'],
      ['id', '1'],
    ] as const;
    expect(clickIdsOf(pairs)).toEqual({ gclid: 'aB-_.~9' });
  });

  it('take the last of a click id that stands twice: platforms add theirs at the end', () => {
    expect(
      clickIdsOf([
        ['fbclid', 'old'],
        ['fbclid', 'new'],
      ]),
    ).toEqual({ fbclid: 'new' });
  });

  it('keep a bounded number of the ad platforms’ cookies, and no other', () => {
    const many = Array.from({ length: 50 }, (_, index) => [`_ga_${index}`, 'GS1.1'] as const);
    expect(Object.keys(browserIdsOf([['PHPSESSID', 'x'], ...many]))).toHaveLength(30);
  });
});

describe('sources', () => {
  it('have hosts that lead to themselves, by themselves and as tags', () => {
    for (const source of SOURCES)
      for (const pattern of source.hosts) {
        const host = pattern.replace('.*', '.de');
        expect([pattern, sourceOfHost(host)?.name]).toEqual([pattern, source.name]);
        expect(sourceOfTag(host.toUpperCase())?.name).toBe(source.name);
      }
  });

  it('have names and aliases that lead to themselves', () => {
    for (const source of SOURCES)
      for (const word of [source.name, ...(source.aliases ?? [])])
        expect([word, sourceOfTag(word)?.name]).toEqual([word, source.name]);
  });

  it('compare by label, and take only a country’s domain for a star', () => {
    expect(hostMatches('www.google.co.uk', 'www.google.*')).toBe(true);
    for (const host of ['www.google.evil', 'www.google.co.evil', 'google.de', 'awww.google.de'])
      expect(hostMatches(host, 'www.google.*')).toBe(false);
    expect(hostMatches('notfacebook.com', 'facebook.com')).toBe(false);
  });
});

describe('cleanAddress', () => {
  it('keeps tags and click ids alone, no user, no fragment, no email or telephone number in the path', () => {
    expect(
      cleanAddress(
        'https://u:p@shop.example:8443/a/Jane%2Bx%40mail.example/b%2540mail.example/%2B4930901820?q=1&gclid=x#f',
      ),
    ).toBe('https://shop.example:8443/a/***/***/***?gclid=x');
    expect(cleanAddress('https://shop.example/npm/pkg@1.2.3/@scope/6543219876543')).toBe(
      'https://shop.example/npm/pkg@1.2.3/@scope/6543219876543',
    );
    expect(cleanAddress('javascript:alert(1)')).toBe(null);
  });

  it('cleans what is clean to itself', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const clean = cleanAddress(url);
        if (clean !== null) expect(cleanAddress(clean)).toBe(clean);
      }),
    );
  });
});
