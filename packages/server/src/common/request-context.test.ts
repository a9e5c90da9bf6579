import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  currentRequest,
  forThisRequest,
  inRequest,
  outsideRequests,
  requestIdFrom,
} from './request-context.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('a request id', () => {
  it.each([
    ['a UUID', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'],
    ['32 hex digits, as nginx makes them', '6f9619ff8b864d01b42d00cf4fc964ff'],
    ['a W3C trace id with its span', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ['base64', 'kq1V9Jp0/3mT+Zl2Qw=='],
    ['what HAProxy makes', '7F000001:8296_7F00001E:1F90_4F7B0A69_0003:0D90'],
    ['a host and a number', 'web-1.shop/ab12CD-000042'],
    ['one character', 'a'],
    ['128 characters', 'x'.repeat(128)],
  ])('is taken where it is well-formed: %s', (_, given) => {
    expect(requestIdFrom(given)).toBe(given);
  });

  it.each([
    ['nothing', undefined],
    ['an empty one', ''],
    ['129 characters', 'x'.repeat(129)],
    ['two headers, as Node joins them', 'one, two'],
    ['a line break', 'one\ntwo'],
    ['a quote', 'one"two'],
    ['the beginning of a formula', '=1+1'],
    ['letters beyond ASCII', 'anfrage-ü'],
    ['an email address', 'jane@mail.example'],
    ['a key of ours', 'svc_cf_0123456789abcdefghijABCDEFGHIJ'],
    ['a token', 'token=abcdefgh'],
    ['a network address', '203.0.113.7'],
  ])('is generated for %s', (_, given) => {
    expect(requestIdFrom(given)).toMatch(UUID);
    expect(requestIdFrom(given)).not.toBe(requestIdFrom(given));
  });

  it('is short and without control characters, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 150 }), (given) => {
        expect(requestIdFrom(given)).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/);
      }),
    );
  });
});

describe('the request of the moment', () => {
  it('is the one whose work runs, however much runs at once', async () => {
    const seen = await Promise.all(
      ['a', 'b', 'c'].map((requestId, place) =>
        inRequest({ requestId }, async () => {
          await sleep(3 - place);
          return currentRequest()?.requestId;
        }),
      ),
    );
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(currentRequest()).toBeUndefined();
  });

  it('stays with work that others run, and leaves what outlives it', () => {
    const works = ['a', 'b'].map((requestId) =>
      inRequest({ requestId }, () => forThisRequest(() => currentRequest()?.requestId)),
    );
    expect(inRequest({ requestId: 'c' }, () => works.map((work) => work()))).toEqual(['a', 'b']);
    expect(inRequest({ requestId: 'a' }, () => outsideRequests(currentRequest))).toBeUndefined();
  });
});
