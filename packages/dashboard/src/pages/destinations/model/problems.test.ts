import { expect, it } from 'vitest';
import { ApiError } from '../../../api/client.ts';
import { hasOther, problemsAt } from './problems.ts';

const refused = (...pointers: string[]) =>
  new ApiError(
    422,
    'The destination is not valid.',
    pointers.map((pointer) => ({ pointer, message: `at ${pointer}` })),
  );

it('finds what was refused by the field that it names, however deep, the first word of each', () => {
  const error = refused('/config/hosts/0', '/config/hosts/1', '/credentials/token', '/events/custom:a~1b');
  expect(problemsAt(error, 'config')).toEqual(new Map([['hosts', 'at /config/hosts/0']]));
  expect(problemsAt(error, 'events')).toEqual(new Map([['custom:a/b', 'at /events/custom:a~1b']]));
  expect(problemsAt(new Error('x'), 'config').size).toBe(0);
});

it('tells of anything that no field shows', () => {
  const shown = new Set(['name', 'config/pixel']);
  expect(hasOther(refused('/name', '/config/pixel'), shown)).toBe(false);
  expect(hasOther(refused('/name', '/config/other'), shown)).toBe(true);
  expect(hasOther(refused(), shown)).toBe(true);
  expect(hasOther(new ApiError(0, 'The service could not be reached.'), shown)).toBe(true);
  expect(hasOther(null, shown)).toBe(false);
});
