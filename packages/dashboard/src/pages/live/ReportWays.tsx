import { Link } from '@tanstack/react-router';
import type { LiveItem } from '../../api/types.ts';
import { useProperty } from '../../features/property/useProperty.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';

/** From one visit of an AI bot to all of that bot, and to all who read that page. */
export function ReportWays({ item }: { item: LiveItem }) {
  const property = useProperty();
  // Days that end today: the visit has just come.
  const { days } = useCarriedOver()('conversions');
  const period = days === undefined ? {} : { days };
  if (property === null || item.class !== 'ai_bot' || item.bot_name === '') return null;
  const params = { propertyId: property.id };
  return (
    <nav className="drawer-ways" aria-label="Reports">
      <Link
        to="/p/$propertyId/bots"
        params={params}
        search={{ ...period, bot: item.bot_name }}
        className="button button-small"
      >
        All of {item.bot_name}
      </Link>
      {item.path.startsWith('/') && (
        <Link
          to="/p/$propertyId/pages"
          params={params}
          search={{ ...period, page: item.path, host: item.host, group: 'bot_page' }}
          className="button button-small"
        >
          Who reads this page
        </Link>
      )}
    </nav>
  );
}
