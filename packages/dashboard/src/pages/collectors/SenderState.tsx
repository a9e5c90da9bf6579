import { Mark } from '../../parts/Sign.tsx';
import type { CollectorVersion } from './senders.ts';

const SENDING = <Mark tone="good" title="Sending" />;
const QUIET = <Mark tone="bad" title="Nothing for a day" />;

interface HostStateProps {
  of: Pick<CollectorVersion, 'stale' | 'quiet'>;
  marksOutdated: boolean;
}

/** Whether a host's sender sends, and whether it runs an old version. */
export function HostState({ of: { quiet, stale }, marksOutdated }: HostStateProps) {
  if (quiet) return QUIET;
  return (
    <span className="sender-state">
      {SENDING}
      {stale && marksOutdated && <span className="tag outdated-tag">outdated</span>}
    </span>
  );
}

/** Whether a version is sent, and is the latest. */
export function VersionState({ of }: { of: Pick<CollectorVersion, 'stale' | 'quiet'> }) {
  if (of.quiet) return QUIET;
  return of.stale ? <Mark tone="wait" sign="warning" title="Outdated" /> : SENDING;
}
