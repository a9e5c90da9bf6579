import { expect, it } from 'vitest';
import { refuseNul } from './nul.ts';

it('finds NUL in paths and parameters, and nothing where there is none', () => {
  expect(() => refuseNul('http://x/api/v1/properties/%00')).toThrow('Nothing is served');
  expect(() => refuseNul('http://x/api/v1/properties?q=a%00')).toThrow('NUL');
  expect(() => refuseNul('http://x/api/v1/properties?q=%2500')).not.toThrow();
});
