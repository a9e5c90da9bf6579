import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { queries } from '../../api/queries.ts';
import type { SetupDiagnosis } from '../../api/types.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { IconArrow } from '../../parts/icons.tsx';
import { Logo } from '../../parts/Logo.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Finding } from './Finding.tsx';
import { RejectedList } from './RejectedList.tsx';
import { SourceRow } from './SourceRow.tsx';

const STATES: Readonly<Record<SetupDiagnosis['state'], { title: string; about: string }>> = {
  waiting: {
    title: 'Waiting for the first visit',
    about: 'This panel looks every three seconds. Leave it open while you set up.',
  },
  active: { title: 'Receiving traffic', about: 'The lamp is lit.' },
  stale: { title: 'Gone quiet', about: 'Traffic used to arrive here, and has stopped.' },
};

/** Whether it works, what arrived last, and why nothing shows. Asks again every three seconds. */
export function Checker({ propertyId }: { propertyId: string }) {
  const { data, error, isPending, refetch } = useQuery(queries.setup(propertyId));
  const announce = useAnnounce();
  const before = useRef<string | null>(null);
  const state = data?.state ?? null;
  useEffect(() => {
    if (before.current !== null && state !== null && before.current !== state) announce(STATES[state].title);
    before.current = state;
  }, [state, announce]);
  return (
    <aside className="checker card" aria-label="Set-up checker" data-state={state ?? 'unknown'}>
      {isPending && <Skeleton lines={4} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <header className="checker-head">
            <Logo size={34} breathing={data.state === 'waiting'} />
            <div>
              <h2>{STATES[data.state].title}</h2>
              <p>{STATES[data.state].about}</p>
            </div>
          </header>
          {data.state !== 'waiting' && (
            <Link to="/p/$propertyId/live" params={{ propertyId }} className="button button-small">
              Open Live
              <IconArrow />
            </Link>
          )}
          {data.sources.length > 0 && (
            <section>
              <h3>Arrived last</h3>
              <ul className="sources">
                {data.sources.map((source) => (
                  <SourceRow key={source.source} source={source} />
                ))}
              </ul>
            </section>
          )}
          <section>
            <h3>Findings</h3>
            {data.findings.length === 0 ? (
              <p className="quiet">Nothing was refused or dropped.</p>
            ) : (
              <ul className="findings">
                {data.findings.map((finding) => (
                  <Finding
                    key={`${finding.code ?? ''} ${finding.title}`}
                    finding={finding}
                    // Once traffic arrives a note is no trouble; before, it may be the very answer.
                    open={finding.severity !== 'info' || data.state === 'waiting'}
                  />
                ))}
              </ul>
            )}
          </section>
          <RejectedList propertyId={propertyId} />
        </>
      )}
    </aside>
  );
}
