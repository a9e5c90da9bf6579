/** What became of an accepted request: https://developers.google.com/data-manager/api/devguides/diagnostics */
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { jsonOf, listOf, objectOf, textOf } from '../answers.ts';
import type { HttpResponse, Poll, Verdict } from '../port.ts';
import { HOST } from './build.ts';
import { errorOf, verdictOfError } from './classify.ts';

const PREFIX = /^PROCESSING_(?:ERROR|WARNING)_REASON_/;
/** Google has it already. */
const KNOWN = /^DUPLICATE_(?:GCLID|TRANSACTION_ID)$/;
const PASSING = /^(?:INTERNAL_ERROR|TRANSIENT|UNAVAILABLE|TIMEOUT)/;

export const poll: Poll = {
  // Google names 30 minutes before the first answer that says something.
  firstAfterMs: 30 * MINUTE_MS,
  everyMs: 30 * MINUTE_MS,
  giveUpAfterMs: DAY_MS,
  build: (ref, _config, { accessToken }) => ({
    method: 'GET',
    url: `https://${HOST}/v1/requestStatus:retrieve?${new URLSearchParams({ requestId: ref })}`,
    headers: { authorization: `Bearer ${accessToken ?? ''}` },
    body: null,
  }),
  classify,
};

/** Google counts what failed by reason and does not say which events: the executor halves. What had succeeded is then a duplicate. */
function classify(response: HttpResponse): Verdict | null {
  const answer = jsonOf(response);
  if (response.status !== 200) return withoutStatus(response);
  const statuses = listOf(answer?.['requestStatusPerDestination']).map((status) => objectOf(status) ?? {});
  const states = statuses.map((status) => textOf(status['requestStatus']) ?? 'PROCESSING');
  if (
    states.length === 0 ||
    states.some((state) => !['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS'].includes(state))
  )
    return null;
  if (states.every((state) => state === 'SUCCESS')) return { kind: 'delivered' };
  const counts = statuses.flatMap((status) => listOf(objectOf(status['errorInfo'])?.['errorCounts']));
  const reasons = counts.map((count) => (textOf(objectOf(count)?.['reason']) ?? '').replace(PREFIX, ''));
  if (reasons.length > 0 && reasons.every((reason) => KNOWN.test(reason)))
    return { kind: 'delivered', message: 'Google had already received it.' };
  const wrong = reasons.filter((reason) => !KNOWN.test(reason));
  const code = (wrong[0] ?? 'FAILED').replace(/\W/g, '_').slice(0, 64);
  const message = `Google rejected it after accepting it: ${wrong.map(inWords).join(', ').slice(0, 200) || 'no reason given'}.`;
  return wrong.length > 0 && wrong.every((reason) => PASSING.test(reason))
    ? { kind: 'retry', code, message }
    : { kind: 'bisect', code, message };
}

/** A status that can't be had says nothing about the events: it is asked for again, unless the access is at fault. */
function withoutStatus(response: HttpResponse): Verdict | null {
  const verdict = verdictOfError(response, errorOf(jsonOf(response)), []);
  return verdict.kind === 'auth' || verdict.kind === 'throttled' ? verdict : null;
}

const inWords = (reason: string): string => reason.toLowerCase().replace(/\W+|_/g, ' ');
