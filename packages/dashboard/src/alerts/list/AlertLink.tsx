import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { IconArrow } from '../../parts/icons.tsx';
import type { Alert } from '../types.ts';

/** Into the report that an alert is about. */
export function AlertLink({ property, alert }: { property: Property; alert: Alert }) {
  const about = <span className="visually-hidden"> about: {alert.title}</span>;
  const common = { className: 'quiet-link alert-link' };
  const params = { propertyId: property.id };
  switch (alert.kind) {
    case 'forwarding_failing':
      return (
        <Link
          {...common}
          to="/p/$propertyId/destinations/$destinationId"
          params={{ ...params, destinationId: alert.subject }}
        >
          Open the destination{about} <IconArrow />
        </Link>
      );
    case 'new_bot':
    case 'spike':
    case 'drop_to_zero':
      return (
        <Link {...common} to="/p/$propertyId/bots" params={params} search={{ bot: alert.subject }}>
          Open Bots{about} <IconArrow />
        </Link>
      );
    case 'spoof_surge':
      return (
        <Link {...common} to="/p/$propertyId/trust" params={params}>
          Open Trust{about} <IconArrow />
        </Link>
      );
    case 'bot_errors':
      return (
        <Link {...common} to="/p/$propertyId/failures" params={params}>
          Open Failures{about} <IconArrow />
        </Link>
      );
    case 'collector_quiet':
      return (
        <Link {...common} to="/p/$propertyId/collectors" params={params}>
          Open Collectors{about} <IconArrow />
        </Link>
      );
    case 'ai_referral_first':
      return (
        <Link {...common} to="/p/$propertyId/referrals" params={params}>
          Open Referrals{about} <IconArrow />
        </Link>
      );
  }
}
