/** Texts for the states, reasons and verdicts of a delivery. */
import type { Words } from '../../parts/Sign.tsx';
import type { StatusFilter } from './api.ts';

/** One scale of colours: green arrived, red was given up, amber is to be watched; what only takes its time is grey. */
const STATUSES: Readonly<Record<StatusFilter, Words>> = {
  waiting: { tone: 'off', title: 'Waiting', sign: 'clock' },
  pending: { tone: 'off', title: 'Queued', sign: 'clock' },
  sending: { tone: 'off', title: 'Sending', sign: 'arrow' },
  retry: { tone: 'wait', title: 'Retrying', sign: 'again' },
  accepted_async: { tone: 'off', title: 'Processing', sign: 'half' },
  delivered: { tone: 'good', title: 'Delivered' },
  skipped: { tone: 'off', title: 'Skipped' },
  unknown: { tone: 'wait', title: 'Unknown', sign: 'question' },
  dead: { tone: 'bad', title: 'Failed' },
};

/** What each state means, on hover. */
const HINTS: Readonly<Record<StatusFilter, string>> = {
  waiting: 'Not sent yet: in the queue, or to be sent again after a temporary failure',
  pending: 'Not sent yet: it waits for its turn, or for its destination',
  sending: 'Being sent right now',
  retry: 'An attempt failed temporarily; the next one is automatic',
  accepted_async: 'The platform has it, and says later whether it counts',
  delivered: 'Accepted by the platform',
  skipped: 'Not sent, by a rule: its reason is in the details',
  unknown: 'Sent, but no clear answer came: it may have arrived',
  dead: 'Refused by the platform, or retried for a day without success',
};

/** Why a matched conversion was not sent. */
const SKIPS: Readonly<Record<string, string>> = {
  consent_denied: 'Consent refused',
  too_old: 'Too old',
  no_identifier: 'No identifier',
  unsupported_topic: 'Not supported',
  no_mapping: 'No event mapped',
  turned_off: 'Turned off in the mapping',
  missing_value: 'No value',
  original_not_forwarded: 'Purchase was not accepted',
  data_expired: 'Personal data deleted',
  erased: 'Visitor erased',
  destination_deleted: 'Destination deleted',
};

const VERDICTS: Readonly<Record<string, Words>> = {
  delivered: { tone: 'good', title: 'Accepted' },
  accepted: { tone: 'wait', title: 'Accepted, not evaluated yet' },
  retry: { tone: 'bad', title: 'Failed, will retry' },
  throttled: { tone: 'wait', title: 'Rate limited' },
  refused: { tone: 'bad', title: 'Refused' },
  bisect: { tone: 'wait', title: 'Batch refused, will be split' },
  auth: { tone: 'bad', title: 'Credentials refused' },
  config: { tone: 'bad', title: 'Settings refused' },
  unknown: { tone: 'unknown', title: 'No answer, may have arrived' },
  dead: { tone: 'bad', title: 'Given up' },
};

const FINAL: ReadonlySet<string> = new Set(['refused', 'auth', 'config', 'dead']);

export function statusWords(status: string): Words {
  return STATUSES[status as StatusFilter] ?? asItCame(status);
}

/** Empty for a state of a newer service. */
export function statusHint(status: string): string {
  return HINTS[status as StatusFilter] ?? '';
}

export function verdictWords(verdict: string): Words {
  return VERDICTS[verdict] ?? asItCame(verdict);
}

/** Whether an attempt ended the delivery: none follows it. */
export function isFinal(verdict: string): boolean {
  return FINAL.has(verdict);
}

export function skipName(reason: string): string {
  return SKIPS[reason] ?? asItCame(reason).title;
}

/** An unknown value, of a newer service, is shown as received. */
function asItCame(name: string): Words {
  const words = name.replaceAll('_', ' ');
  return { tone: 'unknown', title: words.charAt(0).toUpperCase() + words.slice(1) };
}
