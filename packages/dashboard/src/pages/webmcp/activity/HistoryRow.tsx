import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { ActorName } from '../../../features/people/ActorName.tsx';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { counted } from '../../../format/names.ts';
import { Time } from '../../../parts/Time.tsx';
import type { HistoryEntry } from '../types.ts';
import { VersionChanges } from './VersionChanges.tsx';

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
