import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { IconWarning } from '../../parts/icons.tsx';
import { useSourceName, useSources } from '../../parts/useSources.ts';
import { type CollectorVersion, hostNames, isBeforeMigration, versionText } from './senders.ts';

/** The documentation of the collector that its owner deploys; the others are updated as packages of their platform. */
const docsOf = (version: string) =>
  `/docs/collector#${isBeforeMigration(version) === true ? 'migrating-from-versions-before-050' : 'versions-and-updates'}`;

/** Which hosts run an old version, and the way to the new one. */
export function OutdatedNotice({ of, property }: { of: CollectorVersion; property: Property }) {
  const { source, version, latest_version: latest, hosts, host_count: count } = of;
  const sourceName = useSourceName();
  const slug = useSources().find(({ name }) => name === source)?.setup.slug;
  const { names, more } = hostNames(hosts, count);
  return (
    <div className="notice notice-wait outdated">
      <IconWarning />
      <p>
        <strong className="break">{names}</strong>
        {more} {count === 1 ? 'runs' : 'run'} {sourceName(source)} {versionText(version)}, which is outdated.
      </p>
      {source === 'edge_worker' ? (
        <a className="button button-small" href={docsOf(version)} target="_blank" rel="noopener">
          How to update to {latest}
        </a>
      ) : (
        <Link
          to="/p/$propertyId/setup"
          params={{ propertyId: property.id }}
          search={slug === undefined ? {} : { via: slug }}
          className="button button-small"
        >
          How to update to {latest}
        </Link>
      )}
    </div>
  );
}
