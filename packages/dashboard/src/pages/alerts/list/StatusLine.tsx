import { HOUR_MS } from '@ghostlight/core/time';
import { counted } from '../../../format/names.ts';
import { Mark } from '../../../parts/Sign.tsx';
import { Time } from '../../../parts/Time.tsx';
import type { Alert } from '../api.ts';
import { isNews } from '../messages.ts';

interface StatusLineProps {
  /** All that is open, also beyond those that are listed. */
  open: number;
  alerts: readonly Alert[];
  /** null: the property has not been checked yet. */
  checkedAt: string | null;
}

/** Checks are five minutes apart: after this, what is shown may no longer hold. */
const STALE_MS = HOUR_MS;

/** How things are, and as of when: `No open alerts · checked 2 minutes ago`. */
export function StatusLine({ open, alerts, checkedAt }: StatusLineProps) {
  const isTrouble = alerts.some((alert) => !isNews(alert));
  const title = open === 0 ? 'No open alerts' : counted(open, 'open alert');
  const isStale = checkedAt !== null && Date.now() - Date.parse(checkedAt) > STALE_MS;
  if (isStale)
    return (
      <p className="alerts-status">
        <Mark tone="wait" title="Checks have stopped" sign="warning" />
        <span className="quiet">
          · last check <Time value={checkedAt} form="ago" />,{' '}
          {open === 0 ? 'with no open alerts' : `with ${title}`}; newer ones may be missing
        </span>
      </p>
    );
  return (
    <p className="alerts-status">
      {isTrouble && <Mark tone="bad" title={title} sign="warning" />}
      {!isTrouble && <Mark tone="good" title={title} />}
      <span className="quiet">
        ·{' '}
        {checkedAt === null ? (
          'first check within five minutes'
        ) : (
          <>
            checked <Time value={checkedAt} form="ago" />
          </>
        )}
      </span>
    </p>
  );
}
