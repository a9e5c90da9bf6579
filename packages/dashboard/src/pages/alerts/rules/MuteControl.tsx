import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import type { Property } from '../../../api/types.ts';
import { ErrorState } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { type AlertRule, useRules } from '../api.ts';

const CHOICES = [
  [HOUR_MS, 'an hour'],
  [DAY_MS, 'a day'],
  [7 * DAY_MS, 'a week'],
  [30 * DAY_MS, '30 days'],
] as const;

/** Alerts of a muted rule are listed and not sent, until a moment. */
export function MuteControl({ property, rule }: { property: Property; rule: AlertRule }) {
  const { mutate, isPending, error } = useRules(property.id, `${rule.title} saved`);
  const mute = (until: string | null) => mutate({ rules: [{ kind: rule.kind, muted_until: until }] });
  return (
    <div className="rule-mute">
      {rule.muted_until === null ? (
        <select
          className="input select"
          aria-label={`Mute ${rule.title}`}
          disabled={isPending}
          value=""
          onChange={({ target }) => mute(new Date(Date.now() + Number(target.value)).toISOString())}
        >
          <option value="" disabled>
            Mute…
          </option>
          {CHOICES.map(([ms, name]) => (
            <option key={ms} value={ms}>
              for {name}
            </option>
          ))}
        </select>
      ) : (
        <>
          <span className="quiet">
            Muted until <Time value={rule.muted_until} form="date" />
          </span>
          <button
            type="button"
            className="button button-small"
            aria-label={`Unmute ${rule.title}`}
            disabled={isPending}
            onClick={() => mute(null)}
          >
            Unmute
          </button>
        </>
      )}
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
