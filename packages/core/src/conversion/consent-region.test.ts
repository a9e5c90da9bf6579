import { describe, expect, it } from 'vitest';
import { consentRegionOfZone, isConsentRegion } from './consent-region.ts';

/** The European Union of 2026, then the other three of the EEA. */
const EEA = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO'.split(
  ' ',
);

describe('where silence is no consent', () => {
  it.each([...EEA, 'GB', 'UK', 'CH'])('%s is one of its countries, in any letter case', (country) => {
    expect([isConsentRegion(country), isConsentRegion(country.toLowerCase())]).toEqual([true, true]);
  });
  it.each(['US', 'CA', 'TR', 'RS', 'UA', 'AU', 'JP', 'BR', 'XX', '', 'Germany', 'constructor', '__proto__'])(
    '%s is none',
    (country) => {
      expect(isConsentRegion(country)).toBe(false);
    },
  );
  it('has a time zone for each of its countries', () => {
    const found = new Set(Intl.supportedValuesOf('timeZone').map(consentRegionOfZone));
    for (const country of [...EEA, 'GB', 'CH']) expect(found, country).toContain(country);
  });
  it('knows every zone of Europe that this machine knows, but those of the countries outside', () => {
    const outside =
      'Andorra Astrakhan Belgrade Chisinau Gibraltar Guernsey Isle_of_Man Istanbul Jersey Kaliningrad Kiev Kyiv Kirov Minsk Monaco Moscow Podgorica Samara San_Marino Sarajevo Saratov Simferopol Skopje Tirane Ulyanovsk Uzhgorod Vatican Volgograd Zaporozhye'
        .split(' ')
        .map((name) => `Europe/${name}`);
    const unknown = Intl.supportedValuesOf('timeZone').filter(
      (zone) => zone.startsWith('Europe/') && consentRegionOfZone(zone) === null,
    );
    expect(unknown.filter((zone) => !outside.includes(zone))).toEqual([]);
  });
  it.each([
    ['Europe/Berlin', 'DE'],
    ['europe/london', 'GB'],
    ['Atlantic/Canary', 'ES'],
    ['CET', 'EU'],
    ['America/New_York', null],
    ['UTC', null],
    ['', null],
    ['__proto__', null],
  ])('%s lies in %s', (zone, region) => {
    expect(consentRegionOfZone(zone)).toBe(region);
  });
});
