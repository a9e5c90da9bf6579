import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { IconWarning } from '../../parts/icons.tsx';
import { useSourceName, useSources } from '../../parts/useSources.ts';
import { type CollectorVersion, hostNames, isBeforeMigration, versionText } from './senders.ts';

const MIGRATION = (
  <a href="/docs/collector#migrating-from-versions-before-050" target="_blank" rel="noopener">
    Migrate the repository
  </a>
);
const MERGE = 'Merge the weekly update pull request, or paste the latest file.';

/** How the collector that its owner deploys gets its next version; the others are updated as packages of their platform. */
function HowToUpdate({ source, version }: Pick<CollectorVersion, 'source' | 'version'>) {
  if (source !== 'edge_worker') return <p>Update it where it is installed; its settings stay.</p>;
  const isOld = isBeforeMigration(version);
  if (isOld === false) return <p>{MERGE}</p>;
  return (
    <ol>
      <li>
        {MIGRATION}
        {isOld === null ? ', if it runs a version before 0.5.0.' : '.'}
      </li>
      <li>{MERGE}</li>
    </ol>
  );
}

/** Which hosts run an old version, and how they get the new one. */
export function OutdatedNotice({ of, property }: { of: CollectorVersion; property: Property }) {
  const { source, version, latest_version: latest, hosts, host_count: count } = of;
  const sourceName = useSourceName();
  const slug = useSources().find(({ name }) => name === source)?.setup.slug;
  const { names, more } = hostNames(hosts, count);
  return (
    <div className="notice notice-wait outdated">
      <IconWarning />
      <div>
        <p>
          <strong>
            <span className="break">{names}</span>
            {more} {count === 1 ? 'runs' : 'run'} {sourceName(source)} {versionText(version)}. Version{' '}
            {latest} is out.
          </strong>
        </p>
        <HowToUpdate source={source} version={version} />
      </div>
      <Link
        to="/p/$propertyId/setup"
        params={{ propertyId: property.id }}
        search={slug === undefined ? {} : { via: slug }}
        className="button button-small"
      >
        Get version {latest}
      </Link>
    </div>
  );
}
