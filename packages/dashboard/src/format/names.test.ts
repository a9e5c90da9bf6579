import { expect, it } from 'vitest';
import { counted, countryName, intentName, methodName, sourceName } from './names.ts';

it('names values of the API, and shows an unknown value as received', () => {
  expect(intentName('on_demand')).toBe('On demand');
  expect(intentName('')).toBe('');
  const sources = [{ name: 'edge_logpush', title: 'Cloudflare Logpush' }];
  expect(sourceName('edge_logpush', sources)).toBe('Cloudflare Logpush');
  expect(sourceName('browser', sources)).toBe('Browser SDK');
  expect(sourceName('edge_next', sources)).toBe('edge_next');
  expect(methodName('server_cidr')).toBe('published IP range, verified by server');
});

it('names countries, and is empty for unknown codes', () => {
  expect(countryName('DE')).toBe('Germany');
  for (const code of ['', 'T1', 'de', 'DEU']) expect(countryName(code)).toBe('');
});

it('writes counts with their noun', () => {
  expect(counted(1, 'hit')).toBe('1 hit');
  expect(counted(1204, 'hit')).toBe('1,204 hits');
  expect(counted(2, 'property', 'properties')).toBe('2 properties');
});
