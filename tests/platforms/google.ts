/**
 * Google's Data Manager API with its token endpoint: `POST datamanager.googleapis.com/v1/events:ingest` fails fast and as a whole, what it
 * accepts is evaluated later, and polled by `GET /v1/requestStatus:retrieve`.
 */
import {
  bearer,
  type Call,
  DAY,
  type Fake,
  type FakeOptions,
  isObject,
  type Json,
  Ledger,
  type Reply,
} from './fake.ts';
import { EVENT, INGEST, timestampOf } from './google-form.ts';
import { createTokenEndpoint, type OAuthSecrets } from './oauth.ts';

export const GOOGLE = {
  operatingAccount: '1234567890',
  loginAccount: '9876543210',
  /** Conversion actions of the account. */
  actions: ['456789', '456790', '456791', '456792', '456793'],
};

const SECRETS: OAuthSecrets = {
  client_id: '1089-fake.apps.googleusercontent.com',
  client_secret: 'GOCSPX-fakeGoogleSecret',
  refresh_token: '1//0fakeGoogleRefresh',
  access_token: 'ya29-fakeGoogleAccess.0',
};
/** Of a conversion action; what the account's owner may set. */
const WINDOW = 90 * DAY;
const STATUS_REASON = 'PROCESSING_ERROR_REASON_';

interface Ingested {
  readonly destination: unknown;
  readonly records: number;
  /** Reason → records. */
  readonly errors: Map<string, number>;
  /** How often it is still said to be under way. */
  processing: number;
}

export interface GoogleFake extends Fake {
  /** Keys that are taken, and found to be bad later; with the reason, without its prefix. */
  readonly doomed: Map<string, string>;
  /** Token requests that were answered. */
  issued(): number;
  readonly secrets: OAuthSecrets;
}

/** @param processing how often the status of a request is `PROCESSING` before its outcome */
export function createGoogle({
  now = Date.now,
  processing = 1,
}: FakeOptions & { processing?: number } = {}): GoogleFake {
  const ledger = new Ledger();
  const secrets = { ...SECRETS };
  const tokens = createTokenEndpoint(secrets, ledger, {
    more: { scope: 'https://www.googleapis.com/auth/datamanager' },
  });
  const doomed = new Map<string, string>();
  const requests = new Map<string, Ingested>();
  const values = new Map<string, string>();

  const error = (code: number, message: string, status: string, details: unknown[] = []): Reply => ({
    status: code,
    body: { error: { code, message, status, details } },
  });
  const invalid = (path: string, description: string, reason = 'INVALID_FORMAT'): Reply =>
    error(400, ledger.refuse(`${path}: ${description}`), 'INVALID_ARGUMENT', [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'INVALID_ARGUMENT',
        domain: 'datamanager.googleapis.com',
      },
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: path, description, reason }],
      },
    ]);

  function ingest(call: Call): Reply {
    const [problem] = INGEST(call.json, '');
    if (problem !== undefined) return invalid(problem.split(' ')[0] ?? '', problem);
    const body = call.json as {
      destinations: Json[];
      events: Json[];
      validateOnly?: boolean;
      encoding?: string;
      consent?: Json;
    };
    const [destination] = body.destinations;
    const account = destination?.['operatingAccount'] as Json;
    const action = String(destination?.['productDestinationId']);
    if (account['accountId'] !== GOOGLE.operatingAccount || !GOOGLE.actions.includes(action))
      return error(403, ledger.refuse('The caller does not have permission'), 'PERMISSION_DENIED');
    for (const [index, event] of body.events.entries()) {
      const path = `events[${index}]`;
      const [wrong] = EVENT(event, path);
      if (wrong !== undefined) return invalid(path, wrong);
      if (event['userData'] !== undefined && body.encoding !== 'HEX')
        return invalid('encoding', 'is required with user data in hexadecimal');
      if (timestampOf(event) > now() + 5 * 60_000)
        return invalid(`${path}.eventTimestamp`, 'lies in the future');
      if (ledger.poisoned.has(keyOf(action, event))) return invalid(path, 'is poisoned');
    }
    const requestId = `req-${requests.size + 1}-${action}`;
    const errors = new Map<string, number>();
    for (const event of body.events) {
      const reason = body.validateOnly === true ? null : judge(action, event, body.consent);
      if (body.validateOnly === true) ledger.tests.push({ key: keyOf(action, event), at: now(), event });
      if (reason !== null) errors.set(reason, (errors.get(reason) ?? 0) + 1);
    }
    requests.set(requestId, { destination, records: body.events.length, errors, processing });
    return { status: 200, body: { requestId } };
  }

  /** @returns why it is not taken, as the status will say; null when it is, or restates the value of one that was */
  function judge(action: string, event: Json, common: Json | undefined): string | null {
    const key = keyOf(action, event);
    const doom = doomed.get(key);
    if (doom !== undefined) return doom;
    if (timestampOf(event) < now() - WINDOW) return 'EVENT_TOO_OLD';
    const consent = isObject(event['consent']) ? event['consent'] : common;
    if (consent?.['adUserData'] === 'CONSENT_DENIED') return 'DENIED_CONSENT';
    const value = `${event['conversionValue'] ?? ''} ${event['currency'] ?? ''}`;
    if (ledger.take(key, event, now(), null) === 'absorbed' && values.get(key) !== value) {
      const again = ledger.absorbed.pop();
      if (again !== undefined) ledger.restated.push(again);
    }
    values.set(key, value);
    return null;
  }

  function status(call: Call): Reply {
    const found = requests.get(call.query.get('requestId') ?? '');
    if (found === undefined) return error(404, ledger.refuse('Requested entity was not found.'), 'NOT_FOUND');
    const { destination, records, errors } = found;
    const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
    const judged = failed === 0 ? 'SUCCESS' : failed < records ? 'PARTIAL_SUCCESS' : 'FAILED';
    const state = found.processing > 0 ? 'PROCESSING' : judged;
    found.processing -= 1;
    const errorCounts = [...errors].map(([reason, count]) => ({
      recordCount: String(count),
      reason: STATUS_REASON + reason,
    }));
    const one = {
      destination,
      requestStatus: state,
      ...(state === 'PROCESSING' ? {} : { eventsIngestionStatus: { recordCount: String(records) } }),
      ...(state === 'PROCESSING' || failed === 0 ? {} : { errorInfo: { errorCounts } }),
    };
    return { status: 200, body: { requestStatusPerDestination: [one] } };
  }

  function answer(call: Call): Reply {
    if (call.path === '/token') return tokens.answer(call);
    if (!tokens.accepts(bearer(call)))
      return error(401, ledger.refuse('Request had invalid authentication credentials.'), 'UNAUTHENTICATED');
    if (call.method === 'POST' && call.path === '/v1/events:ingest') return ingest(call);
    if (call.method === 'GET' && call.path === '/v1/requestStatus:retrieve') return status(call);
    return error(404, ledger.refuse(`no such method: ${call.method} ${call.path}`), 'NOT_FOUND');
  }

  return {
    name: 'google_ads',
    hosts: ['datamanager.googleapis.com', 'oauth2.googleapis.com'],
    ledger,
    secrets,
    doomed,
    issued: tokens.issued,
    answer,
    error: (code, message) => error(code, message, STATUS_NAMES[code] ?? 'INTERNAL', quota(code)),
  };
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const quota = (code: number): unknown[] =>
  code === 429
    ? [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'RATE_LIMIT_EXCEEDED',
          domain: 'googleapis.com',
          metadata: { quota_limit: 'IngestEventsRequestsPerMinutePerProject' },
        },
      ]
    : [];

const keyOf = (action: string, event: Json) => `${action}:${event['transactionId']}`;
