import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { IconArrow, IconCheck } from '../../parts/icons.tsx';
import { Step } from '../../parts/Section.tsx';

export function SafariStep({ property, verified }: { property: Property; verified: string | null }) {
  return (
    <Step number={5} title="Keep Safari’s visitors for longer than seven days">
      <p>
        Safari deletes after <strong>seven days</strong> what a script has stored, and after one day what it
        stored on a page that was reached through a decorated ad link. Whoever buys on the eighth day is then
        a new visitor, and the campaign goes without its credit.
      </p>
      {verified === null ? (
        <>
          <p>
            A cookie that a server of your own domain sets is kept. With a custom tracking domain such as{' '}
            <code>track.{property.domain}</code>, this service is that server.
          </p>
          <Link
            to="/p/$propertyId/webhooks"
            params={{ propertyId: property.id }}
            search={{ view: 'settings' }}
            className="button"
          >
            Add a custom domain
            <IconArrow />
          </Link>
        </>
      ) : (
        <p className="held">
          <IconCheck />
          <span>
            <code>{verified}</code> is verified, and the snippet above sends to it: the service sets the
            visitor’s cookie there.
          </span>
        </p>
      )}
    </Step>
  );
}
