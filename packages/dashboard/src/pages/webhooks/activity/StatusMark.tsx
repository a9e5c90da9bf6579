import { Mark, type Words } from '../../../parts/Sign.tsx';

export function StatusMark({ status }: { status: string }) {
  return <Mark {...statusWords(status)} />;
}

/** What the statuses of a request mean. */
const STATUSES: Readonly<Record<string, Words>> = {
  success: { tone: 'good', title: 'Received' },
  auth_error: { tone: 'bad', title: 'Key refused' },
  validation_error: { tone: 'bad', title: 'Body refused' },
  rate_limited: { tone: 'wait', title: 'Rate limited' },
};

/** What a newer service may know and this page doesn't is shown as it came. */
function asItCame(name: string): Words {
  return { tone: 'unknown', title: name.replaceAll('_', ' ') };
}

export function statusWords(status: string): Words {
  return STATUSES[status] ?? asItCame(status);
}
