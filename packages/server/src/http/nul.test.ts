import { expect, it } from 'vitest';
import { refuseNul, refuseNulIn } from './nul.ts';

it('finds NUL in paths, parameters and bodies, and nothing where there is none', () => {
  expect(() => refuseNul('http://x/api/v1/properties/%00')).toThrow('Nothing is served');
  expect(() => refuseNul('http://x/api/v1/properties?q=a%00')).toThrow('NUL');
  expect(() => refuseNul('http://x/api/v1/properties?q=%2500')).not.toThrow();
  expect(() => refuseNulIn(Buffer.from('{"name":"a\\u0000"}'))).toThrow('NUL');
  expect(() => refuseNulIn(Buffer.from('{"name":"a\\\\\\u0000"}'))).toThrow('NUL');
  expect(() => refuseNulIn(Buffer.from('{"name":"a\0"}'))).toThrow('NUL');
  expect(() => refuseNulIn(Buffer.from('{"name":"a\\\\u0000"}'))).not.toThrow();
  expect(() => refuseNulIn(Buffer.from('{"name":"a"}'))).not.toThrow();
});
