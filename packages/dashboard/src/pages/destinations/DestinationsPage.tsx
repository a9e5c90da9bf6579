import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import '../../styles/workspace.css';
import './styles/index.css';
import { Link } from '@tanstack/react-router';
import { type Destination, destinationsQueries, type Platform } from '../../features/destinations/api.ts';
import { PlatformGlyph } from '../../features/destinations/PlatformGlyph.tsx';
import { IconChevronRight, IconPlus } from '../../parts/icons.tsx';
import { DestinationList } from './list/DestinationList.tsx';
import { neededFor } from './model/needed.ts';

/** The heading of what can be connected. */
const GALLERY = 'connect';

export function DestinationsPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const platforms = useQuery(destinationsQueries.platforms());
  const list = useQuery(destinationsQueries.list(property.id));
  const error = platforms.error ?? list.error;
  const isLoaded = platforms.data !== undefined && list.data !== undefined;
  return (
    <div className="destinations">
      <PageHead
        title="Destinations"
        about="Matched conversions are sent to the platforms connected here, so that they learn which clicks converted."
      >
        {isLoaded && list.data.length > 0 && (
          <a href={`#${GALLERY}`} className="button button-primary">
            <IconPlus />
            Connect a platform
          </a>
        )}
      </PageHead>
      {!isLoaded && error === null && <Skeleton lines={8} label="Loading destinations" />}
      {error !== null && (
        <ErrorState
          error={error}
          onRetry={() => {
            void platforms.refetch();
            void list.refetch();
          }}
        />
      )}
      {isLoaded && list.data.length > 0 && (
        <DestinationList property={property} platforms={platforms.data} items={list.data} />
      )}
      {isLoaded && <Gallery property={property} platforms={platforms.data} connected={list.data} />}
    </div>
  );
}

interface GalleryProps {
  property: Property;
  platforms: readonly Platform[];
  connected: readonly Destination[];
}

/** The platforms to connect, new ones first. One may be connected twice, with two accounts or pixels. */
function Gallery({ property, platforms, connected }: GalleryProps) {
  const countOf = (platform: string) => connected.filter((one) => one.platform === platform).length;
  const newFirst = [...platforms].sort(
    (a, b) => Number(countOf(a.platform) > 0) - Number(countOf(b.platform) > 0),
  );
  return (
    <section className="gallery" aria-labelledby={GALLERY}>
      <h2 id={GALLERY}>
        {connected.length === 0 ? 'Connect the first platform' : 'Connect another platform'}
      </h2>
      {connected.length === 0 && (
        <p className="aside">
          Nothing is sent until you connect a platform. Each gets only conversions with the required consent,
          hashed as it specifies.
        </p>
      )}
      <ul className="gallery-grid">
        {newFirst.map((platform) => {
          const count = countOf(platform.platform);
          return (
            <li key={platform.platform}>
              <Link
                to="/p/$propertyId/destinations/new/$platform"
                params={{ propertyId: property.id, platform: platform.platform }}
                className="card gallery-card"
              >
                <PlatformGlyph platform={platform.platform} />
                <span className="gallery-text">
                  <span className="gallery-head">
                    <strong>
                      <span className="visually-hidden">Connect </span>
                      {platform.title}
                    </strong>
                    {count > 0 && (
                      <span className="tag">{count === 1 ? 'connected' : `${count} connected`}</span>
                    )}
                  </span>
                  <span className="gallery-about">You need: {neededFor(platform).join(', ')}</span>
                </span>
                <span className="gallery-act" aria-hidden="true">
                  {count > 0 ? 'Add another' : 'Connect'}
                  <IconChevronRight />
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
