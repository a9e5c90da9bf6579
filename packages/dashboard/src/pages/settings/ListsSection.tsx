import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { ListSource } from '../../api/types.ts';
import { useMay } from '../../features/session/useSession.ts';
import { counted } from '../../format/names.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { IconWarning } from '../../parts/icons.tsx';
import { Mark } from '../../parts/Sign.tsx';
import { ErrorState, FormError, Skeleton } from '../../parts/states.tsx';
import { Time, useNow } from '../../parts/Time.tsx';
import {
  ageOf,
  byAge,
  contentOf,
  isUnread,
  LIST_GROUPS,
  lastTried,
  listName,
  stateOfLists,
} from './lists.ts';

const LOOK_AGAIN_MS = 60_000;

/** The bot list and the sources of verification: how fresh each is, and why it is not fresher. */
export function ListsSection() {
  const { data, error, isPending, refetch } = useQuery(queries.lists());
  const now = useNow(LOOK_AGAIN_MS);
  if (isPending) return <Skeleton lines={4} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const { isCurrent, title } = stateOfLists(data.sources, now);
  const unread = data.sources.filter(isUnread);
  return (
    <>
      {isCurrent ? (
        <p className="lists-state">
          <Mark tone="good" title={title} />
        </p>
      ) : (
        <div className="notice notice-wait lists-state">
          <IconWarning />
          <p>
            {title}
            {!data.refreshes && (
              <>
                {' '}
                Automatic updates are off.{' '}
                <a href="/docs/configuration#notes" target="_blank" rel="noopener">
                  Turn on automatic updates
                </a>
              </>
            )}
          </p>
          <UpdateLists anyUnread={unread.length > 0} />
        </div>
      )}
      {data.refreshes && <LastTried at={lastTried(data.sources)} />}
      {unread.length > 0 && <UnreadLists sources={unread} />}
      {LIST_GROUPS.map(({ title: name, unit, holds }) => (
        <ListsOfGroup
          key={name}
          title={name}
          heads={['Publisher', 'Contains', 'Updated']}
          sources={data.sources.filter((source) => holds(source) && !isUnread(source))}
        >
          {(source) => <Freshness source={source} unit={unit} now={now} />}
        </ListsOfGroup>
      ))}
      <p className="lists-version">AI bot list, version {data.version}</p>
    </>
  );
}

const COMMAND = 'ghostlight lists refresh';

/** Reads all of them now; who may not, gets the command for those who run the server. */
function UpdateLists({ anyUnread }: { anyUnread: boolean }) {
  const mayUpdate = useMay('installation');
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call('POST', '/api/v1/lists/refresh'),
    onSuccess: () => announce('Lists updated'),
    // Without an answer in time, the service may have read some of them.
    onSettled: () => queryClient.invalidateQueries(queries.lists()),
  });
  if (!mayUpdate)
    return (
      <p className="lists-command">
        On the server: <code>{COMMAND}</code>
        <CopyButton text={COMMAND} what="the command" />
      </p>
    );
  return (
    <>
      <button
        type="button"
        className="button button-small button-primary"
        disabled={isPending}
        onClick={() => mutate()}
      >
        {isPending ? 'Loading…' : anyUnread ? 'Load lists now' : 'Update lists now'}
      </button>
      <FormError error={error} />
    </>
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

/** Unread lists that are shown at once: the warning counts all of them. */
const SHOWN_UNREAD = 5;

function UnreadLists({ sources }: { sources: readonly ListSource[] }) {
  const [isWhole, setWhole] = useState(sources.length <= SHOWN_UNREAD);
  return (
    <>
      <ListsOfGroup
        title="Not loaded"
        heads={['Publisher', 'List']}
        sources={sources}
        {...(isWhole ? {} : { shown: SHOWN_UNREAD })}
      >
        {(source) => <span className="list-contains">{contentOf(source)}</span>}
      </ListsOfGroup>
      {!isWhole && (
        <button type="button" className="button button-small lists-more" onClick={() => setWhole(true)}>
          Show all {sources.length}
        </button>
      )}
    </>
  );
}

interface ListsOfGroupProps {
  title: string;
  /** Of the columns after the name. */
  heads: readonly string[];
  sources: readonly ListSource[];
  /** Rows; absent: all. */
  shown?: number;
  /** The rest of a row, after its name and publisher. */
  children: (source: ListSource) => ReactNode;
}

function ListsOfGroup({ title, heads, sources, shown, children }: ListsOfGroupProps) {
  const id = useId();
  if (sources.length === 0) return null;
  return (
    <section className="lists-group" aria-labelledby={id}>
      <div className="lists-head">
        <h3 id={id}>
          {title} <span className="quiet number">{sources.length}</span>
        </h3>
        {heads.map((head) => (
          <span key={head} aria-hidden="true">
            {head}
          </span>
        ))}
      </div>
      <ul className="list-sources list-rows" aria-labelledby={id}>
        {byAge(sources)
          .slice(0, shown)
          .map((source) => (
            <ListSourceRow key={source.source} source={source}>
              {children(source)}
            </ListSourceRow>
          ))}
      </ul>
    </section>
  );
}

function ListSourceRow({ source, children }: { source: ListSource; children: ReactNode }) {
  const { url, error } = source;
  return (
    <li>
      <strong>{listName(source)}</strong>
      <a className="quiet-link list-source-url" href={url} title={url} target="_blank" rel="noreferrer">
        {new URL(url).hostname.replace(/^www\./, '')}
      </a>
      {children}
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

interface FreshnessProps {
  source: ListSource;
  unit: string;
  /** Epoch milliseconds. */
  now: number;
}

function Freshness({ source, unit, now }: FreshnessProps) {
  const { tone, title } = ageOf(source, now);
  return (
    <>
      <span className="number">{counted(source.entries, unit)}</span>
      <span className="list-age" data-tone={tone} title={source.fetched_at ?? source.as_of ?? undefined}>
        {tone !== null && <IconWarning />}
        {title}
      </span>
    </>
  );
}
