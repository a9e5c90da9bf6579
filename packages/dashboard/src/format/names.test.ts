import { expect, it } from 'vitest';
import { counted, countryName, intentName, methodName, sourceName } from './names.ts';

it('names the values of the wire, and shows an unknown one as it came', () => {
  expect(intentName('on_demand')).toBe('On demand');
  expect(intentName('')).toBe('');
  const sources = [{ name: 'edge_logpush', title: 'Log push' }];
  expect(sourceName('edge_logpush', sources)).toBe('Log push');
  expect(sourceName('browser', sources)).toBe('Browser SDK');
  expect(sourceName('edge_next', sources)).toBe('edge_next');
  expect(methodName('server_cidr')).toBe('published address range, checked here');
});

it('names countries, and stays silent about codes that are none', () => {
  expect(countryName('DE')).toBe('Germany');
  for (const code of ['', 'T1', 'de', 'DEU']) expect(countryName(code)).toBe('');
});

it('counts in words', () => {
  expect(counted(1, 'hit')).toBe('1 hit');
  expect(counted(1204, 'hit')).toBe('1,204 hits');
  expect(counted(2, 'property', 'properties')).toBe('2 properties');
});
