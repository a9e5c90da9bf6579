import { expect, it } from 'vitest';
import { ServiceError } from './errors.ts';
import { refuseNulIn } from './nul.ts';

const places = (value: unknown): readonly string[] => {
  try {
    refuseNulIn(value, 'The body');
    return [];
  } catch (error) {
    return (error as ServiceError).errors?.map(({ pointer }) => pointer) ?? [];
  }
};

it('finds NUL in texts and names at any depth, and says where', () => {
  expect(places({ name: 'a\0', list: [{ deep: 'fine' }, { deep: '\0' }] }).toSorted()).toEqual([
    '/list/1/deep',
    '/name',
  ]);
  expect(places({ 'a/b~': '\0' })).toEqual(['/a~1b~0']);
  expect(places({ inner: { 'a\0': 1 } })).toEqual(['/inner']);
  expect(places('\0')).toEqual(['']);
  expect(places({ text: '\\u0000', none: null, number: 0 })).toEqual([]);
});

it('walks what is as deep as a body may be', () => {
  let value: unknown = '\0';
  for (let depth = 0; depth < 20_000; depth += 1) value = [value];
  expect(() => refuseNulIn(value, 'The body')).toThrow(ServiceError);
});
