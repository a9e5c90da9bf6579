import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { visible } from '../../../format/visible.ts';
import { IconArrow, IconChevronRight } from '../../../parts/icons.tsx';
import type { Alert } from '../api.ts';
import { targetOf, viewOf } from '../messages.ts';

/** Where an alert is looked into: a report with its filters and days, a destination, or the quota. On a phone the whole row is the link. */
export function AlertLink({ property, alert }: { property: Property; alert: Alert }) {
  const target = targetOf(alert.link);
  if (target === null) return null;
  const face = (
    <>
      <span className="alert-link-text">{visible(viewOf(alert))}</span>
      <span className="visually-hidden"> about: {alert.title}</span>
      <span className="alert-arrow">
        <IconArrow />
      </span>
      <span className="alert-chevron">
        <IconChevronRight />
      </span>
    </>
  );
  const params = { propertyId: property.id };
  const className = 'quiet-link alert-link';
  if (target.to === 'destination')
    return (
      <Link
        className={className}
        to="/p/$propertyId/destinations/$destinationId"
        params={{ ...params, destinationId: target.destinationId }}
      >
        {face}
      </Link>
    );
  if (target.to === 'quota')
    return (
      <Link
        className={className}
        to="/p/$propertyId/settings"
        params={params}
        search={{ view: 'data' }}
        hash="quota"
      >
        {face}
      </Link>
    );
  return (
    <Link className={className} to={`/p/$propertyId/${target.page}`} params={params} search={target.search}>
      {face}
    </Link>
  );
}
