import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import type { Destination, Platform } from '../../../features/destinations/api.ts';
import { pledgeLine } from '../../../features/destinations/messages.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';

interface GalleryProps {
  property: Property;
  platforms: readonly Platform[];
  connected: readonly Destination[];
}

/** Everything that can be connected. A platform may be connected twice: two accounts, two pixels. */
export function Gallery({ property, platforms, connected }: GalleryProps) {
  const countOf = (platform: string) => connected.filter((one) => one.platform === platform).length;
  return (
    <section className="gallery" aria-labelledby="gallery-title">
      <h2 id="gallery-title">{connected.length === 0 ? 'Connect the first platform' : 'Connect another'}</h2>
      {connected.length === 0 && (
        <p className="aside">
          Nothing leaves before one is connected. Each is sent only what its customer agreed to, hashed as the
          platform wants it.
        </p>
      )}
      <ul className="gallery-grid">
        {platforms.map((platform) => {
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
                  <span className="gallery-about">{platform.summary}</span>
                  <span className="gallery-pledge">{pledgeLine(platform)}</span>
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
