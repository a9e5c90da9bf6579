import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import type { ListSource } from '../../api/types.ts';
import { counted } from '../../format/names.ts';
import { dayLabel } from '../../format/time.ts';
import { IconWarning } from '../../parts/icons.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';

/** The bot list and the sources of verification: how fresh each is, and why it is not fresher. */
export function ListsSection() {
  const { data, error, isPending, refetch } = useQuery(queries.lists());
  if (isPending) return <Skeleton lines={4} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const failing = data.sources.filter(({ error }) => error !== null);
  const unread = data.sources.filter(isUnread).length;
  // What needs a look comes first.
  const sorted = [...failing, ...data.sources.filter((source) => !failing.includes(source))];
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Version of the AI bot list</dt>
          <dd className="number">{data.version}</dd>
        </div>
        <div>
          <dt>Sources</dt>
          <dd>
            {failing.length === 0
              ? `${data.sources.length}, none with an error`
              : `${data.sources.length}, of which ${failing.length} could not be refreshed`}
            {unread > 0 && `; ${unread} not read yet`}
          </dd>
        </div>
      </dl>
      <ul className="list-sources list-rows" aria-label="Sources">
        {sorted.map((source) => (
          <ListSourceRow key={source.source} source={source} />
        ))}
      </ul>
    </>
  );
}

const KIND_UNITS: Readonly<Record<ListSource['kind'], string>> = {
  list: 'bot',
  ranges: 'range',
  keys: 'key',
};

function ListSourceRow({ source }: { source: ListSource }) {
  const { url, kind, entries, fetched_at, error } = source;
  return (
    <li>
      <div>
        <strong>{source.source}</strong>
        <span className="list-source-url" title={url}>
          {url.replace(/^https:\/\//, '')}
        </span>
      </div>
      <span className="number">{isUnread(source) ? '' : counted(entries, KIND_UNITS[kind])}</span>
      <span className="list-age">
        {fetched_at === null ? embeddedAge(source) : <Time value={fetched_at} form="ago" />}
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

const isUnread = ({ entries, fetched_at }: ListSource): boolean => entries === 0 && fetched_at === null;

function embeddedAge(source: ListSource): string {
  if (isUnread(source)) return 'not read yet';
  // The source writes it in any form; only a day is shown.
  const day = /\d{4}-\d\d-\d\d/.exec(source.as_of ?? '')?.[0];
  return day === undefined ? 'built in' : `built in, as of ${dayLabel(day, true)}`;
}
