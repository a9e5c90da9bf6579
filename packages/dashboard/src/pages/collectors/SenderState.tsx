import { Mark } from '../../parts/Sign.tsx';
import type { CollectorVersion } from './senders.ts';

/** Whether a host's sender sends. An old version is said beside its number. */
export function HostState({ of: { quiet } }: { of: Pick<CollectorVersion, 'quiet'> }) {
  return quiet ? <Mark tone="bad" title="Nothing for a day" /> : <Mark tone="good" title="Sending" />;
}

/** Whether a version is sent, and is the latest. */
export function VersionState({ of }: { of: Pick<CollectorVersion, 'stale' | 'quiet'> }) {
  return of.stale && !of.quiet ? <Mark tone="wait" title="Out of date" /> : <HostState of={of} />;
}
