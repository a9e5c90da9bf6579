import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddedLists } from './embedded.ts';
import { compileReferrers } from './referrer.ts';

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
