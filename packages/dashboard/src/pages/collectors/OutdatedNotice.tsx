import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { IconWarning } from '../../parts/icons.tsx';
import { useSourceName, useSources } from '../../parts/useSources.ts';
import { type CollectorVersion, hostNames, versionText } from './senders.ts';

/** How a collector that is deployed by its owner gets its next version; the others are updated as packages of their platform. */
const HOW: Readonly<Record<string, ReactNode>> = {
  edge_worker: (
    <>
      Merge the weekly update pull request, or paste the latest file. Upgrading from a version before 0.5.0?{' '}
      <a href="/docs/collector#migrating-from-versions-before-050" target="_blank" rel="noopener">
        Migrate the repository
      </a>{' '}
      first.
    </>
  ),
};

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
        <p>{HOW[source] ?? 'Update it where it is installed; its settings stay.'}</p>
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
