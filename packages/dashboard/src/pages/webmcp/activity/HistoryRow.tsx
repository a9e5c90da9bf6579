import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { ActorName } from '../../../features/people/ActorName.tsx';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { counted } from '../../../format/names.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { webmcpQueries } from '../api.ts';
import { ChangeList } from '../editor/ChangeList.tsx';
import { differenceOf, isSame } from '../model/difference.ts';
import type { HistoryEntry } from '../types.ts';

const ACTIONS: Readonly<Record<HistoryEntry['action'], string>> = {
  published: 'Published',
  rotated: 'Keys rotated',
  unpublished: 'Unpublished',
};

interface HistoryRowProps {
  property: Property;
  entry: HistoryEntry;
  /** The change before; null: none, or none kept. */
  previous: HistoryEntry | null;
  /** What agents get now. */
  current: boolean;
  onRestore: () => void;
}

export function HistoryRow({ property, entry, previous, current, onRestore }: HistoryRowProps) {
  const [open, setOpen] = useState(false);
  const { version, at, actor, action, hosts, tools } = entry;
  return (
    <li className="history-row" data-action={action}>
      <span className="history-version number">v{version}</span>
      <div className="history-what">
        <p>
          <strong>{ACTIONS[action] ?? action}</strong>
          {actor !== null && (
            <span className="quiet break">
              {' '}
              by <ActorName actor={actor} />
            </span>
          )}{' '}
          {current && <span className="tag">current</span>}
        </p>
        <p className="quiet break">
          <Time value={at} form="date" />
          {action !== 'unpublished' && ` · ${counted(tools, 'tool')} on ${hosts.join(', ')}`}
        </p>
        {action === 'published' && (
          <details className="history-changes" onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>
              What changed<span className="visually-hidden"> in version {version}</span>
            </summary>
            {open && <VersionChanges property={property} entry={entry} previous={previous} />}
          </details>
        )}
      </div>
      {action === 'published' && !current && (
        <ForWhoMay>
          <button
            type="button"
            className="button button-small"
            aria-label={`Restore version ${version}`}
            onClick={onRestore}
          >
            Restore
          </button>
        </ForWhoMay>
      )}
    </li>
  );
}

interface VersionChangesProps {
  property: Property;
  entry: HistoryEntry;
  previous: HistoryEntry | null;
}

/** One publication against what agents got before it. */
function VersionChanges({ property, entry, previous }: VersionChangesProps) {
  // A withdrawn document is kept with its withdrawal, but agents got nothing.
  const before = previous === null || previous.action === 'unpublished' ? [] : [previous.version];
  const [now, then] = useQueries({
    queries: [entry.version, ...before].map((version) => webmcpQueries.version(property.id, version)),
  });
  const error = now?.error ?? then?.error ?? null;
  if (error !== null) return <ErrorState error={error} onRetry={() => void now?.refetch()} />;
  if (now?.data === undefined || (then !== undefined && then.data === undefined))
    return <Skeleton lines={2} />;
  const difference = differenceOf(then?.data ?? { hosts: [], tools: [] }, now.data);
  return isSame(difference) ? (
    <p className="quiet">Nothing: signed again.</p>
  ) : (
    <ChangeList difference={difference} />
  );
}
