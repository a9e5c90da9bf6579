import { expect, it } from 'vitest';
import { fill } from './fill.ts';

const VALUES = {
  baseUrl: 'https://in.example',
  appBaseUrl: 'https://in.example',
  propertyId: '11111111-1111-4111-8111-111111111111',
  domain: `o'shop.example`,
  searchEngines: false,
  key: 'svc_cf_x',
};

it('fills in values with the right quoting, and leaves unknown names', () => {
  expect(fill('{{base_url}}/v1/logs/x?key={{key|url}}&id={{attribution_id}}', VALUES)).toBe(
    `https://in.example/v1/logs/x?key=svc_cf_x&id=${VALUES.propertyId}`,
  );
  expect(fill('{{domain|shell}} "{{domain|json}}"', VALUES)).toBe(`'o'\\''shop.example' "o'shop.example"`);
  expect(fill('{{nothing}} {{key|rot13}} {{toString}} $key', VALUES)).toBe(
    '{{nothing}} {{key|rot13}} {{toString}} $key',
  );
});

it('takes an address apart for those who write its parts in lines of their own', () => {
  expect(fill('{{base_url|host}} {{base_url|port}}', VALUES)).toBe('in.example 443');
  const baseUrl = 'http://localhost:8080';
  expect(fill('{{base_url|host}} {{base_url|port}}', { ...VALUES, baseUrl })).toBe('localhost 8080');
});

it('shows a placeholder while no key is held', () => {
  expect(fill('{{key|url}} {{key}}', { ...VALUES, key: null })).toBe('%3CINGEST_KEY%3E <INGEST_KEY>');
});
