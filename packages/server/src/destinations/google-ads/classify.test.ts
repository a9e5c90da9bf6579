import { describe, expect, it } from 'vitest';
import type { Verdict } from '../port.ts';
import { answerOf } from '../testing.ts';
import { classify } from './classify.ts';
import { poll } from './poll.ts';

const error = (code: number, status: string, details: readonly unknown[] = []) => ({
  error: { code, message: 'Words', status, details },
});
const info = (reason: string, metadata = {}) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'datamanager.googleapis.com',
  metadata,
});
const violations = (...fields: readonly (readonly [field: string, reason?: string])[]) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: fields.map(([field, reason]) => ({ field, description: 'is bad', reason })),
});

describe('an answer', () => {
  it.each<[string, number, unknown, readonly Verdict['kind'][]]>([
    ['taken', 200, { requestId: 'req-1' }, ['accepted', 'accepted']],
    ['validated', 200, {}, ['delivered', 'delivered']],
    ['no JSON', 200, '<html>', ['retry', 'retry']],
    [
      'one event named',
      400,
      error(400, 'INVALID_ARGUMENT', [info('INVALID_ARGUMENT'), violations(['events[1].event_timestamp'])]),
      ['retry', 'refused'],
    ],
    [
      'one event named the longer way',
      400,
      error(400, 'INVALID_ARGUMENT', [violations(['events.events[0].user_data'])]),
      ['refused', 'retry'],
    ],
    [
      'both named',
      400,
      error(400, 'INVALID_ARGUMENT', [violations(['events[0].x'], ['events[1].y'])]),
      ['refused', 'refused'],
    ],
    [
      'an event named that was not sent',
      400,
      error(400, 'INVALID_ARGUMENT', [violations(['events[7]'])]),
      ['bisect', 'bisect'],
    ],
    ['no event named', 400, error(400, 'INVALID_ARGUMENT'), ['bisect', 'bisect']],
    [
      'the destination named',
      400,
      error(400, 'INVALID_ARGUMENT', [violations(['destinations[0].product_destination_id'])]),
      ['config', 'config'],
    ],
    [
      'terms not signed',
      400,
      error(400, 'INVALID_ARGUMENT', [info('DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED')]),
      ['config', 'config'],
    ],
    [
      'the reason in the violation',
      400,
      error(400, 'INVALID_ARGUMENT', [
        info('INVALID_ARGUMENT'),
        violations(['field', 'INVALID_DESTINATION']),
      ]),
      ['config', 'config'],
    ],
    ['not ready', 400, error(400, 'FAILED_PRECONDITION'), ['config', 'config']],
    ['token expired', 401, error(401, 'UNAUTHENTICATED'), ['auth', 'auth']],
    ['no access to the account', 403, error(403, 'PERMISSION_DENIED'), ['auth', 'auth']],
    [
      'scope missing',
      403,
      error(403, 'PERMISSION_DENIED', [info('ACCESS_TOKEN_SCOPE_INSUFFICIENT')]),
      ['auth', 'auth'],
    ],
    [
      'second factor missing',
      403,
      error(403, 'PERMISSION_DENIED', [info('TWO_STEP_VERIFICATION_NOT_ENROLLED')]),
      ['auth', 'auth'],
    ],
    [
      'API not enabled',
      403,
      error(403, 'PERMISSION_DENIED', [info('SERVICE_DISABLED')]),
      ['config', 'config'],
    ],
    ['no such method', 404, error(404, 'NOT_FOUND'), ['config', 'config']],
    ['aborted', 409, error(409, 'ABORTED'), ['retry', 'retry']],
    ['internal', 500, error(500, 'INTERNAL'), ['retry', 'retry']],
    ['away', 503, error(503, 'UNAVAILABLE'), ['retry', 'retry']],
    ['too slow', 504, error(504, 'DEADLINE_EXCEEDED'), ['retry', 'retry']],
  ])('%s (%s)', (_what, status, body, kinds) => {
    expect(classify(answerOf(status, body), [{}, {}]).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('refuses a single event that is not named', () => {
    expect(classify(answerOf(400, error(400, 'INVALID_ARGUMENT')), [{}])).toMatchObject([
      { kind: 'refused' },
    ]);
  });

  it.each([
    ['IngestEventsRequestsPerMinutePerProject', 'minute'],
    ['IngestEventsRequestsPerDayPerProject', 'day'],
    ['', 'minute'],
  ])('waits for the quota %s: %s', (quota_limit, scope) => {
    const body = error(429, 'RESOURCE_EXHAUSTED', [info('RATE_LIMIT_EXCEEDED', { quota_limit })]);
    expect(classify(answerOf(429, body), [{}])).toMatchObject([{ kind: 'throttled', scope }]);
  });
});

const status = (requestStatus: string, ...reasons: readonly string[]) => ({
  requestStatusPerDestination: [
    {
      requestStatus,
      ...(reasons.length === 0
        ? {}
        : {
            errorInfo: {
              errorCounts: reasons.map((reason) => ({
                recordCount: '1',
                reason: `PROCESSING_ERROR_REASON_${reason}`,
              })),
            },
          }),
    },
  ],
});

describe('a status', () => {
  it.each<[string, number, unknown, Verdict['kind'] | null]>([
    ['succeeded', 200, status('SUCCESS'), 'delivered'],
    ['under way', 200, status('PROCESSING'), null],
    ['unknown', 200, status('REQUEST_STATUS_UNKNOWN'), null],
    ['of no destination', 200, { requestStatusPerDestination: [] }, null],
    ['no JSON', 200, '<html>', null],
    ['failed in part', 200, status('PARTIAL_SUCCESS', 'INVALID_GCLID'), 'bisect'],
    ['failed', 200, status('FAILED', 'EVENT_TOO_OLD'), 'bisect'],
    ['failed without a reason', 200, status('FAILED'), 'bisect'],
    ['consent denied', 200, status('FAILED', 'DENIED_CONSENT'), 'bisect'],
    ['known already by click', 200, status('FAILED', 'DUPLICATE_GCLID'), 'delivered'],
    [
      'known already by transaction',
      200,
      status('PARTIAL_SUCCESS', 'DUPLICATE_TRANSACTION_ID', 'DUPLICATE_GCLID'),
      'delivered',
    ],
    [
      'known, and one that is bad',
      200,
      status('PARTIAL_SUCCESS', 'DUPLICATE_GCLID', 'INVALID_GCLID'),
      'bisect',
    ],
    [
      'one click, one conversion',
      200,
      status('FAILED', 'ONE_PER_CLICK_CONVERSION_ACTION_NOT_PERMITTED_WITH_BRAID'),
      'bisect',
    ],
    ['failed on Google’s side', 200, status('FAILED', 'INTERNAL_ERROR'), 'retry'],
    ['not there yet', 404, error(404, 'NOT_FOUND'), null],
    ['not to be had now', 503, error(503, 'UNAVAILABLE'), null],
    ['not for this token', 401, error(401, 'UNAUTHENTICATED'), 'auth'],
    ['asked too often', 429, error(429, 'RESOURCE_EXHAUSTED'), 'throttled'],
  ])('%s', (_what, code, body, kind) => {
    expect(poll.classify(answerOf(code, body))?.kind ?? null).toBe(kind);
  });

  it('says why in words', () => {
    expect(poll.classify(answerOf(200, status('FAILED', 'EVENT_TOO_OLD')))).toEqual({
      kind: 'bisect',
      code: 'EVENT_TOO_OLD',
      message: 'Google rejected it after accepting it: event too old.',
    });
  });
});
