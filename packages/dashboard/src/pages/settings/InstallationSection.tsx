import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { counted } from '../../format/names.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { IconCheck, IconWarning } from '../../parts/icons.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import { checksOf, healthQuery, healthSum } from './health.ts';

/** Its version, and what the operator has set for every property. */
export function InstallationSection() {
  const { data, error, isPending, refetch } = useQuery(queries.config());
  if (isPending) return <Skeleton lines={4} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <dl className="facts">
      <div>
        <dt>Version</dt>
        <dd className="number version">
          {data.version}
          <a href="/docs/changelog" target="_blank" rel="noopener">
            Changelog
          </a>
        </dd>
      </div>
      <Address name="Collectors send to" url={data.base_url} />
      <Address name="Dashboard and API" url={data.app_base_url} />
      <div>
        <dt>Default retention</dt>
        <dd className="number">{counted(data.retention_days, 'day')}</dd>
      </div>
    </dl>
  );
}

function Address({ name, url }: { name: string; url: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="identifier">
        <code className="break">{url}</code>
        <CopyButton text={url} what={`the address: ${name}`} />
      </dd>
    </div>
  );
}

export function HealthSection() {
  const { data, error, isPending, dataUpdatedAt, refetch } = useQuery(healthQuery());
  if (isPending) return <Skeleton lines={8} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const checks = checksOf(data);
  const isWell = checks.every(({ tone }) => tone === 'good');
  return (
    <>
      <p className="health-sum" data-tone={isWell ? 'good' : 'bad'}>
        {isWell ? <IconCheck /> : <IconWarning />}
        {healthSum(checks)}
        <span className="quiet">
          Checked <Time value={dataUpdatedAt} form="ago" />
        </span>
      </p>
      <ul className="health-checks" aria-label="Health">
        {checks.map(({ name, tone, state, text, figure }) => (
          <li key={name} data-tone={tone}>
            {/* That all works is said once, above: a row has its word only where it does not. */}
            {tone === 'good' ? <IconCheck /> : <IconWarning />}
            <div>
              <strong>{name}</strong>
              <p className="quiet break">{text}</p>
            </div>
            <span className={tone === 'good' ? 'visually-hidden' : 'health-state'}>{state}</span>
            {figure !== undefined && <span className="health-figure number">{figure}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
