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
  const { isCurrent, title } = stateOfLists(data.sources, now);
  return (
    <>
      {isCurrent ? (
        <p className="lists-state">
          <Mark tone="good" title={title} />
        </p>
      ) : (
        <div className="notice notice-wait lists-state">
          <IconWarning />
          <div>
            <p>
              {title}
              {!data.refreshes && ' Automatic updates are off.'}
            </p>
            <HowToUpdate refreshes={data.refreshes} />
          </div>
        </div>
      )}
      {data.refreshes && <LastTried at={lastTried(data.sources)} />}
      {LIST_GROUPS.map(({ title: name, unit, holds }) => (
        <ListsOfGroup key={name} title={name} unit={unit} now={now} sources={data.sources.filter(holds)} />
      ))}
      <p className="lists-version">AI bot list, version {data.version}</p>
    </>
  );
}

/** What to do, and what is used until then. */
function HowToUpdate({ refreshes }: { refreshes: boolean }) {
  return (
    <details className="lists-how">
      <summary>How to update</summary>
      <p>
        Run <code>ghostlight lists refresh</code> on the server
        {!refreshes && (
          <>
            , or remove <code>LISTS_REFRESH=off</code> to have each list read once a day
          </>
        )}
        . Until a list is loaded, the copy that came with this version is used. Lists marked “Never loaded”
        have no copy.{' '}
        <a href="/docs/configuration#notes" target="_blank" rel="noopener">
          More in the docs
        </a>
      </p>
    </details>
  );
}

function LastTried({ at }: { at: string | null }) {
  return (
    <p className="lists-why">
      Each list is read once a day;{' '}
      {at === null ? (
        'none was tried yet.'
      ) : (
        <>
          last tried <Time value={at} form="ago" />.
        </>
      )}
    </p>
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
        {['Publisher', 'Entries', 'Updated'].map((head) => (
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
    <li data-tone={tone ?? undefined}>
      <strong>{listName(source)}</strong>
      <a className="quiet-link list-source-url" href={url} title={url} target="_blank" rel="noreferrer">
        {new URL(url).hostname.replace(/^www\./, '')}
      </a>
      <span className="number" data-none={isUnread(source)}>
        {isUnread(source) ? '–' : counted(entries, unit)}
      </span>
      <span className="list-age" data-tone={tone} title={fetched_at ?? as_of ?? undefined}>
        {tone !== null && <IconWarning />}
        {title}
      </span>
      {error !== null && (
        <p className="list-source-error">
          <IconWarning label="Could not be refreshed" />
          <span className="break">
            {error}; {isUnread(source) ? 'there is no copy yet' : 'the last valid copy is used'}.
          </span>
        </p>
      )}
    </li>
  );
}
