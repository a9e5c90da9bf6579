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

/** How things are, and as of when: `No open alerts · checked 2 minutes ago`. */
export function StatusLine({ open, alerts, checkedAt }: StatusLineProps) {
  const isTrouble = alerts.some((alert) => !isNews(alert));
  const title = open === 0 ? 'No open alerts' : counted(open, 'open alert');
  return (
    <p className="alerts-status">
      {isTrouble ? <Mark tone="bad" title={title} sign="warning" /> : <Mark tone="good" title={title} />}
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
