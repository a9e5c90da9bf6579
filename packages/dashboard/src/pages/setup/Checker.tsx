import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { queries } from '../../api/queries.ts';
import type { SetupDiagnosis, SetupFinding, SetupSource } from '../../api/types.ts';
import { CompanyMark } from '../../features/marks/CompanyMark.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { counted } from '../../format/names.ts';
import { readablePath, visible } from '../../format/visible.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { IconArrow, IconInfo, IconWarning } from '../../parts/icons.tsx';
import { Logo } from '../../parts/Logo.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';

const STATES: Readonly<Record<SetupDiagnosis['state'], { title: string; about: string }>> = {
  waiting: {
    title: 'Waiting for the first visit',
    about: 'Updates every three seconds. Leave this page open while you set up.',
  },
  active: { title: 'Receiving data', about: 'Visits are arriving.' },
  stale: { title: 'No recent data', about: 'Traffic arrived before, but has stopped.' },
};

/** The state of the setup: latest arrivals per source, and findings. Refreshed every three seconds. */
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
    <aside className="checker card" aria-label="Setup checker" data-state={state ?? 'unknown'}>
      {isPending && <Skeleton lines={4} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <header className="checker-head">
            <Logo size={34} breathing={data.state === 'waiting'} />
            <div>
              <h2>{STATES[data.state].title}</h2>
              <p>
                <Outdated propertyId={propertyId} isAsked={data.state === 'active'}>
                  {STATES[data.state].about}
                </Outdated>
              </p>
            </div>
            {(data.state !== 'waiting' || data.findings.some(({ code }) => code === 'test_arrived')) && (
              <Link to="/p/$propertyId/live" params={{ propertyId }} className="button button-small">
                Open Live
                <IconArrow />
              </Link>
            )}
          </header>
          {data.sources.length > 0 && (
            <section>
              <h3>Last received</h3>
              <ul className="sources">
                {data.sources.map((source) => (
                  <SourceRow key={source.source} source={source} />
                ))}
              </ul>
            </section>
          )}
          {data.findings.length > 0 && (
            <section>
              <h3>Findings</h3>
              <ul className="findings">
                {data.findings.map((finding) => (
                  <Finding
                    key={`${finding.code ?? ''} ${finding.title}`}
                    finding={finding}
                    // Before the first visit, a note may explain why nothing arrives; afterwards it is folded.
                    open={finding.severity !== 'info' || data.state === 'waiting'}
                  />
                ))}
              </ul>
            </section>
          )}
          <RejectedList propertyId={propertyId} />
        </>
      )}
    </aside>
  );
}

interface OutdatedProps {
  propertyId: string;
  isAsked: boolean;
  children: ReactNode;
}

/** What a setup that works still asks for. It replaces the sentence of the state, so that nothing moves when it is known. */
function Outdated({ propertyId, isAsked, children }: OutdatedProps) {
  const report = useQuery({ ...reportQuery(propertyId, 'collectors', { days: '2' }), enabled: isAsked });
  const hosts = isAsked ? (report.data?.hosts ?? []) : [];
  const count = new Set(hosts.flatMap(({ host, stale, quiet }) => (stale && !quiet ? [host] : []))).size;
  if (count === 0) return children;
  return (
    <Link to="/p/$propertyId/collectors" params={{ propertyId }} className="checker-outdated">
      <IconWarning />
      {counted(count, 'collector')} {count === 1 ? 'is' : 'are'} outdated
    </Link>
  );
}

function SourceRow({ source }: { source: SetupSource }) {
  const sourceName = useSourceName();
  const where = readablePath(source.host);
  return (
    <li>
      <div className="source-head">
        <strong>
          <CompanyMark of={sourceName(source.source)} />
          {sourceName(source.source)}
        </strong>
        <Time value={source.last_at} form="ago" />
      </div>
      {(where !== '' || source.bot_name) && (
        <p className="source-what">
          {source.bot_name && <span>{visible(source.bot_name)}</span>}
          {source.bot_name && where !== '' && ' on '}
          {where !== '' && <code className="break">{where}</code>}
        </p>
      )}
      {(source.count !== undefined || source.worker_version) && (
        <p className="quiet">
          {source.count !== undefined && `${counted(source.count, 'visit')} in 24 hours`}
          {source.worker_version && ` · collector ${source.worker_version}`}
        </p>
      )}
    </li>
  );
}

const SEVERITY_NAMES = { error: 'Error', warning: 'Warning', info: 'Note' } as const;

/** @param open whether its details are unfolded at first */
function Finding({ finding, open }: { finding: SetupFinding; open: boolean }) {
  const { severity, title, detail, action, count, last_at } = finding;
  const label = SEVERITY_NAMES[severity] ?? severity;
  return (
    <li className="finding" data-severity={severity}>
      {severity === 'info' ? <IconInfo label={label} /> : <IconWarning label={label} />}
      <details open={open}>
        <summary className="finding-title">{title}</summary>
        <p className="break">{detail}</p>
        {action !== '' && <p className="finding-action break">{action}</p>}
        <p className="quiet">
          {count > 1 && <span className="number">{count.toLocaleString('en')} times · </span>}
          <Time value={last_at} form="ago" none="" />
        </p>
      </details>
    </li>
  );
}

/** The latest rejected elements as received. They are untrusted and rendered as text. */
function RejectedList({ propertyId }: { propertyId: string }) {
  const { data } = useQuery(queries.rejected(propertyId));
  if (data === undefined || data.length === 0) return null;
  return (
    <section>
      <h3>Recently rejected</h3>
      <ul className="rejected">
        {data.map(({ id, at, reason, field, body }) => (
          <li key={id}>
            <div className="source-head">
              <code>{field === null ? reason : `${field}: ${reason}`}</code>
              <Time value={at} form="ago" />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <pre tabIndex={0}>{body.split('\n').map(visible).join('\n')}</pre>
          </li>
        ))}
      </ul>
    </section>
  );
}
