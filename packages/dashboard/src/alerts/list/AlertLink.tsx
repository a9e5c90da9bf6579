import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { IconArrow } from '../../parts/icons.tsx';
import { alertDays } from '../period.ts';
import type { Alert } from '../types.ts';

/** Into the report that an alert is about, at the days that it is about. */
export function AlertLink({ property, alert }: { property: Property; alert: Alert }) {
  const about = <span className="visually-hidden"> about: {alert.title}</span>;
  const common = { className: 'quiet-link alert-link' };
  const params = { propertyId: property.id };
  const days = alertDays(alert, property.time_zone, Date.now());
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
        <Link {...common} to="/p/$propertyId/bots" params={params} search={{ ...days, bot: alert.subject }}>
          Open Bots{about} <IconArrow />
        </Link>
      );
    case 'spoof_surge':
      return (
        <Link {...common} to="/p/$propertyId/trust" params={params} search={days}>
          Open Trust{about} <IconArrow />
        </Link>
      );
    case 'bot_errors':
      return (
        <Link {...common} to="/p/$propertyId/failures" params={params} search={days}>
          Open Failures{about} <IconArrow />
        </Link>
      );
    case 'collector_quiet':
      return (
        <Link {...common} to="/p/$propertyId/collectors" params={params} search={days}>
          Open Collectors{about} <IconArrow />
        </Link>
      );
    case 'ai_referral_first':
      return (
        <Link {...common} to="/p/$propertyId/referrals" params={params} search={days}>
          Open Referrals{about} <IconArrow />
        </Link>
      );
  }
}
