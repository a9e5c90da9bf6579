import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Property } from '../../api/types.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { counted } from '../../format/names.ts';
import { visible } from '../../format/visible.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { IconArrow } from '../../parts/icons.tsx';
import { Logo } from '../../parts/Logo.tsx';
import { Mark } from '../../parts/Sign.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import {
  type CheckState,
  type EventOrigin,
  isOfBrowser,
  scriptCheck,
  sdkQueries,
  useEventSettings,
} from './api.ts';

const STATES: Readonly<Record<CheckState, { title: string; about: string }>> = {
  waiting: {
    title: 'No events from the script yet',
    about: 'Add the script to a page and open it.',
  },
  refused: {
    title: 'The script’s events are rejected',
    about: 'They come from pages that are not allowed. See below.',
  },
  active: { title: 'Receiving events', about: '' },
  stale: { title: 'No recent events', about: '' },
};

/** Whether the script in the pages sends events, and from where. Events of servers are listed, but say nothing about it. */
export function EventCheck({ property }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(sdkQueries.status(property.id));
  const announce = useAnnounce();
  const before = useRef<CheckState | null>(null);
  const check = data === undefined ? null : scriptCheck(data, Date.now());
  const state = check?.state ?? null;
  // What servers send is no event of the script.
  const hasBrowser = data?.origins.some(isOfBrowser) ?? false;
  useEffect(() => {
    if (before.current !== null && state !== null && before.current !== state) announce(STATES[state].title);
    before.current = state;
  }, [state, announce]);
  return (
    <aside
      className="checker card event-check"
      aria-label="Events check"
      data-state={state === 'refused' ? 'waiting' : (state ?? 'unknown')}
    >
      {isPending && <Skeleton lines={4} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && check !== null && (
        <>
          <header className="checker-head">
            <Logo size={34} breathing={check.state === 'waiting'} />
            <div>
              <h2>{STATES[check.state].title}</h2>
              <p>
                {check.lastAt === null ? (
                  STATES[check.state].about
                ) : (
                  <>
                    Last event <Time value={check.lastAt} form="ago" />
                  </>
                )}
              </p>
            </div>
            {check.lastAt !== null && (
              <Link
                to="/p/$propertyId/live"
                params={{ propertyId: property.id }}
                search={{ class: 'event' }}
                className="button button-small"
              >
                Open Live
                <IconArrow />
              </Link>
            )}
          </header>
          {data.origins.length > 0 && (
            <section>
              <h3>
                {hasBrowser ? 'Received' : 'From elsewhere'} since{' '}
                <Time value={data.first_event_at} form="day" />
              </h3>
              <ul className="sources">
                {data.origins.toSorted(browsersFirst).map((origin) => (
                  <OriginRow key={`${origin.origin} ${origin.foreign}`} property={property} origin={origin} />
                ))}
              </ul>
            </section>
          )}
          {check.state === 'waiting' && (
            <details className="event-hints">
              <summary>If no events arrive</summary>
              <ul className="hints-list">
                <li>Consent: nothing is sent before consent to analytics.</li>
                <li>An ad blocker in your own browser: try a private window, or a custom domain.</li>
                <li>
                  Your site’s Content-Security-Policy: allow this service in script-src and connect-src.
                </li>
              </ul>
            </details>
          )}
        </>
      )}
    </aside>
  );
}

const browsersFirst = (one: EventOrigin, other: EventOrigin) =>
  Number(isOfBrowser(other)) - Number(isOfBrowser(one));

/** An origin of events; a foreign one has a button to allow it. */
function OriginRow({ property, origin: one }: { property: Property; origin: EventOrigin }) {
  const settings = useQuery(sdkQueries.settings(property.id)).data;
  const { mutate, isPending } = useEventSettings(property.id);
  const { origin, foreign, accepted, refused } = one;
  return (
    <li>
      <div className="source-head">
        {isOfBrowser(one) ? (
          <span>
            <strong>Browser script</strong> <code className="break">{visible(origin)}</code>
          </span>
        ) : (
          <strong>Servers and apps</strong>
        )}
        <Time value={one.last_at} form="ago" />
      </div>
      <p className="origin-marks">
        {foreign && <Mark tone="unknown" title="Foreign" />}
        <span className="quiet">
          {counted(accepted, 'event')}
          {refused > 0 && `, ${refused.toLocaleString('en')} refused`}
        </span>
      </p>
      {foreign && isOfBrowser(one) && (
        <>
          <p className="quiet">
            Allow if it is yours. Otherwise your snippet has been copied
            {refused > 0 ? '' : ', and its events count here'}.
          </p>
          <RequirePermission>
            <button
              type="button"
              className="button button-small"
              aria-label={`Allow ${origin}`}
              disabled={isPending || settings === undefined}
              onClick={() => mutate({ allowed_origins: [...(settings?.allowed_origins ?? []), origin] })}
            >
              Allow
            </button>
          </RequirePermission>
        </>
      )}
    </li>
  );
}
