import { DAY_MS } from '@ghostlight/core/time';
import { expect, it } from 'vitest';
import { contextOf, OCCURRED } from '../testing.ts';
import { fbcOf } from './fbc.ts';

const CLICKED = OCCURRED - 2 * DAY_MS;
const OLD = OCCURRED - 91 * DAY_MS;

const fbc = (fbclid: string | null, cookie: string | null, clickedAt = CLICKED) =>
  fbcOf(
    contextOf({}, cookie === null ? {} : { _fbc: cookie }, {
      clickIds: fbclid === null ? {} : { fbclid: { value: fbclid, at: clickedAt } },
    }),
    OCCURRED,
  );

it.each([
  ['nothing', fbc(null, null), null],
  ['a click, at the time of its landing', fbc('IwAR2abc', null), `fb.1.${CLICKED}.IwAR2abc`],
  ['the letters of a click as they are', fbc('IwAR-Abc_.~X', null), `fb.1.${CLICKED}.IwAR-Abc_.~X`],
  ['a cookie alone', fbc(null, `fb.1.${CLICKED}.IwAR2abc`), `fb.1.${CLICKED}.IwAR2abc`],
  ['a cookie of another subdomain', fbc(null, `fb.2.${CLICKED}.IwAR2abc`), `fb.2.${CLICKED}.IwAR2abc`],
  [
    'the cookie of the same click, with its own time',
    fbc('IwAR2abc', `fb.1.${CLICKED + 7}.IwAR2abc`),
    `fb.1.${CLICKED + 7}.IwAR2abc`,
  ],
  [
    'the same click with the mark of newer pixels',
    fbc('IwAR2abc', `fb.1.${CLICKED}.IwAR2abc.AQMBAQ`),
    `fb.1.${CLICKED}.IwAR2abc.AQMBAQ`,
  ],
  [
    'a newer click than the cookie’s',
    fbc('IwARnew', `fb.1.${CLICKED - DAY_MS}.IwARold`),
    `fb.1.${CLICKED}.IwARnew`,
  ],
  ['a click that only begins alike', fbc('IwAR2', `fb.1.${CLICKED}.IwAR2abc`), `fb.1.${CLICKED}.IwAR2`],
  ['a cookie in seconds', fbc(null, `fb.1.${CLICKED / 1000}.IwAR2abc`), `fb.1.${CLICKED / 1000}.IwAR2abc`],
  ['a click of exactly 90 days', fbc('x', null, OCCURRED - 90 * DAY_MS), `fb.1.${OCCURRED - 90 * DAY_MS}.x`],
  ['an older click', fbc('IwAR2abc', null, OLD), null],
  ['an older cookie', fbc(null, `fb.1.${OLD}.IwAR2abc`), null],
  ['an old click again, with a cookie that is as old', fbc('IwAR2abc', `fb.1.${OLD}.IwAR2abc`), null],
  ['a click after the conversion', fbc('IwAR2abc', null, OCCURRED + DAY_MS), null],
  ['a cookie that is none', fbc(null, 'IwAR2abc'), null],
  ['a cookie with three parts', fbc(null, `fb.1.${CLICKED}`), null],
])('makes of %s: fbc', (_what, found, expected) => {
  expect(found).toBe(expected);
});
