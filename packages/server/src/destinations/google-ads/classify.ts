import type { JsonObject } from '@ghostlight/core';
import {
  badEvent,
  batchRefused,
  codeOf,
  forAll,
  type JsonAnswer,
  jsonOf,
  listOf,
  noVerdict,
  objectOf,
  presentable,
  textOf,
  verdictOfStatus,
} from '../answers.ts';
import type { HttpResponse, Verdict } from '../port.ts';

/** Accepted as a whole, and evaluated later; or refused as a whole for its first bad event: https://google.aip.dev/193 says in which form. */
export function classify(response: HttpResponse, events: readonly JsonObject[]): readonly Verdict[] {
  const answer = jsonOf(response);
  if (response.status >= 200 && response.status < 300) return forAll(events, accepted(answer));
  const error = errorOf(answer);
  const named = response.status === 400 ? eventsNamed(error.violations) : new Map<number, string>();
  if ([...named.keys()].some((index) => index < events.length))
    return events.map((_event, index) => {
      const words = named.get(index);
      if (words === undefined) return batchRefused('Google');
      return { kind: 'refused', code: error.code, message: presentable(words, error.message) };
    });
  return forAll(events, verdictOfError(response, error, events));
}

function accepted(answer: JsonAnswer | null): Verdict {
  if (answer === null) return noVerdict('Google');
  const ref = textOf(answer['requestId']);
  // A request that is only validated may have none.
  return ref === null ? { kind: 'delivered' } : { kind: 'accepted', ref };
}

export interface GoogleError {
  readonly code: string;
  readonly message: string;
  /** Of the whole project: `…PerMinute…`, `…PerDay…`. */
  readonly quota: string;
  readonly violations: readonly JsonAnswer[];
}

/** `{error: {status, message, details: [ErrorInfo {reason, metadata}, BadRequest {fieldViolations}]}}` */
export function errorOf(answer: JsonAnswer | null): GoogleError {
  const error = objectOf(answer?.['error']);
  const details = listOf(error?.['details']).map((detail) => objectOf(detail) ?? {});
  const info = details.find((detail) => textOf(detail['reason']) !== null);
  const violations = details.flatMap((detail) => listOf(detail['fieldViolations']));
  return {
    code: codeOf(info?.['reason'] ?? error?.['status'], 'unknown'),
    message: presentable(error?.['message'], 'Google gave an error without a message.'),
    quota: String(objectOf(info?.['metadata'])?.['quota_limit'] ?? ''),
    violations: violations.map((violation) => objectOf(violation) ?? {}),
  };
}

/** `events.events[3].user_data…` or `events[3]…` → what is wrong with which. */
function eventsNamed(violations: readonly JsonAnswer[]): Map<number, string> {
  const named = new Map<number, string>();
  for (const violation of violations) {
    const index = /^events(?:\.events)?\[(\d{1,5})\]/.exec(textOf(violation['field']) ?? '')?.[1];
    if (index !== undefined)
      named.set(Number(index), `${violation['field']}: ${violation['description'] ?? 'invalid'}`);
  }
  return named;
}

/** What says the account, the action or the project is not ready for this. */
const CONFIG_REASONS =
  /^(?:SERVICE_DISABLED|API_KEY_|CONSUMER_|BILLING_|.*(?:DESTINATION|ACCOUNT|CUSTOMER|CONVERSION_ACTION|NOT_ALLOWLISTED))/;
const AUTH_REASONS = /ACCESS_TOKEN|TWO_STEP|OAUTH|CREDENTIAL|USER_PERMISSION/;

export function verdictOfError(
  response: HttpResponse,
  { code, message, quota, violations }: GoogleError,
  events: readonly unknown[],
): Verdict {
  const { status } = response;
  if (status === 429)
    return { kind: 'throttled', code, message, scope: /PerDay/i.test(quota) ? 'day' : 'minute' };
  if (AUTH_REASONS.test(code)) return { kind: 'auth', code, message };
  if (status === 403 && CONFIG_REASONS.test(code)) return { kind: 'config', code, message };
  const ofDestination = violations.some(
    ({ field, reason }) =>
      /^destinations\b/.test(textOf(field) ?? '') || CONFIG_REASONS.test(textOf(reason) ?? ''),
  );
  if (status === 400 && (ofDestination || code === 'FAILED_PRECONDITION' || CONFIG_REASONS.test(code)))
    return { kind: 'config', code, message };
  if (status === 400) return badEvent(events, code, message);
  // 409 is ABORTED here: another change came in between.
  if (status === 409) return { kind: 'retry', code, message };
  return verdictOfStatus(response, events, { code, message });
}
