/** Microsoft's UET Conversions API: `POST capi.uet.microsoft.com/v1/{tag}/events`. What is wrong is said for each event by its index. */
import {
  bearer,
  type Call,
  DAY,
  type Fake,
  type FakeOptions,
  isObject,
  type Json,
  Ledger,
  MINUTE,
  type Reply,
} from './fake.ts';
import {
  address,
  clickId,
  currency,
  flag,
  hash,
  instant,
  list,
  number,
  object,
  oneOf,
  text,
  url,
  userAgent,
  whole,
} from './shape.ts';

export const MICROSOFT = { tag: '97012345', token: 'fakeMicrosoftToken0123456789' };

const OLDEST = 7 * DAY;
const ITEM = object({}, { id: text(), name: text(), price: number(), quantity: whole(0) });
const form = (now: number) =>
  object(
    {
      eventType: oneOf('pageLoad', 'custom'),
      eventTime: instant(1_000, now, OLDEST, MINUTE),
      userData: object(
        {},
        {
          clientUserAgent: userAgent,
          clientIpAddress: address,
          anonymousId: text(),
          externalId: text(),
          em: hash,
          ph: hash,
          msclkid: clickId,
        },
      ),
    },
    {
      eventName: text(),
      eventId: text(),
      eventSourceUrl: url,
      referrerUrl: url,
      pageTitle: text(),
      pageLoadId: text(),
      keywords: text(),
      adStorageConsent: oneOf('G', 'D'),
      customData: object(
        {},
        {
          transactionId: text(),
          value: number(),
          currency,
          items: list(ITEM, 1),
          eventCategory: text(),
          eventLabel: text(),
          itemIds: list(text(), 1),
          pageType: text(),
        },
      ),
    },
  );

export function createMicrosoft({ now = Date.now }: FakeOptions = {}): Fake {
  const ledger = new Ledger();
  const secrets = { ...MICROSOFT };
  const reply = (
    status: number,
    eventsReceived: number,
    error?: { code: string; message: string; details?: unknown[] },
  ): Reply => ({
    status,
    body: { eventsReceived, ...(error === undefined ? {} : { error }), traceId: 'fake-trace' },
  });

  function answer(call: Call): Reply {
    if (bearer(call) !== secrets.token)
      return reply(401, 0, { code: 'Unauthorized', message: ledger.refuse('The token is not valid.') });
    if (call.method !== 'POST' || call.path !== `/v1/${secrets.tag}/events`)
      return reply(404, 0, { code: 'NotFound', message: ledger.refuse(`no such tag: ${call.path}`) });
    const [problem] = object(
      { data: list((value, path) => (isObject(value) ? [] : [path]), 1, 1_000) },
      { dataProvider: text(), continueOnValidationError: flag },
    )(call.json, '');
    if (problem !== undefined)
      return reply(400, 0, { code: 'InvalidRequest', message: ledger.refuse(problem) });
    const body = call.json as { data: Json[]; continueOnValidationError?: boolean };
    const details = body.data.flatMap((event, index) => {
      const [wrong] = problemsOf(event, `data[${index}]`);
      if (wrong === undefined) return [];
      return [
        {
          index,
          propertyName: wrong.split(' ')[0],
          attemptedValue: null,
          errorMessage: ledger.refuse(wrong),
        },
      ];
    });
    const error = { code: 'ValidationError', message: 'Some events are not valid.', details };
    const taken = body.data.filter((_, index) => !details.some((one) => one.index === index));
    if (details.length > 0 && (body.continueOnValidationError !== true || taken.length === 0))
      return reply(400, 0, error);
    for (const event of taken) ledger.take(keyOf(event), event, now(), null);
    return reply(200, taken.length, details.length === 0 ? undefined : error);
  }

  function problemsOf(event: Json, path: string): string[] {
    const problems = form(now())(event, path);
    const user = isObject(event['userData']) ? event['userData'] : {};
    if (Object.keys(user).length === 0) problems.push(`${path}.userData is empty`);
    if (event['eventType'] === 'custom' && event['eventName'] === undefined)
      problems.push(`${path}.eventName is missing`);
    if (ledger.poisoned.has(keyOf(event))) problems.push(`${path} is poisoned`);
    return problems;
  }

  return {
    name: 'microsoft',
    hosts: ['capi.uet.microsoft.com'],
    ledger,
    secrets,
    answer,
    error: (status, message) =>
      reply(status, 0, { code: status === 429 ? 'TooManyRequests' : 'ServerError', message }),
  };
}

const keyOf = (event: Json) => `${event['eventId'] ?? Math.random()}`;
