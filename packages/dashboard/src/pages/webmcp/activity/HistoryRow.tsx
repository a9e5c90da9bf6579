import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { ActorName } from '../../../features/people/ActorName.tsx';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
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
  /** The previous entry; null: none, or no longer stored. */
  previous: HistoryEntry | null;
  /** The current version. */
  current: boolean;
  /** Its changes are shown at once: those of the newest entry are what a reader comes for. */
  opens: boolean;
  onRestore: () => void;
}

export function HistoryRow({ property, entry, previous, current, opens, onRestore }: HistoryRowProps) {
  const [open, setOpen] = useState(opens);
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
          <details
            className="history-changes"
            open={open}
            onToggle={(event) => setOpen(event.currentTarget.open)}
          >
            <summary>
              What changed<span className="visually-hidden"> in version {version}</span>
            </summary>
            {open && <VersionChanges property={property} entry={entry} previous={previous} />}
          </details>
        )}
      </div>
      {action === 'published' && !current && (
        <RequirePermission>
          <button
            type="button"
            className="button button-small"
            aria-label={`Restore version ${version}`}
            onClick={onRestore}
          >
            Restore
          </button>
        </RequirePermission>
      )}
    </li>
  );
}

interface VersionChangesProps {
  property: Property;
  entry: HistoryEntry;
  previous: HistoryEntry | null;
}

/** The changes of a publication against the previous one. */
function VersionChanges({ property, entry, previous }: VersionChangesProps) {
  // A withdrawal stores the document, but agents got nothing.
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
    <p className="quiet">No changes: signed again.</p>
  ) : (
    <ChangeList difference={difference} />
  );
}
