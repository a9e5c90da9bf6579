import { describe, expect, it } from 'vitest';
import { countryCode } from '../destinations/index.ts';
import { consentFacts, NOTHING_SAID } from './consent.ts';

const said = (advertising: boolean | null, analytics: boolean | null = null) => ({
  advertising,
  analytics,
  saleOfData: null,
});

/** Code, and a language that the country's shops write its name in. */
const WITHIN = {
  ...{ AT: 'de', BE: 'nl', BG: 'bg', HR: 'hr', CY: 'el', CZ: 'cs', DK: 'da', EE: 'et', FI: 'fi', FR: 'fr' },
  ...{ DE: 'de', GR: 'el', HU: 'hu', IE: 'en', IT: 'it', LV: 'lv', LT: 'lt', LU: 'fr', MT: 'mt', NL: 'nl' },
  ...{ PL: 'pl', PT: 'pt', RO: 'ro', SK: 'sk', SI: 'sl', ES: 'es', SE: 'sv', IS: 'is', LI: 'de', NO: 'nb' },
  ...{ GB: 'en', CH: 'de' },
};

describe('consent', () => {
  it.each(Object.entries(WITHIN))(
    'is denied by silence in %s, as a code and by its names',
    (code, language) => {
      const names = ['en', language].map((tongue) =>
        new Intl.DisplayNames(tongue, { type: 'region' }).of(code),
      );
      for (const text of [code, code.toLowerCase(), ...names]) {
        const { advertising, analytics } = consentFacts([], 'by_region', countryCode(text ?? ''));
        expect([text, advertising, analytics]).toEqual([text, 'denied', 'denied']);
      }
    },
  );

  it.each([
    ['the sender’s yes', [said(true), said(false)], 'denied', 'DE', 'granted'],
    ['the sender’s no', [said(false), said(true)], 'granted', null, 'denied'],
    ['the visitor’s word where the sender is silent', [NOTHING_SAID, said(true)], 'denied', 'DE', 'granted'],
    ['the visitor’s no', [NOTHING_SAID, said(false)], 'granted', 'US', 'denied'],
    ['a setting of denied', [NOTHING_SAID], 'denied', 'US', 'denied'],
    ['a setting of granted', [NOTHING_SAID], 'granted', 'DE', 'granted'],
    ['a setting of unknown', [NOTHING_SAID], 'unknown', 'DE', 'unknown'],
    ['the region: within', [NOTHING_SAID], 'by_region', 'DE', 'denied'],
    ['the region: a zone of several countries', [NOTHING_SAID], 'by_region', 'EU', 'denied'],
    ['the region: outside', [NOTHING_SAID], 'by_region', 'US', 'unknown'],
    ['the region: not known', [NOTHING_SAID], 'by_region', null, 'unknown'],
  ] as const)('follows %s', (_case, words, silence, country, advertising) => {
    expect(consentFacts(words, silence, country).advertising).toBe(advertising);
  });

  it('is asked member by member', () => {
    expect(
      consentFacts([said(true), { ...said(null, false), saleOfData: false }], 'by_region', 'DE'),
    ).toEqual({
      advertising: 'granted',
      analytics: 'denied',
      saleOfData: false,
    });
    expect(consentFacts([], 'by_region', 'CH')).toEqual({
      advertising: 'denied',
      analytics: 'denied',
      saleOfData: null,
    });
  });
});
