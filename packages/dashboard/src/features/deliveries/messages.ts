/** What states, reasons and verdicts of a delivery mean. */
import type { Words } from '../../parts/Sign.tsx';
import type { StatusFilter } from './api.ts';

const STATUSES: Readonly<Record<StatusFilter, Words>> = {
  waiting: { tone: 'wait', title: 'On the way' },
  pending: { tone: 'wait', title: 'Waiting' },
  sending: { tone: 'wait', title: 'Being sent' },
  retry: { tone: 'wait', title: 'Trying again' },
  accepted_async: { tone: 'wait', title: 'Accepted, being checked' },
  delivered: { tone: 'good', title: 'Delivered' },
  skipped: { tone: 'off', title: 'Skipped' },
  unknown: { tone: 'unknown', title: 'Unknown' },
  dead: { tone: 'bad', title: 'Failed' },
};

/** Why a matched conversion was not sent. */
const SKIPS: Readonly<Record<string, string>> = {
  consent_denied: 'Consent refused',
  too_old: 'Too old',
  no_identifier: 'Nothing to match by',
  unsupported_topic: 'No such event there',
  no_mapping: 'No event chosen',
  turned_off: 'Turned off by the mapping',
  missing_value: 'No value',
  original_not_forwarded: 'Purchase not accepted there',
  data_expired: 'Personal data deleted',
  erased: 'Visitor erased',
  destination_deleted: 'Destination deleted',
};

const VERDICTS: Readonly<Record<string, Words>> = {
  delivered: { tone: 'good', title: 'Taken' },
  accepted: { tone: 'wait', title: 'Taken, not judged yet' },
  retry: { tone: 'wait', title: 'Failed, to be tried again' },
  throttled: { tone: 'wait', title: 'Asked to wait' },
  refused: { tone: 'bad', title: 'Refused' },
  bisect: { tone: 'wait', title: 'The batch was refused, to be halved' },
  auth: { tone: 'bad', title: 'Credentials refused' },
  config: { tone: 'bad', title: 'Settings refused' },
  unknown: { tone: 'unknown', title: 'No answer: it may have arrived' },
  dead: { tone: 'bad', title: 'Given up' },
};

export function statusWords(status: string): Words {
  return STATUSES[status as StatusFilter] ?? asItCame(status);
}

export function verdictWords(verdict: string): Words {
  return VERDICTS[verdict] ?? asItCame(verdict);
}

export function skipName(reason: string): string {
  return SKIPS[reason] ?? asItCame(reason).title;
}

/** What a newer service may know and this page doesn't is shown as it came. */
function asItCame(name: string): Words {
  const words = name.replaceAll('_', ' ');
  return { tone: 'unknown', title: words.charAt(0).toUpperCase() + words.slice(1) };
}
