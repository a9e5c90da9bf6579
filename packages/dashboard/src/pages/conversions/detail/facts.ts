/** What a conversion was sent with, as rows of a name and a value. */
import type { ConversionDetail } from '../../../features/conversions/api.ts';

type Fact = readonly [name: string, value: string];

const NAMES: Readonly<Record<string, string>> = {
  email: 'Email',
  phone: 'Phone',
  first_name: 'First name',
  last_name: 'Last name',
  street: 'Street',
  city: 'City',
  region: 'Region',
  postal_code: 'Postal code',
  country: 'Country',
};

/** Masked personal data, without the groups that the API has them in. A value of a newer service has its own name. */
export function personalFacts(personal: object): readonly Fact[] {
  return Object.entries(personal).flatMap(([name, value]): readonly Fact[] => {
    if (value === null || value === undefined || value === '') return [];
    if (typeof value === 'object' && !Array.isArray(value)) return personalFacts(value);
    return [[NAMES[name] ?? spoken(name), Array.isArray(value) ? value.join(', ') : String(value)]];
  });
}

const spoken = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** `analytics and advertising`, `analytics; advertising refused`; null: nothing was sent about it. */
export function consentText(consent: ConversionDetail['consent']): string | null {
  const said = Object.entries(consent ?? {}).filter(([, value]) => typeof value === 'boolean');
  const of = (wanted: boolean) =>
    said.filter(([, value]) => value === wanted).map(([name]) => name.replaceAll('_', ' '));
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  const parts = [
    list.format(of(true)),
    of(false).length === 0 ? '' : `${list.format(of(false))} refused`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join('; ');
}
