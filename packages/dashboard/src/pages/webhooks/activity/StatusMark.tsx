import { Mark, type Words } from '../../../parts/Sign.tsx';

export function StatusMark({ status }: { status: string }) {
  return <Mark {...statusWords(status)} />;
}

/** Texts for the statuses of a request. */
const STATUSES: Readonly<Record<string, Words>> = {
  success: { tone: 'good', title: 'Received' },
  auth_error: { tone: 'bad', title: 'Key rejected' },
  validation_error: { tone: 'bad', title: 'Body rejected' },
  rate_limited: { tone: 'wait', title: 'Rate limited' },
};

/** An unknown value, of a newer service, is shown as received. */
function asItCame(name: string): Words {
  return { tone: 'unknown', title: name.replaceAll('_', ' ') };
}

export function statusWords(status: string): Words {
  return STATUSES[status] ?? asItCame(status);
}
