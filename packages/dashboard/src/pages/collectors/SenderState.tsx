import { Mark } from '../../parts/Sign.tsx';
import type { CollectorVersion } from './senders.ts';

/** Whether a sender sends, and with the latest version. */
export function SenderState({ of: { stale, quiet } }: { of: Pick<CollectorVersion, 'stale' | 'quiet'> }) {
  if (quiet) return <Mark tone="bad" title="No hits for a day" />;
  return stale ? <Mark tone="wait" title="Out of date" /> : <Mark tone="good" title="Sending" />;
}
