import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Property } from '../../../api/types.ts';
import { MatchMark } from '../../../features/conversions/MatchMark.tsx';
import { worthOf } from '../../../features/conversions/money.ts';
import { topicName } from '../../../features/conversions/topics.ts';
import { webhooksQueries } from '../../../features/webhooks/api.ts';
import { visible } from '../../../format/visible.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import { Logo } from '../../../parts/Logo.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { StatusMark, statusWords } from '../activity/StatusMark.tsx';

const SHOWN = 4;

/** The latest requests, beside the commands that send them. Refreshed every three seconds. */
export function LatestRequests({ property }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(webhooksQueries.activity(property.id));
  const announce = useAnnounce();
  const before = useRef<string | null>(null);
  const newest = data === undefined ? null : (data[0]?.id ?? '');
  const outcome = data?.[0] === undefined ? '' : statusWords(data[0].status).title;
  useEffect(() => {
    if (before.current !== null && newest !== null && newest !== '' && newest !== before.current)
      announce(`A webhook arrived: ${outcome}`);
    before.current = newest;
  }, [newest, outcome, announce]);
  const waiting = data?.length === 0;
  return (
    <aside
      className="checker card"
      aria-label="Latest requests"
      data-state={data === undefined ? 'unknown' : waiting ? 'waiting' : 'active'}
    >
      {isPending && <Skeleton lines={4} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <header className="checker-head">
            <Logo size={34} breathing={waiting} />
            <div>
              <h2>{waiting ? 'Waiting for the first request' : 'Receiving'}</h2>
              <p>
                {data[0] === undefined ? (
                  'Updates every three seconds. Run a sample to see it here.'
                ) : (
                  <>
                    Last request <Time value={data[0].at} form="ago" />
                  </>
                )}
              </p>
            </div>
          </header>
          <ul className="latest">
            {data.slice(0, SHOWN).map((item) => (
              <li key={item.id}>
                <Link to="." search={{ view: 'activity', request: item.id }} className="latest-link">
                  <span className="source-head">
                    <strong>{topicName(item.topic)}</strong>
                    <Time value={item.at} form="ago" />
                  </span>
                  <span className="latest-marks">
                    {item.status === 'success' ? (
                      <MatchMark item={item} isAmongOthers />
                    ) : (
                      <StatusMark status={item.status} />
                    )}
                    {item.conversion_id !== null && (
                      <code className="latest-id">{visible(item.conversion_id)}</code>
                    )}
                    <span className="number latest-value">{worthOf(item)}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {!waiting && (
            <Link to="." search={{ view: 'activity' }} className="button button-small">
              All recent activity
              <IconArrow />
            </Link>
          )}
        </>
      )}
    </aside>
  );
}
