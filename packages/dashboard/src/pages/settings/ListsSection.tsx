import { FRESH_DAYS } from '@ghostlight/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { queries } from '../../api/queries.ts';
import type { ListSource } from '../../api/types.ts';
import { counted } from '../../format/names.ts';
import { dayLabel } from '../../format/time.ts';
import { IconWarning } from '../../parts/icons.tsx';
import { Mark } from '../../parts/Sign.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time, useNow } from '../../parts/Time.tsx';
import { copiedOn, isUnread, LIST_GROUPS, listName, stateOfLists } from './lists.ts';

const LOOK_AGAIN_MS = 60_000;

/** The bot list and the sources of verification: how fresh each is, and why it is not fresher. */
export function ListsSection() {
  const { data, error, isPending, refetch } = useQuery(queries.lists());
  const now = useNow(LOOK_AGAIN_MS);
  if (isPending) return <Skeleton lines={4} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const { isCurrent, ...state } = stateOfLists(data.sources, now);
  return (
    <>
      <p className="lists-state">
        <Mark {...state} />
        <span className="quiet">AI bot list, version {data.version}</span>
      </p>
      {!isCurrent && (
        <p className="field-hint">
          An address list that is older than {FRESH_DAYS} days still verifies visits, and marks none as
          spoofed.
        </p>
      )}
      {LIST_GROUPS.map(({ title, unit, holds }) => (
        <ListsOfGroup key={title} title={title} unit={unit} sources={data.sources.filter(holds)} />
      ))}
    </>
  );
}

interface ListsOfGroupProps {
  title: string;
  unit: string;
  sources: readonly ListSource[];
}

/** What needs a look comes first. */
function ListsOfGroup({ title, unit, sources }: ListsOfGroupProps) {
  const id = useId();
  if (sources.length === 0) return null;
  const sorted = sources.toSorted((a, b) => Number(b.error !== null) - Number(a.error !== null));
  return (
    <section className="lists-group" aria-labelledby={id}>
      <h3 id={id}>
        {title} <span className="quiet number">{sources.length}</span>
      </h3>
      <ul className="list-sources list-rows" aria-labelledby={id}>
        {sorted.map((source) => (
          <ListSourceRow key={source.source} source={source} unit={unit} />
        ))}
      </ul>
    </section>
  );
}

function ListSourceRow({ source, unit }: { source: ListSource; unit: string }) {
  const { url, entries, fetched_at, error } = source;
  return (
    <li>
      <strong>{listName(source)}</strong>
      <a className="quiet-link list-source-url" href={url} title={url} target="_blank" rel="noreferrer">
        {new URL(url).hostname.replace(/^www\./, '')}
      </a>
      <span className="number">{isUnread(source) ? '' : counted(entries, unit)}</span>
      <span className="list-age">
        {fetched_at === null ? copyAge(source) : <Time value={fetched_at} form="ago" />}
      </span>
      {error !== null && (
        <p className="list-source-error">
          <IconWarning label="Could not be refreshed" />
          <span className="break">{error}; the last valid copy is used.</span>
        </p>
      )}
    </li>
  );
}

function copyAge(source: ListSource): string {
  if (isUnread(source)) return 'not read yet';
  const day = copiedOn(source);
  return day === null ? 'built in' : `built in, ${dayLabel(day, true)}`;
}
