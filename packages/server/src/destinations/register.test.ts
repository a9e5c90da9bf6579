/** What every platform of the register promises. A new one is tested for all of this without a line here. */
import { TOPICS } from '@ghostlight/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { AS_PURCHASE, notBefore, OWN_NAME } from './gates.ts';
import { PLATFORMS } from './port.ts';
import { DESTINATIONS } from './register.ts';
import { badlyClassified, conversionOf, OCCURRED } from './testing.ts';
import {
  anyConversion,
  bodyOf,
  distinctPerson,
  everythingIn,
  exampleOf,
  FULL_CONTEXT,
  fieldsOf,
  sampleOf,
} from './testing-samples.ts';

/** These answer 2xx with nothing, or with anything. */
const BY_STATUS_ALONE: readonly string[] = ['ga4', 'webhook'];
const PRINTABLE = /^[\t\x20-\x7e]*$/;

it('has every platform once, under its name', () => {
  expect(DESTINATIONS.map(({ platform }) => platform).toSorted()).toEqual([...PLATFORMS].toSorted());
});

describe.each(DESTINATIONS.map((destination) => [destination.platform, destination] as const))(
  '%s',
  (_name, it_) => {
    const destination = it_;
    const { config, auth, events } = sampleOf(destination);
    const outcomeOf = (conversion: ReturnType<typeof conversionOf>, context = FULL_CONTEXT, now = OCCURRED) =>
      decide(destination, { config, events }, conversion, context, now);
    const requestOf = (conversion: ReturnType<typeof conversionOf>, context = FULL_CONTEXT) => {
      const outcome = outcomeOf(conversion, context);
      return 'skip' in outcome ? null : destination.build([outcome.event], config, auth);
    };

    it('has a form that says what to enter, and takes its own examples', () => {
      for (const schema of [destination.config, destination.credentials])
        for (const [member, { title = '', description = '', examples = [] }] of Object.entries(
          fieldsOf(schema),
        )) {
          expect([member, title]).toEqual([member, expect.stringMatching(/^[A-Z].{2,60}$/)]);
          expect([member, description]).toEqual([member, expect.stringMatching(/^.{20,400}$/s)]);
          for (const example of examples)
            expect(schema.shape[member]?.safeParse(example)).toMatchObject({ success: true });
        }
    });

    it('holds every id that is entered to a pattern from end to end', () => {
      for (const [member, field] of Object.entries(fieldsOf(destination.config))) {
        if (field.type !== 'string' || field.enum !== undefined) continue;
        // A webhook's address is validated after parsing.
        if (destination.hosts.length > 0)
          expect([member, field.pattern]).toEqual([member, expect.stringMatching(/^\^.*\$$/)]);
      }
    });

    it('keeps what it parsed when that is parsed again, as it is stored', () => {
      const once = destination.config.parse(exampleOf(destination.config));
      expect(destination.config.parse(JSON.parse(JSON.stringify(once)))).toEqual(once);
    });

    it('has no secret in its config', () => {
      const names = Object.keys(destination.config.shape);
      expect(names.filter((name) => /secret|token|password|key/.test(name))).toEqual([]);
    });

    it('offers only names that its mapping takes', () => {
      const { pattern, defaults, choices, example } = destination.events;
      expect(pattern.source).toMatch(/^\^.*\$$/);
      for (const name of [...choices, example]) expect(name).toMatch(pattern);
      for (const topic of TOPICS) {
        const standard = defaults[topic];
        if (standard === null || standard === 'needs_mapping') continue;
        if (![OWN_NAME, AS_PURCHASE].includes(standard.name)) expect(standard.name).toMatch(pattern);
      }
    });

    it('has bounds for everything that a request can be too much of', () => {
      const limits = destination.limits(config);
      for (const { maxBatch, maxBytes, timeoutMs, maxFutureMs } of [limits, destination.usualLimits()]) {
        expect(maxBatch).toBeGreaterThanOrEqual(1);
        expect(maxBytes).toBeLessThanOrEqual(16_000_000);
        expect(timeoutMs).toBeLessThanOrEqual(60_000);
        expect(maxFutureMs).toBeGreaterThanOrEqual(0);
      }
    });

    it('takes a conversion of exactly the age that it names, and none that is a millisecond older', () => {
      const { maxAgeMs } = destination.limits(config);
      const at = (age: number) => outcomeOf(conversionOf(), FULL_CONTEXT, OCCURRED + age);
      expect(at(maxAgeMs ?? 0)).toHaveProperty('event');
      if (maxAgeMs === null) expect(at(10 * 365 * 24 * 60 * 60 * 1000)).toHaveProperty('event');
      else expect(at(maxAgeMs + 1)).toEqual({ skip: 'too_old' });
      expect(notBefore(destination.limits(config), OCCURRED)).toBeLessThanOrEqual(OCCURRED);
    });

    it('gets nothing without the consent that it needs', () => {
      const denied = { advertising: 'denied', analytics: 'denied', saleOfData: null } as const;
      const outcome = outcomeOf(conversionOf(), { ...FULL_CONTEXT, consent: denied });
      expect(outcome).toEqual({ skip: 'consent_denied' });
    });

    it('names the conversion as the sender does, so that the browser’s copy is the same event', () => {
      const request = requestOf(conversionOf({ conversionId: 'ord_7f3a-unique' }));
      expect(request?.body).toContain('"ord_7f3a-unique"');
    });

    it('sends to its own hosts alone, whatever a user enters', () => {
      const usual = new URL(requestOf(conversionOf())?.url ?? '');
      const entries = Object.entries(exampleOf(destination.config));
      const texts = entries.filter(([, example]) => typeof example === 'string').map(([name]) => name);
      const hostile = fc.oneof(
        fc.string({
          unit: fc.constantFrom('/', '?', '#', '@', ':', '.', '%', '\\', ' ', '\n', 'a', '1', '&', '='),
        }),
        fc.constantFrom('../../x', '1234567890@evil.example', '123\n', '%2e%2e%2f', '12345?x=1', '12345#'),
      );
      fc.assert(
        fc.property(fc.constantFrom(...texts), hostile, (name, entered) => {
          const changed = destination.config.safeParse({ ...exampleOf(destination.config), [name]: entered });
          const outcome = outcomeOf(conversionOf());
          if (!changed.success || 'skip' in outcome) return;
          const url = new URL(destination.build([outcome.event], changed.data, auth).url);
          expect([url.protocol, url.username, url.hash]).toEqual(['https:', '', '']);
          // Of a webhook the user names host and path.
          if (destination.hosts.length === 0) return;
          expect(destination.hosts).toContain(url.host);
          expect(url.pathname.split('/').length).toBe(usual.pathname.split('/').length);
        }),
      );
      if (destination.hosts.length > 0) expect(destination.hosts).toContain(usual.host);
      for (const host of destination.hosts) expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
    });

    it('puts credentials and codes where they stay what they are', () => {
      const names = Object.keys(auth.credentials);
      fc.assert(
        fc.property(
          fc.constantFrom(...names),
          fc.string({ maxLength: 80 }),
          fc.string({ maxLength: 80 }),
          (name, secret, code) => {
            const outcome = outcomeOf(conversionOf());
            const changed = destination.credentials.safeParse({ ...auth.credentials, [name]: secret });
            if ('skip' in outcome) return;
            const given = changed.success ? (changed.data as typeof auth.credentials) : auth.credentials;
            const usual = new URL(destination.buildTest(outcome.event, config, auth, null).url);
            const request = destination.buildTest(
              outcome.event,
              config,
              { ...auth, credentials: given },
              code,
            );
            const url = new URL(request.url);
            expect([url.origin, url.pathname, url.hash]).toEqual([usual.origin, usual.pathname, '']);
            expect([...url.searchParams.keys()]).toEqual([...usual.searchParams.keys()]);
            for (const [header, value] of Object.entries(request.headers)) {
              expect(header).toMatch(/^[a-z0-9_-]+$/);
              expect(value).toMatch(PRINTABLE);
            }
            if (destination.poll === undefined) return;
            const poll = new URL(destination.poll.build(code, config, auth).url);
            expect([poll.searchParams.size, poll.hash, destination.hosts.includes(poll.host)]).toEqual([
              1,
              '',
              true,
            ]);
          },
        ),
      );
    });

    it('lets no email address, number, name or street out but where it says so', () => {
      fc.assert(
        fc.property(distinctPerson, fc.constantFrom(...TOPICS), ({ user, traces }, topic) => {
          const conversion = conversionOf({ topic, user, eventName: topic === 'custom' ? 'Trial' : null });
          const outcome = outcomeOf(conversion);
          if ('skip' in outcome) return;
          const requests = [
            destination.build([outcome.event], config, auth),
            destination.buildTest(outcome.event, config, auth, 'TEST123'),
          ];
          for (const request of requests) {
            const text = everythingIn(request, destination.plainFields).replace(/[0-9a-f]{64}/g, '');
            expect(traces.filter((trace) => text.includes(trace))).toEqual([]);
          }
        }),
      );
    });

    it('makes an event of whatever a sender may say, within its own bounds, and changes nothing of it', () => {
      const { maxBytes } = destination.limits(config);
      fc.assert(
        fc.property(anyConversion, (conversion) => {
          const before = JSON.stringify(conversion);
          const request = requestOf(conversion);
          expect(JSON.stringify(conversion)).toBe(before);
          expect(requestOf(conversion)).toEqual(request);
          if (request === null) return;
          expect(bodyOf(request)).toBeTypeOf('object');
          expect(Buffer.byteLength(request.body ?? '')).toBeLessThanOrEqual(maxBytes);
        }),
        { numRuns: 200 },
      );
    });

    it('has room for the largest order that there can be', () => {
      const [one] = conversionOf().products;
      if (one === undefined) throw new Error('the sample has no product');
      const products = Array.from({ length: 200 }, () => ({
        ...one,
        id: '€'.repeat(255),
        name: '€'.repeat(500),
      }));
      const request = requestOf(conversionOf({ products }));
      expect(Buffer.byteLength(request?.body ?? '')).toBeLessThanOrEqual(destination.limits(config).maxBytes);
    });

    it('gives every event one verdict, whatever the answer is', () => {
      const bad = badlyClassified(destination, config);
      const isTakenByStatus = BY_STATUS_ALONE.includes(destination.platform);
      expect(isTakenByStatus ? bad.filter((line) => !/^20\d </.test(line)) : bad).toEqual([]);
    });

    it('says nothing of a person in its verdicts', () => {
      const secret =
        'jane.doe@mail.example +4930901820 203.0.113.7 62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f';
      const bodies = [
        { error: { message: secret, code: 100, status: secret, error_user_msg: secret } },
        { message: secret, code: 40002, reason: secret, error_message: secret, detail: secret },
        { error: { message: secret, details: [{ index: 0, errorMessage: secret, attemptedValue: secret }] } },
        {
          events: [{ status: 'failed', error_message: secret }],
          validationMessages: [{ description: secret }],
        },
        { errors: [{ message: secret, detail: secret }], error: secret, status: 'INVALID' },
      ];
      for (const status of [200, 400, 401, 403, 422, 429, 500])
        for (const body of bodies) {
          const answer = { status, headers: {}, body: JSON.stringify(body) };
          const said = JSON.stringify(destination.classify(answer, [{ a: 1 }], config));
          for (const part of ['jane.doe', '4930901820', '203.0.113.7', '62a14e44f765'])
            expect(said).not.toContain(part);
        }
    });
  },
);
