import { FRESH_DAYS } from '@ghostlight/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { queries } from '../../api/queries.ts';
import type { ListSource } from '../../api/types.ts';
import { counted } from '../../format/names.ts';
import { IconWarning } from '../../parts/icons.tsx';
import { Mark } from '../../parts/Sign.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time, useNow } from '../../parts/Time.tsx';
import { ageOf, byAge, isUnread, LIST_GROUPS, lastTried, listName, stateOfLists } from './lists.ts';

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
        {isCurrent ? (
          <Mark {...state} />
        ) : (
          <span className="mark" data-tone={state.tone}>
            <IconWarning />
            {state.title}
          </span>
        )}
        {!isCurrent && (
          <a className="button button-small" href="/docs/configuration#notes" target="_blank" rel="noopener">
            How to update
          </a>
        )}
      </p>
      <p className="lists-why">
        {!isCurrent &&
          `An address list older than ${FRESH_DAYS} days still confirms real bots, but can’t mark fakes. `}
        <Why refreshes={data.refreshes} tried={lastTried(data.sources)} />
      </p>
      {LIST_GROUPS.map(({ title, unit, holds }) => (
        <ListsOfGroup key={title} title={title} unit={unit} now={now} sources={data.sources.filter(holds)} />
      ))}
      <p className="lists-version">AI bot list, version {data.version}</p>
    </>
  );
}

/** Who reads the lists, and when that last happened. */
function Why({ refreshes, tried }: { refreshes: boolean; tried: string | null }) {
  const copies =
    'Until a list is read, the copy that came with this version is used. Lists marked “Not read yet” have no copy.';
  if (!refreshes)
    return (
      <>
        Automatic updates are off (<code>LISTS_REFRESH=off</code>). {copies}
      </>
    );
  return (
    <>
      Each list is read once a day;{' '}
      {tried === null ? (
        'none was tried yet'
      ) : (
        <>
          last tried <Time value={tried} form="ago" />
        </>
      )}
      . {copies}
    </>
  );
}

interface ListsOfGroupProps {
  title: string;
  unit: string;
  /** Epoch milliseconds. */
  now: number;
  sources: readonly ListSource[];
}

function ListsOfGroup({ title, unit, now, sources }: ListsOfGroupProps) {
  const id = useId();
  if (sources.length === 0) return null;
  return (
    <section className="lists-group" aria-labelledby={id}>
      <div className="lists-head">
        <h3 id={id}>
          {title} <span className="quiet number">{sources.length}</span>
        </h3>
        {['Publisher', 'Entries', 'Age'].map((head) => (
          <span key={head} aria-hidden="true">
            {head}
          </span>
        ))}
      </div>
      <ul className="list-sources list-rows" aria-labelledby={id}>
        {byAge(sources).map((source) => (
          <ListSourceRow key={source.source} source={source} unit={unit} now={now} />
        ))}
      </ul>
    </section>
  );
}

function ListSourceRow({ source, unit, now }: { source: ListSource; unit: string; now: number }) {
  const { url, entries, error, fetched_at, as_of } = source;
  const { tone, title } = ageOf(source, now);
  return (
    <li>
      <strong>{listName(source)}</strong>
      <a className="quiet-link list-source-url" href={url} title={url} target="_blank" rel="noreferrer">
        {new URL(url).hostname.replace(/^www\./, '')}
      </a>
      <span className="number">{isUnread(source) ? '–' : counted(entries, unit)}</span>
      <span className="list-age" data-tone={tone} title={fetched_at ?? as_of ?? undefined}>
        {title}
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
