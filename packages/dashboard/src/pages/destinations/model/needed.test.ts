import { expect, it } from 'vitest';
import { neededFor } from './needed.ts';

const text = (title: string) => ({ type: 'string', title });

it('names the required fields of settings and credentials', () => {
  expect(
    neededFor({
      config_schema: {
        properties: { pixel: text('Pixel ID'), version: text('Version') },
        required: ['pixel'],
      },
      credentials_schema: { properties: { token: text('Access token') }, required: ['token'] },
    }),
  ).toEqual(['Pixel ID', 'Access token']);
});

it('speaks of credentials where one of several ways is enough', () => {
  const credentials_schema = { properties: { key: text('Key'), token: text('Refresh token') } };
  expect(neededFor({ config_schema: {}, credentials_schema })).toEqual(['API credentials']);
  expect(neededFor({ config_schema: {}, credentials_schema: {} })).toEqual([]);
});
