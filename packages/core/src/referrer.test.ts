import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddedLists } from './embedded.ts';
import { comesFromOwnSite, compileReferrers } from './referrer.ts';

const lists = embeddedLists();
const matcher = compileReferrers(lists);

describe('compileReferrers', () => {
  it('agrees with comparing the host to every domain, whatever surrounds it', () => {
    const part = fc.constantFrom(
      'chatgpt',
      'com',
      'ai',
      'claude',
      'google',
      'gemini',
      'evil',
      'x',
      'www',
      'microsoft',
      'copilot',
    );
    const host = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(host, fc.constantFrom('', '/', '/chatgpt.com', '?r=claude.ai', ':444/x'), (name, rest) => {
        const naive = lists.ai_referrer_domains.some(
          (domain) => name === domain || name.endsWith(`.${domain}`),
        );
        expect(matcher.match(`https://${name}${rest}`, undefined) !== null).toBe(naive);
        expect(matcher.match('', name) !== null).toBe(naive);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the nearest of two listed domains', () => {
    const nested = compileReferrers({
      ai_referrer_domains: ['vendor.example', 'chat.vendor.example'],
      ai_referrer_apps: [],
      ai_referrer_names: { 'vendor.example': 'Vendor', 'chat.vendor.example': 'Chat' },
    });
    expect(nested.match('https://eu.chat.vendor.example/', undefined)?.engine).toBe('Chat');
    expect(nested.match('https://eu.vendor.example/', undefined)?.engine).toBe('Vendor');
  });

  it('names the domain itself where an older list carries no names', () => {
    const unnamed = compileReferrers({
      ai_referrer_domains: ['chatgpt.com'],
      ai_referrer_apps: ['com.openai.chatgpt'],
    });
    expect(unnamed.match('https://chatgpt.com/', undefined)?.engine).toBe('chatgpt.com');
    expect(unnamed.match('android-app://com.openai.chatgpt/', undefined)?.engine).toBe('com.openai.chatgpt');
  });

  it('answers for any text, and never finds an engine in noise', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'chatgp:/\\@?#% \u200b[]') });
    fc.assert(
      fc.property(noise, noise, (referrer, utmSource) => {
        expect(matcher.match(referrer, utmSource)).toBe(null);
      }),
    );
  });
});

describe('comesFromOwnSite', () => {
  const domains = ['www.shop.example'];
  it.each([
    ['the apex of a property at www', 'https://shop.example/guide', 'www.shop.example'],
    ['the apex, visited at another host of the property', 'https://shop.example/', 'checkout.pay.example'],
    ['a host beside www', 'https://blog.shop.example/', 'checkout.pay.example'],
    ['www of a visited apex', 'https://www.shop.example/', 'shop.example:8443'],
    ['a bare host, as the edge cuts it', 'shop.example', 'checkout.pay.example'],
  ])('is true for %s', (_, referrer, host) => {
    expect(comesFromOwnSite(referrer, host, domains)).toBe(true);
  });

  it.each([
    ['another site', 'https://chatgpt.com/', 'www.shop.example'],
    ['a name that only ends alike', 'https://notshop.example/', 'www.shop.example'],
    ['an app', 'android-app://shop.example/', 'www.shop.example'],
    ['no referrer', '', 'www.shop.example'],
  ])('is false for %s', (_, referrer, host) => {
    expect(comesFromOwnSite(referrer, host, domains)).toBe(false);
  });

  it('takes no top-level domain for a site: www.example owns nothing but what lies below it', () => {
    expect(comesFromOwnSite('https://other.example/', 'x.test', ['www.example'])).toBe(false);
    expect(comesFromOwnSite('https://a.www.example/', 'x.test', ['www.example'])).toBe(true);
  });
});
