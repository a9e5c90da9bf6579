import { Mark, type Words } from '../../../parts/Sign.tsx';

/** @param shop the platform that delivered it; null: it came with a webhook key */
export function StatusMark({ status, shop = null }: { status: string; shop?: string | null }) {
  return <Mark {...statusWords(status, shop)} />;
}

/** Texts for the statuses of a request. */
const STATUSES: Readonly<Record<string, Words>> = {
  success: { tone: 'good', title: 'Received' },
  auth_error: { tone: 'bad', title: 'Key rejected' },
  validation_error: { tone: 'bad', title: 'Body rejected' },
  rate_limited: { tone: 'wait', title: 'Rate limited' },
};

/** Of a shop platform’s delivery: it signs and has no key, and an order may be of no use here. */
const OF_SHOPS: Readonly<Record<string, Words>> = {
  auth_error: { tone: 'bad', title: 'Signature rejected' },
  validation_error: { tone: 'bad', title: 'Order not usable' },
};

/** An unknown value, of a newer service, is shown as received. */
function asItCame(name: string): Words {
  return { tone: 'unknown', title: name.replaceAll('_', ' ') };
}

export function statusWords(status: string, shop: string | null = null): Words {
  return (shop === null ? undefined : OF_SHOPS[status]) ?? STATUSES[status] ?? asItCame(status);
}
